// Text of others enters a prompt as data between two lines that it cannot contain: the lines have a mark
// drawn from the recorded seed and from the text, and it is drawn again until the text does not contain it.
// Anyone who has the seed and the text can draw the same mark, so a recorded prompt can be checked exactly.

import { type Sha256, toHex, utf8 } from '../bytes.ts'

const MARK_DIGITS = 16

const drawn = (sha256: Sha256, seed: string, place: string, turn: number): string =>
  toHex(sha256(utf8(`fence\n${seed}\n${place}\n${turn}`))).slice(0, MARK_DIGITS)

/** A mark for this place that does not occur in the text. */
export function markFor(sha256: Sha256, seed: string, place: string, words: string): string {
  for (let turn = 0; ; turn++) {
    const mark = drawn(sha256, seed, place, turn)
    if (!words.includes(mark)) return mark
  }
}

/**
 * Draws marks for one prompt only: of this asking, in this trace. A model that was shown marks could otherwise
 * tell another, in quoted text, how to close its fence.
 */
export const promptSeed = (seed: string, trace: string, action: string): string =>
  `${seed}\n${trace}\n${action}`

export interface Fence {
  readonly sha256: Sha256
  /** Recorded at the opening, and unknown to any author of the text. */
  readonly seed: string
}

/**
 * The text between two lines that name what it is. `kind` and `label` are ours: only letters, digits, blanks and a
 * few signs, so that no label can close or open anything.
 */
export function fenced({ sha256, seed }: Fence, kind: string, label: string, words: string): string {
  if (!/^[a-z][a-z-]*$/.test(kind) || !/^[\w .,:;#/()@+-]*$/.test(label)) {
    throw new RangeError('a fence is named by words that could break it')
  }
  const mark = markFor(sha256, seed, `${kind}\n${label}`, words)
  return `<${kind}-${mark} label="${label}">\n${words}\n</${kind}-${mark}>`
}
