// Words of others enter a prompt as data between two lines that they cannot write themselves: the lines carry a mark
// drawn from the recorded seed and from the words, and it is drawn again until the words do not hold it. Anyone who has
// the seed and the words can draw the same mark, so a recorded prompt can be checked to the letter.

import { type Sha256, toHex, utf8 } from '../bytes.ts'

const MARK_DIGITS = 16

const drawn = (sha256: Sha256, seed: string, place: string, turn: number): string =>
  toHex(sha256(utf8(`fence\n${seed}\n${place}\n${turn}`))).slice(0, MARK_DIGITS)

/** A mark for this place that is nowhere in the words. */
export function markFor(sha256: Sha256, seed: string, place: string, words: string): string {
  for (let turn = 0; ; turn++) {
    const mark = drawn(sha256, seed, place, turn)
    if (!words.includes(mark)) return mark
  }
}

/**
 * Draws the marks of one prompt alone: of this asking, in this trace. A model that was shown marks could otherwise tell
 * another, in words that are quoted to it, how to close what they stand in.
 */
export const promptSeed = (seed: string, trace: string, action: string): string =>
  `${seed}\n${trace}\n${action}`

export interface Fence {
  readonly sha256: Sha256
  /** Recorded at the opening, and unknown to anyone who wrote the words. */
  readonly seed: string
}

/**
 * The words between two lines that name what they are. `kind` and `label` are ours: of letters, digits, blanks and
 * a few signs only, so that no label can close or open anything.
 */
export function fenced({ sha256, seed }: Fence, kind: string, label: string, words: string): string {
  if (!/^[a-z][a-z-]*$/.test(kind) || !/^[\w .,:;#/()@+-]*$/.test(label)) {
    throw new RangeError('a fence is named by words that could break it')
  }
  const mark = markFor(sha256, seed, `${kind}\n${label}`, words)
  return `<${kind}-${mark} label="${label}">\n${words}\n</${kind}-${mark}>`
}
