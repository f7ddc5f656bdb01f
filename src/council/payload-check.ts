// Whether a payload has the shape of its event. What does not is refused, and folded as if it had been erased, so that
// nothing behind this point meets a member of the wrong kind. Judged once for each payload.

import { FORKED } from '../ledger/fork.ts'
import type { JsonSchema } from '../ledger/schema.ts'
import { misfit } from '../ledger/schema-fault.ts'
import type { Occurrence } from '../protocol.ts'
import { OPENED } from './events.ts'
import { FORK, OPENED_IN_EDITION, PAYLOADS, READ_PAYLOADS } from './schema.ts'

const judged = new WeakMap<object, string | null>()

function shapeOf({ type, payload }: Occurrence): JsonSchema | undefined {
  if (type === FORKED) return FORK
  if (type === OPENED && payload?.edition !== undefined) return OPENED_IN_EDITION
  const isRead = !Object.hasOwn(PAYLOADS, type) || (payload !== null && Object.hasOwn(payload, 'reading'))
  const shapes = isRead && Object.hasOwn(READ_PAYLOADS, type) ? READ_PAYLOADS : PAYLOADS
  return Object.hasOwn(shapes, type) ? shapes[type] : undefined
}

/** Null when it fits, or when the event is none whose payload a council reads. */
export function misshapen(event: Occurrence): string | null {
  const { payload } = event
  const schema = shapeOf(event)
  if (!schema || payload === null) return null
  const known = judged.get(payload)
  if (known !== undefined) return known
  const fault = misfit(schema, payload)
  judged.set(payload, fault)
  return fault
}

/** The event, without its payload when that has not the shape of one. */
export const readable = (event: Occurrence): Occurrence =>
  misshapen(event) === null ? event : { ...event, payload: null }
