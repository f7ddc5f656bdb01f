// The values of Cedar's rules, as far as they are judged here: booleans, whole numbers, texts, entities and
// sets of them. Anything else, and anything that Cedar would treat as an error, is undecided: only Cedar can
// tell.

import type { Json } from '../../ledger/canonical.ts'

export interface Entity {
  readonly type: string
  readonly id: string
}

export type Fields = { readonly [name: string]: Json }
export type Value = boolean | number | string | Entity | readonly Value[]

/** Only Cedar can tell. */
export class Undecided extends Error {}

export function undecided(): never {
  throw new Undecided()
}

export const isFields = (value: Json | undefined): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const fieldsIn = (value: Json | undefined): Fields => (isFields(value) ? value : undecided())
export const isTrue = (value: Value): boolean => (typeof value === 'boolean' ? value : undecided())
export const numberIn = (value: Value): number => (typeof value === 'number' ? value : undecided())
export const setIn = (value: Value): readonly Value[] => (isSet(value) ? value : undecided())
export const entityIn = (value: Value): Entity => (isEntity(value) ? value : undecided())

export const isSet = (value: Value): value is readonly Value[] => Array.isArray(value)
const isEntity = (value: Value): value is Entity => typeof value === 'object' && !isSet(value)

export function readEntity(value: Json | undefined): Entity {
  const { type, id } = fieldsIn(isFields(value) && '__entity' in value ? value.__entity : value)
  return typeof type === 'string' && typeof id === 'string' ? { type, id } : undecided()
}

/** Cedar knows whole numbers of 64 bits and texts without lone surrogates; others would be changed on the way to it. */
export function readValue(value: Json | undefined): Value {
  if (typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undecided()
  if (typeof value === 'string') return value.isWellFormed() ? value : undecided()
  if (Array.isArray(value)) return value.map(readValue)
  return isFields(value) && Object.keys(value).join() === '__entity' ? readEntity(value) : undecided()
}

/** Values of different kinds are unequal; a set has no order. */
export function areEqual(one: Value, other: Value): boolean {
  if (isSet(one) && isSet(other)) return holdsAll(one, other) && holdsAll(other, one)
  if (isEntity(one) && isEntity(other)) return one.type === other.type && one.id === other.id
  return one === other
}

export const holds = (set: readonly Value[], wanted: Value): boolean =>
  set.some((value) => areEqual(value, wanted))
export const holdsAll = (set: readonly Value[], wanted: readonly Value[]): boolean =>
  wanted.every((one) => holds(set, one))

/** The texts between the wildcards of a pattern. */
export function patternIn(value: Json | undefined): readonly string[] {
  if (!Array.isArray(value)) return undecided()
  const pieces = ['']
  for (const part of value as readonly Json[]) {
    if (part === 'Wildcard') {
      pieces.push('')
      continue
    }
    const { Literal: literal } = fieldsIn(part)
    if (typeof literal !== 'string') return undecided()
    pieces.push(`${pieces.pop()}${literal}`)
  }
  return pieces
}

/** Each piece is matched at its first place, which leaves most of the text for those after it. */
export function isLike(text: string, pieces: readonly string[]): boolean {
  const [first = '', ...rest] = pieces
  const last = rest.pop()
  if (last === undefined) return text === first
  if (!text.startsWith(first)) return false
  let at = first.length
  for (const piece of rest) {
    const index = text.indexOf(piece, at)
    if (index < 0) return false
    at = index + piece.length
  }
  return text.length - last.length >= at && text.endsWith(last)
}
