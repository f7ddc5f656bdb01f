// The shape that the payload of a council's event must have, by its type and by its edition and reading.

import { FORKED } from '../ledger/fork.ts'
import { payloadCheck } from '../ledger/payload-check.ts'
import type { JsonSchema } from '../ledger/schema.ts'
import type { Occurrence } from '../protocol.ts'
import { OPENED } from './events.ts'
import { FORK, OPENED_IN_EDITION, PAYLOADS, READ_PAYLOADS } from './schema.ts'

function shapeOf({ type, payload }: Occurrence): JsonSchema | undefined {
  if (type === FORKED) return FORK
  if (type === OPENED && payload?.edition !== undefined) return OPENED_IN_EDITION
  const isRead = !Object.hasOwn(PAYLOADS, type) || (payload !== null && Object.hasOwn(payload, 'reading'))
  const shapes = isRead && Object.hasOwn(READ_PAYLOADS, type) ? READ_PAYLOADS : PAYLOADS
  return Object.hasOwn(shapes, type) ? shapes[type] : undefined
}

export const { misshapen, readable } = payloadCheck(shapeOf)
