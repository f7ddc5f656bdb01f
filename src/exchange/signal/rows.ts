// What the scorer knows about a sentence, as one row of numbers: the encoder's vector, the hints of the lexicon
// and what follows from them together, its words and the parts they play, hashed.
// The order and number of these is the scorer's form: change anything here, in the lexicon, the vocabulary or the way
// sentences are cut, and `FORM` must change, so that older weights are not used.

import type { Vector } from '../../ledger/vector.ts'
import { gistOf, isForeign } from './gist.ts'
import { context, read } from './reading.ts'

export const FORM = 2

const HINT = 0.4
const [WORDS, WORD] = [512, 0.5]
const [GISTS, GIST] = [4096, 1.5]
/** Runs of so many parts, and pairs with up to so many between. */
const [RUN, APART] = [4, 7]
/** Hears English only: of other languages the parts that words play are all there is. */
const ENGLISH_ONLY = /^embedded:use-lite-en@/

/**
 * What the encoder heard comes first in a row, or nothing in its place, and a second time where the sentence speaks
 * of beginning again; of the rest only what is not zero is kept.
 */
export interface Row {
  readonly width: number
  /** The column at which it stands a second time, null where it does not. */
  readonly twice: number | null
  readonly heard: Float32Array
  readonly columns: Int32Array
  readonly values: Float64Array
}

/** FNV-1a: the same bucket everywhere, and no dependency for it. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193) >>> 0
  return (value ^ (value >>> 15)) >>> 0
}

/** Hashed into so many columns, signed, and of this length in all. */
function hashed(grams: Iterable<string>, columns: number, length: number): Map<number, number> {
  const counts = new Map<number, number>()
  for (const gram of grams) {
    const at = hash(gram)
    counts.set(at % columns, (counts.get(at % columns) ?? 0) + ((at >>> 20) % 2 ? 1 : -1))
  }
  let squares = 0
  for (const count of counts.values()) squares += count * count
  const scale = squares === 0 ? 0 : length / Math.sqrt(squares)
  return new Map([...counts].map(([at, count]) => [at, count * scale]))
}

/** Words and pairs of neighbours. */
function* wordsOf(sentence: string): Generator<string> {
  const found =
    sentence
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+(?:['’][\p{L}]+)?/gu) ?? []
  yield* found
  for (const [i, word] of [...found, '$'].entries()) yield `${found[i - 1] ?? '^'} ${word}`
}

/** Each run and each pair once. */
function partsOf(gist: readonly string[]): Set<string> {
  const grams = new Set<string>()
  for (let i = 0; i < gist.length; i++) {
    for (let n = 1; n <= RUN && i + n <= gist.length; n++) grams.add(gist.slice(i, i + n).join(' '))
    for (let n = 2; n <= APART && i + n < gist.length; n++) grams.add(`${gist[i]} … ${gist[i + n]}`)
  }
  return grams
}

/** Blocks of columns, one after the other, the first of them filled by the encoder. */
class Filling {
  readonly #heard: Float32Array
  readonly #twice: number | null
  readonly #columns: number[] = []
  readonly #values: number[] = []
  #width: number

  constructor(width: number, heard: Float32Array, isTwice: boolean) {
    this.#width = width * 2
    this.#heard = heard
    this.#twice = isTwice ? width : null
  }

  add(width: number, cells: Iterable<readonly [number, number]>): this {
    for (const [column, value] of cells) {
      this.#columns.push(this.#width + column)
      this.#values.push(value)
    }
    this.#width += width
    return this
  }

  get row(): Row {
    const [columns, values] = [Int32Array.from(this.#columns), Float64Array.from(this.#values)]
    return { width: this.#width, heard: this.#heard, twice: this.#twice, columns, values }
  }
}

const NOTHING = new Float32Array()

/** One row for each sentence of one message, from its vector. */
export function rowsOf(sentences: readonly string[], vectors: readonly Vector[]): Row[] {
  const [readings, many] = [sentences.map(read), sentences.length]
  return sentences.map((sentence, i) => {
    const { encoder, values } = vectors[i] ?? { encoder: '', values: NOTHING }
    const foreign = isForeign(sentence)
    const heard = foreign && ENGLISH_ONLY.test(encoder) ? NOTHING : values
    const place = [many > 1, many > 2, many > 3, many > 5, many > 1 && i === 0, many > 1 && i === many - 1]
    const told = [...(readings[i]?.features ?? []), ...context(readings, i), foreign, ...place]
    const hints = told.flatMap((yes, n) => (yes ? [[n, HINT] as const] : []))
    return new Filling(values.length, heard, readings[i]?.core === true)
      .add(told.length, hints)
      .add(WORDS, heard === NOTHING ? [] : hashed(wordsOf(sentence), WORDS, WORD))
      .add(GISTS, hashed(partsOf(gistOf(sentence)), GISTS, GIST)).row
  })
}
