// The shape that the payload of an evaluation's event must have, by its type.

import { FORKED } from '../ledger/fork.ts'
import { payloadCheck } from '../ledger/payload-check.ts'
import { FORK, PAYLOADS } from './schema.ts'

export const { misshapen, readable } = payloadCheck(({ type }) =>
  type === FORKED ? FORK : Object.hasOwn(PAYLOADS, type) ? PAYLOADS[type] : undefined,
)
