// Checks that the outcome of an asking says how the reply was read, where the edition requires it, and that it is
// asked again only once.

import type { Payload } from '../../ledger/event.ts'
import type { Refusal } from '../../protocol.ts'
import { isReaderVersion } from '../../reply/read-reply.ts'
import type { ReadingRecord } from '../../reply/reading-record.ts'
import { editionOf } from '../editions.ts'
import { incompleteFor } from '../prompts/completing.ts'
import type { SessionState } from '../state.ts'
import { malformed, outOfOrder } from './refusals.ts'

export function refuseReading(state: SessionState, type: string, payload: Payload): Refusal | null {
  const isRead = editionOf(state.task ?? {}).replies === 2
  const isIncomplete = type.endsWith('_incomplete')
  if (!isRead) return isIncomplete ? malformed(`there is no ${type} in this edition`) : null
  if (!Object.hasOwn(payload, 'reading')) return malformed(`${type} does not say how the reply was read`)
  const reading = payload.reading as (Payload & ReadingRecord) | null
  if (reading === null)
    return type.endsWith('_failed') ? null : malformed(`${type} does not say how the reply was read`)
  if (!isReaderVersion(reading.reader)) return malformed(`there is no reader ${String(reading.reader)} here`)
  return isIncomplete && incompleteFor(state, String(payload.action))
    ? outOfOrder('what the answer lacked was asked for already')
    : null
}
