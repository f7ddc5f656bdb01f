// `witan exchange score`: what the detector of restart requests makes of each text of a file.

import { scoreTexts } from '../../../clerk/exchange/scoring.ts'
import { WitanError } from '../../../ledger/errors.ts'
import { scorerIn } from '../../exchange/scorers.ts'
import { openSense } from '../../exchange/senses.ts'
import { readSmallFile } from '../../file.ts'
import type { Verb } from '../command.ts'

function textsOf(file: string, content: string): readonly string[] {
  const lines = content.split('\n').filter((line) => line.trim() !== '')
  return lines.map((line, i) => {
    let text: unknown
    try {
      text = (JSON.parse(line) as { text?: unknown } | null)?.text
    } catch {
      text = undefined
    }
    if (typeof text === 'string') return text
    const next = 'Write one object a line: {"text": "…"}'
    throw new WitanError('FILE_UNREADABLE', `${file}:${i + 1}: this line holds no text`, next)
  })
}

export const run: Verb = async (call) => {
  const file = call.args[0] ?? ''
  const texts = textsOf(file, (await readSmallFile(file)).toString('utf8'))
  const sense = await openSense(call.home)
  try {
    const scores = await scoreTexts(sense, await scorerIn(call.home, sense), texts)
    const rows = scores.map(({ score, counts }) => ({ score, counts }))
    return { value: { encoder: sense.encoder, scores: rows }, lines: rows.map((row) => JSON.stringify(row)) }
  } finally {
    await sense.close()
  }
}
