// The question as it was given: in words, or on standard input when it is long or comes from a program.

import { MAX_QUESTION } from '../../../council/schema.ts'
import { usage } from '../parse.ts'

/** All of standard input, up to what a question may be. */
async function readInput(input: AsyncIterable<Buffer | string>): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of input) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size > 4 * MAX_QUESTION) throw tooLong()
    chunks.push(bytes)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const tooLong = () =>
  usage(
    `the question is longer than ${MAX_QUESTION} characters`,
    'Shorten it, and give the rest with --context FILE.',
  )

export async function readQuestion(
  given: string | undefined,
  command: string,
  input: AsyncIterable<Buffer | string> & { readonly isTTY?: boolean } = process.stdin,
): Promise<string> {
  const fromInput = given === undefined || given === '-'
  if (fromInput && input.isTTY) {
    throw usage(`witan ${command} needs a question`, `Give it in quotes: witan ${command} "Shall we …?"`)
  }
  const text = (fromInput ? await readInput(input) : given).toWellFormed().trim()
  if (text === '') throw usage('the question is empty', `Give it in quotes: witan ${command} "Shall we …?"`)
  if (text.length > MAX_QUESTION) throw tooLong()
  return text
}
