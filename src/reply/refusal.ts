// Whether a text refuses to answer. A refusal is short, begins as one, and says nothing else; an answer that
// merely contains the words is none.

import type { JsonNode } from './json-node.ts'
import { ENGLISH, ENGLISH_ANSWER, OTHER_ANSWER, OTHER_LANGUAGES, POLITENESS } from './refusal-phrases.ts'

const MOST_CHARS = 1_200
const MOST_POLITENESS = 3
const REFUSAL_MEMBERS = new Set(['error', 'refusal', 'message', 'reason', 'type', 'code'])

const firstSentence = (text: string): string => /^[^.!。！\n]*/.exec(text)?.[0] ?? ''

export function isRefusal(text: string): boolean {
  const trimmed = text.trim()
  if (trimmed.length > MOST_CHARS) return false
  const whole = trimmed
    .toLowerCase()
    .replaceAll(/[’‘]/g, "'")
    .replaceAll(/[*_#"]+/g, '')
    .trim()
  const sentence = firstSentence(whole)
  if (OTHER_LANGUAGES.some((pattern) => pattern.test(whole)) && !OTHER_ANSWER.test(sentence)) return true
  let rest = whole
  for (let i = 0; i < MOST_POLITENESS; i++) rest = rest.replace(POLITENESS, '')
  return ENGLISH.some((pattern) => pattern.test(rest)) && !ENGLISH_ANSWER.test(firstSentence(rest))
}

/** An object that only contains words of refusal. */
export function isRefusalObject(node: JsonNode): boolean {
  if (node.kind !== 'object' || node.members.length === 0) return false
  return (
    node.members.every(({ name }) => REFUSAL_MEMBERS.has(name.toLowerCase())) &&
    node.members.some(({ value }) => value.kind === 'text' && isRefusal(value.value))
  )
}
