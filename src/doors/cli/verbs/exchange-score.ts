// `witan exchange score`: what the detector of restart requests makes of each text of a file.

import { openEmbedder } from '../../../app/exchange/embedder.ts'
import { scorerIn } from '../../../app/exchange/scorer-cache.ts'
import { readSmallFile } from '../../../app/home/files.ts'
import { scoreTexts } from '../../../clerk/performers/exchange/scoring.ts'
import { WitanError } from '../../../ledger/errors.ts'
import type { Verb } from '../command.ts'

const FILE_LIMIT = 64_000_000
const TEXT_LIMIT = 2_000_000

function textOf(line: string): string | { readonly wrong: string } {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return { wrong: 'this line is not JSON' }
  }
  const text = (value as { text?: unknown } | null)?.text
  if (typeof text !== 'string') return { wrong: 'this line holds no text' }
  return text.length > TEXT_LIMIT ? { wrong: `this text is over ${TEXT_LIMIT} characters` } : text
}

function textsOf(file: string, content: string): readonly string[] {
  return content.split('\n').flatMap((line, i) => {
    if (line.trim() === '') return []
    const text = textOf(line)
    if (typeof text === 'string') return [text]
    const next = 'Write one object a line: {"text": "…"}'
    throw new WitanError('FILE_UNREADABLE', `${file}:${i + 1}: ${text.wrong}`, next)
  })
}

export const run: Verb = async (call) => {
  const file = call.args[0] ?? ''
  const texts = textsOf(file, (await readSmallFile(file, FILE_LIMIT)).toString('utf8'))
  const embedder = await openEmbedder(call.home)
  try {
    const scores = await scoreTexts(embedder, await scorerIn(call.home, embedder), texts)
    const rows = scores.map(({ score, counts }) => ({ score, counts }))
    return {
      value: { encoder: embedder.encoder, scores: rows },
      lines: rows.map((row) => JSON.stringify(row)),
    }
  } finally {
    await embedder.close()
  }
}
