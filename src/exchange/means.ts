// How the observer acted. In the first edition only acts through a host record it; since the second every act
// of the observer does, and no other: a policy is not a person.

import { MEANS, type Means } from '../ledger/means.ts'
import type { Occurrence, Refusal } from '../protocol.ts'
import { editionOf, namedIn } from './editions.ts'
import { OBSERVER } from './events.ts'
import { EDITION, misshapen } from './refuse/refusals.ts'
import { speakersOf } from './schema.ts'

/** `key-file` was never recorded in an exchange. */
export type ActMeans = Exclude<Means, 'key-file'>
const SAID: readonly unknown[] = MEANS.filter((means) => means !== 'key-file')

/** How an act says it, under the rules of this exchange. */
export const markOf = (state: { readonly edition: number }, via: Means): { readonly via?: Means } =>
  editionOf(state).means === 'every' || via === 'host' ? { via } : {}

function problemIn({ actor, payload }: Occurrence, edition: number): string | null {
  const via = payload?.via
  if (editionOf({ edition }).means === 'host') {
    return via === undefined || via === 'host' ? null : 'via says nothing but host in this edition'
  }
  if (actor.role !== OBSERVER) return via === undefined ? null : 'a policy does not speak as a person does'
  if (via === undefined) return 'it does not say by what means the observer acted'
  return SAID.includes(via) ? null : 'by these means no observer acts'
}

export function meansRefusal(state: { readonly edition: number }, event: Occurrence): Refusal | null {
  if (!speakersOf(event.type)?.includes(OBSERVER)) return null
  const isOpening = event.type === 'exchange_opened'
  const edition = isOpening ? Number(namedIn(event.payload ?? {})) : state.edition
  const problem = problemIn(event, edition)
  return problem === null ? null : { ...misshapen(problem), ...(!isOpening && { lacks: [EDITION] }) }
}
