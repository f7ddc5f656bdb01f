// Confidence in any unit, read as low, medium or high. Never more than was clearly stated: an unreadable value is
// low.

import type { JsonNode } from './json-node.ts'
import { foldWord } from './words.ts'

const LEVELS = ['low', 'medium', 'high'] as const
export type Level = (typeof LEVELS)[number]

const LEAST_HIGH = 0.75
const LEAST_MEDIUM = 0.4

const SAME_AS: Readonly<Record<string, Level>> = {
  low: 'low',
  'very low': 'low',
  medium: 'medium',
  moderate: 'medium',
  mid: 'medium',
  high: 'high',
  'very high': 'high',
}

const MEASURE = /^(\d+(?:\.\d+)?)\s*(?:(%)|\/\s*(\d+(?:\.\d+)?))?(?![\d.])/
const BETWEEN = / (?:to|or|and) |\s*\/\s*/

const levelOf = (share: number): Level => {
  if (share >= LEAST_HIGH) return 'high'
  return share >= LEAST_MEDIUM ? 'medium' : 'low'
}

function shareOf(number: number): number | null {
  if (number < 0 || number > 100) return null
  return number > 1 ? number / 100 : number
}

function fromText(text: string): Level | null {
  const folded = foldWord(text)
  const [, digits, percent, whole] = MEASURE.exec(folded) ?? []
  if (digits !== undefined) {
    const number = Number(digits)
    if (percent !== undefined) return number <= 100 ? levelOf(number / 100) : null
    if (whole !== undefined) return number <= Number(whole) ? levelOf(number / Number(whole)) : null
    const share = shareOf(number)
    return share === null ? null : levelOf(share)
  }
  return fromWords(folded.replace(/ ?\(.*$/, '').replace(/ confidence$/, ''))
}

/** Of two words the lower: `medium high`, `low to medium`. */
function fromWords(folded: string): Level | null {
  if (Object.hasOwn(SAME_AS, folded)) return SAME_AS[folded] ?? null
  const parts = folded
    .split(BETWEEN)
    .flatMap((part) => (Object.hasOwn(SAME_AS, part) ? [part] : part.split(' ')))
  const levels = parts.map((part) => (Object.hasOwn(SAME_AS, part) ? SAME_AS[part] : undefined))
  return LEVELS.find((level) => !levels.includes(undefined) && levels.includes(level)) ?? null
}

/** Null when no confidence can be read. */
export function confidenceOf(node: JsonNode): Level | null {
  if (node.kind === 'text') return node.value.length > 200 ? null : fromText(node.value)
  if (node.kind !== 'number') return null
  const share = shareOf(node.value)
  return share === null ? null : levelOf(share)
}
