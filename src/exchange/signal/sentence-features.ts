// The features of a sentence, as one row of numbers: the encoder's vector, and its words and pairs of
// neighbouring words, hashed. Nothing about the position of the sentence. Their order and number is the
// scorer's form: after any change here, or in how sentences are cut, `FORM` must change, so that older
// weights are not used.

import type { Vector } from '../../ledger/vector.ts'

export const FORM = 3

const [WORDS, WORD] = [2048, 1]

/** The encoder's vector comes first in a row; of the rest only non-zero values are kept. */
export interface Row {
  readonly width: number
  readonly heard: Float32Array
  readonly columns: Int32Array
  readonly values: Float64Array
}

/** FNV-1a: the same bucket everywhere, without a dependency. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193) >>> 0
  return (value ^ (value >>> 15)) >>> 0
}

/** Words and pairs of neighbours, each once. */
function gramsOf(sentence: string): Set<string> {
  const words =
    sentence
      .normalize('NFC')
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[\p{L}\p{N}]+(?:'\p{L}+)?/gu) ?? []
  return new Set([...words, ...words.slice(1).map((word, i) => `${words[i]} ${word}`)])
}

/** Hashed into this many columns, signed, and normalized. */
function hashed(grams: Iterable<string>): readonly (readonly [column: number, value: number])[] {
  const counts = new Map<number, number>()
  for (const gram of grams) {
    const at = hash(gram)
    counts.set(at % WORDS, (counts.get(at % WORDS) ?? 0) + ((at >>> 20) % 2 ? 1 : -1))
  }
  let squares = 0
  for (const count of counts.values()) squares += count * count
  const scale = squares === 0 ? 0 : WORD / Math.sqrt(squares)
  return [...counts].map(([column, count]) => [column, count * scale])
}

const NOTHING = new Float32Array()

/** One row for each sentence of one message, from its vector. */
export function rowsOf(sentences: readonly string[], vectors: readonly Vector[]): Row[] {
  return sentences.map((sentence, i) => {
    const embedding = vectors[i]?.values ?? NOTHING
    const cells = hashed(gramsOf(sentence))
    return {
      width: embedding.length + WORDS,
      heard: embedding,
      columns: Int32Array.from(cells, ([column]) => embedding.length + column),
      values: Float64Array.from(cells, ([, value]) => value),
    }
  })
}
