// An exchange is opened once, with valid terms, under one edition, and states truthfully whether it is scripted.

import { FIRST_EDITION } from '../../ledger/editions.ts'
import { dimensionOf } from '../../ledger/vector.ts'
import type { Occurrence, Refusal } from '../../protocol.ts'
import { editionOf, namedIn } from '../editions.ts'
import { payloadOf } from '../events.ts'
import type { ExchangeState } from '../state.ts'
import { isScripted, termsProblem } from '../terms.ts'
import { misshapen, order } from './refusals.ts'

/** An opening that says that no model is asked must have no model in its terms. */
function scriptedProblem(event: Occurrence): string | null {
  const { scripted, terms } = payloadOf(event, 'exchange_opened')
  if (scripted === undefined) return null
  if (namedIn(event.payload ?? {}) === FIRST_EDITION) return 'scripted is not of this edition'
  return isScripted(terms) ? null : 'a mind of a scripted demo is not scripted'
}

export function openingRefusal(state: ExchangeState, event: Occurrence): Refusal | null {
  if (state.terms || event.seq > 0) return order('an exchange is opened once, by its first event')
  const rules = editionOf({ edition: Number(namedIn(event.payload ?? {})) })
  const problem = termsProblem(event.payload?.terms, rules.signal)
  if (problem) return misshapen(`the terms are not sound: ${problem}`)
  const { edition, prompts } = event.payload ?? {}
  if (edition !== undefined && prompts !== undefined) return misshapen('the edition is named twice')
  const unscripted = scriptedProblem(event)
  if (unscripted) return misshapen(unscripted)
  return dimensionOf(String(event.payload?.encoder)) > 0 ? null : misshapen('the encoder names no dimension')
}
