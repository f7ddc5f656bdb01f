// What the scorer knows about a sentence, as one row of numbers: the encoder's vector, the hints of the lexicon and
// what follows from them together, what the sentences around it say, and its words, hashed. The order and number of
// these is the scorer's form: change anything here and `FORM` must change, so that older weights are not used.

import type { Vector } from '../../ledger/vector.ts'
import { type Hints, hintsOf } from './lexicon.ts'

export const FORM = 1

const HINT = 0.4
const WORD = 0.5
const BUCKETS = 512

interface Reading {
  readonly hints: Hints
  /** Speaks of beginning again or of other terms at all. */
  readonly core: boolean
  readonly refused: boolean
  /** Asks for it, of nothing else, and does not refuse it. */
  readonly plea: boolean
  readonly features: readonly boolean[]
}

function read(sentence: string): Reading {
  const hints = hintsOf(sentence)
  const is = (name: string): boolean => hints[name] === true
  const core = is('again') || is('terms') || is('foreignAgain')
  const request = is('asking') || is('suggesting') || is('outset') || is('foreignAsking')
  const near = is('askingBefore') || is('suggestingBefore') || is('opensWith')
  const denied = is('negatedBefore') || is('condemnedAfter') || (is('foreignNot') && is('foreignAgain'))
  const refused = denied && !is('invited')
  const off = is('machineNear') || is('elsewhereNear') || is('argumentNear')
  const clean = core && !refused && !off
  const withCore = 'staying regretting reporting pondering machine elsewhere argument ours quoting refusing'
  const features = [
    ...Object.values(hints),
    core,
    request,
    core && request,
    core && refused,
    ...withCore.split(' ').map((name) => core && is(name)),
    clean && request,
    clean && near,
    clean && near && is('ours'),
    clean && is('oursNear'),
    clean && is('terms'),
    clean && is('foreignAsking'),
    refused,
    core && off,
    core && off && !is('oursNear'),
    clean && !is('reporting') && !is('pondering'),
    clean && is('asked'),
    refused && is('asked'),
    !core && is('staying'),
    !core && request,
    !core && is('argument'),
    core && is('judged') && !request,
  ]
  return { hints, core, refused, plea: clean && request, features }
}

/** What the other sentences of the message say about this one. */
function context(readings: readonly Reading[], at: number): readonly boolean[] {
  const core = readings[at]?.core === true
  const others = readings.filter((_, i) => i !== at)
  const some = (name: string): boolean => others.some(({ hints }) => hints[name])
  const next = (name: string): boolean => readings[at + 1]?.hints[name] === true
  const plea = others.some((other) => other.plea)
  return [
    others.length > 0,
    core && some('refusing'),
    core && some('staying'),
    others.some((other) => other.core),
    core && next('refusing'),
    core && next('staying'),
    core && next('regretting'),
    core && next('denying'),
    core && next('denying') && readings[at]?.hints.asked === true,
    core && readings[at - 1]?.hints.denying === true,
    core && some('reporting'),
    others.some((other) => other.refused),
    core && plea,
    !core && plea,
  ]
}

/** FNV-1a: the same bucket everywhere, and no dependency for it. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193) >>> 0
  return (value ^ (value >>> 15)) >>> 0
}

/** Words and pairs of neighbours, signed and hashed, of length one. */
function wordsOf(sentence: string): Float64Array {
  const found =
    sentence
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+(?:['’][\p{L}]+)?/gu) ?? []
  const counts = new Float64Array(BUCKETS)
  const count = (gram: string): void => {
    const at = hash(gram)
    counts[at % BUCKETS] = (counts[at % BUCKETS] ?? 0) + ((at >>> 20) % 2 ? 1 : -1)
  }
  for (const word of found) count(word)
  for (const [i, word] of [...found, '$'].entries()) count(`${found[i - 1] ?? '^'} ${word}`)
  const length = Math.sqrt(counts.reduce((sum, count) => sum + count * count, 0))
  return counts.map((count) => (length === 0 ? 0 : count / length))
}

/** One row for each sentence of one message, from its vector. */
export function rowsOf(sentences: readonly string[], vectors: readonly Vector[]): Float64Array[] {
  const readings = sentences.map(read)
  return sentences.map((sentence, i) => {
    const heard = vectors[i]?.values ?? []
    const told = [...(readings[i]?.features ?? []), ...context(readings, i)]
    const row = new Float64Array(heard.length + told.length + BUCKETS)
    row.set(heard)
    for (const [n, yes] of told.entries()) if (yes) row[heard.length + n] = HINT
    const words = wordsOf(sentence)
    for (let n = 0; n < BUCKETS; n++) row[heard.length + told.length + n] = (words[n] as number) * WORD
    return row
  })
}
