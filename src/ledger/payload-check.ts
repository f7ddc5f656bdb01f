// Whether a payload has the shape of its event. One that does not is refused, and folded as if it had been
// erased, so that later code never meets a member of the wrong type. Checked once for each payload and shape.

import type { Occurrence } from '../protocol.ts'
import type { JsonSchema } from './schema.ts'
import { misfit } from './schema-fault.ts'

export interface PayloadCheck {
  /** Null when it fits, or when the protocol does not read the payload of this event. */
  misshapen(event: Occurrence): string | null
  /** The event, without its payload when that does not have the shape. */
  readable(event: Occurrence): Occurrence
}

export function payloadCheck(shapeOf: (event: Occurrence) => JsonSchema | undefined): PayloadCheck {
  const judged = new WeakMap<object, { readonly schema: JsonSchema; readonly fault: string | null }>()
  const misshapen = (event: Occurrence): string | null => {
    const { payload } = event
    const schema = shapeOf(event)
    if (!schema || payload === null) return null
    const known = judged.get(payload)
    if (known?.schema === schema) return known.fault
    const fault = misfit(schema, payload)
    judged.set(payload, { schema, fault })
    return fault
  }
  return {
    misshapen,
    readable: (event) => (misshapen(event) === null ? event : { ...event, payload: null }),
  }
}
