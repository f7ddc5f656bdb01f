// The final answer in a text: the words after the last `ANSWER:`, otherwise what the grader would look for.
// The same reading for every arm and every form of answer.

import type { Item } from '../sets/item.ts'

/** How the answer is asked for, in fixed words; shown to every arm alike. */
export function answerWords({ grader, choices }: Pick<Item, 'grader' | 'choices'>): string | null {
  const where = 'on a line of its own at the end of your recommendation or conclusion'
  switch (grader) {
    case 'choice':
      return `Give the final answer ${where}, as ANSWER: and the letter of one choice (A to ${String.fromCharCode(64 + choices.length)}).`
    case 'numeric':
      return `Give the final answer ${where}, as ANSWER: and the number alone.`
    case 'exact':
    case 'contains':
    case 'regex':
      return `Give the final answer ${where}, as ANSWER: and the answer alone, as short as possible.`
    default:
      return null
  }
}

const MARK = /^[\s>*_#-]*(?:final\s+)?answer\s*[*_]*\s*[:=]\s*(.+)$/gim
const BARE = /[*_`"'“”‘’$]/g

/** The words after the last mark; null where there is none. */
export function markedAnswer(text: string): string | null {
  const last = [...text.matchAll(MARK)].at(-1)?.[1]
  // A model that writes everything on one line still marks its answer.
  const inline = last ?? /\banswer\s*[:=]\s*([^\n]+)$/i.exec(text.trim())?.[1]
  const words = inline?.replaceAll(BARE, '').trim()
  return words === undefined || words === '' ? null : words
}

const NUMBER = /[-−+]?\$?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?%?|[-−+]?\.\d+/gi

/** A number as people write it; null where it is none. */
export function numberIn(text: string): number | null {
  const last = [...text.matchAll(NUMBER)].at(-1)?.[0]
  if (last === undefined) return null
  const value = Number(last.replaceAll(/[,$%]/g, '').replace('−', '-'))
  return Number.isFinite(value) ? value : null
}

/** The letter of a choice: alone, in brackets, or before its text. */
function letterIn(text: string, choices: readonly string[]): string | null {
  const last = String.fromCharCode(64 + choices.length)
  const alone = new RegExp(`^\\(?([A-${last}])\\)?(?:[).:,\\s]|$)`, 'i').exec(text.trim())?.[1]
  if (alone) return alone.toUpperCase()
  const place = choices.findIndex((choice) => normalised(choice) === normalised(text))
  if (place >= 0) return String.fromCharCode(65 + place)
  const named = [...text.matchAll(new RegExp(`\\(([A-${last}])\\)|\\b([A-${last}])\\b(?=[).:])`, 'g'))].at(-1)
  return named?.[1] ?? named?.[2] ?? null
}

/** Case, articles, punctuation at the ends and blanks are ignored. */
export const normalised = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[*_`"'“”‘’]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/^(?:the|a|an) /, '')
    .replace(/^[([{]+|[)\]}.,;:!?]+$/g, '')
    .trim()

const MOST_KEY = 160

/** The key by which answers are compared: equal keys are the same answer. Null where nothing was answered. */
export function answerKey(
  { grader, choices }: Pick<Item, 'grader' | 'choices'>,
  text: string,
): string | null {
  const marked = markedAnswer(text)
  const words = marked ?? text
  if (grader === 'choice') return letterIn(words, choices)
  if (grader === 'numeric') {
    const value = numberIn(words)
    return value === null ? null : String(value)
  }
  const key = normalised(words).slice(0, MOST_KEY).toWellFormed()
  return key === '' ? null : key
}
