// Whether a payload has the shape of its event. What does not is refused, and folded as if it had been erased.

import { FORKED } from '../ledger/fork.ts'
import { misfit } from '../ledger/schema-fault.ts'
import type { Occurrence } from '../protocol.ts'
import { FORK, PAYLOADS } from './schema.ts'

const judged = new WeakMap<object, string | null>()

/** Null when it fits, or when the event is none of ours. */
export function misshapen({ type, payload }: Occurrence): string | null {
  const schema = type === FORKED ? FORK : Object.hasOwn(PAYLOADS, type) ? PAYLOADS[type] : undefined
  if (!schema || payload === null) return null
  const known = judged.get(payload)
  if (known !== undefined) return known
  const fault = misfit(schema, payload)
  judged.set(payload, fault)
  return fault
}

export const readable = (event: Occurrence): Occurrence =>
  misshapen(event) === null ? event : { ...event, payload: null }
