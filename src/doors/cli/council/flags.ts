// What the words and options of a council command ask for, checked as far as words alone allow. The question comes in
// words, or on standard input when it is long or comes from a program.

import { type Gate, readGate } from '../../../app/council/gate.ts'
import type { Mode } from '../../../council/replies/opinion.ts'
import { MAX_QUESTION } from '../../../council/schema.ts'
import type { Call } from '../command.ts'
import { usage } from '../parse.ts'

export interface Wishes {
  readonly mode: Mode
  readonly question: string
  readonly context: readonly string[]
  /** What is to be compared, as typed after `review`; null when nothing was asked to be. */
  readonly words: readonly string[] | null
  /** `--diff`: a range as git names it. */
  readonly range: string | null
  readonly seats: readonly string[]
  readonly chair: string | null
  readonly labelled: boolean
  readonly shortCircuit: boolean
  readonly maxCost: number | null
  readonly constraints: readonly string[]
  readonly focus: readonly string[]
  readonly preview: boolean
  readonly follow: string | null
  readonly gate: Gate | null
}

const MOST_DOLLARS = 1_000_000

export function readMoney(text: string | null): number | null {
  if (text === null) return null
  const amount = /^\$?\d{1,7}(\.\d{1,6})?$/.test(text) ? Number(text.replace('$', '')) : Number.NaN
  if (amount >= 0 && amount <= MOST_DOLLARS) return amount
  throw usage(`--max-cost is an amount in US dollars, not '${text}'`, 'Give it like 0.50 or 2.')
}

/** `--seats a,b --seats c` is a, b, c. */
export const readList = (given: readonly string[]): readonly string[] =>
  given.flatMap((text) => text.split(',')).flatMap((text) => text.trim() || [])

export const wishesOf = (call: Call, said: Pick<Wishes, 'mode' | 'question' | 'words'>): Wishes => ({
  ...said,
  context: call.texts('context'),
  range: call.text('diff'),
  seats: readList(call.texts('seats')),
  chair: call.text('chair'),
  labelled: call.flag('labelled'),
  shortCircuit: call.flag('short-circuit'),
  maxCost: readMoney(call.text('max-cost')),
  constraints: call.texts('constraint'),
  focus: call.texts('focus'),
  preview: call.flag('preview'),
  follow: call.text('follow'),
  gate: readGate(call.text('fail-on')),
})

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
