// Right or wrong, as a function of the item and the text of an answer. Null where that is unknown; an arm
// without an answer is wrong, not missing, otherwise silence would pay.

import type { Item } from '../sets/item.ts'
import { answerKey, markedAnswer, normalised, numberIn } from './read-final-answer.ts'

const CLOSE = 1e-6

/** Within a millionth of the target, so that 0.3333333 is a third. */
function isSameNumber(a: number, b: number): boolean {
  return Math.abs(a - b) <= CLOSE * Math.max(1, Math.abs(b))
}

const wordsOf = (text: string): string => markedAnswer(text) ?? text

const GRADERS: Readonly<Record<string, (item: Item, text: string) => boolean>> = {
  exact: ({ target }, text) => {
    const answer = normalised(wordsOf(text))
    return target.some((one) => normalised(one) === answer)
  },
  choice: (item, text) => {
    const letter = answerKey(item, text)
    return letter !== null && item.target.includes(letter)
  },
  numeric: ({ target }, text) => {
    const number = numberIn(wordsOf(text))
    return number !== null && target.some((one) => isSameNumber(number, numberIn(one) ?? Number.NaN))
  },
  contains: ({ target }, text) => {
    const answer = normalised(wordsOf(text))
    return target.some((one) => answer.includes(normalised(one)))
  },
  regex: ({ target }, text) => target.some((one) => new RegExp(one, 'iu').test(wordsOf(text))),
}

/** For graders that compare words and ask no model. */
export function gradeText(item: Item, text: string | null): boolean {
  if (text === null || text.trim() === '') return false
  return GRADERS[item.grader]?.(item, text) ?? false
}

/** A verdict of a model that compared two answers, in both orders. */
export type Judged = 'same' | 'different' | 'unsure' | null

/** Both orders must agree; otherwise it is not graded. */
export function gradeJudged(first: Judged, second: Judged): boolean | null {
  if (first !== second) return null
  if (first === 'same') return true
  return first === 'different' ? false : null
}
