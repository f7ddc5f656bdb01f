// The refusals of a session, each with its code.

import type { Lack, Refusal } from '../../protocol.ts'

const refusal =
  (code: Refusal['code']) =>
  (message: string, ...lacks: readonly Lack[]): Refusal =>
    lacks.length > 0 ? { code, message, lacks } : { code, message }

export const malformed = refusal('SCHEMA_INVALID')
export const outOfOrder = refusal('ORDER_VIOLATION')
export const notAllowed = refusal('ROLE_POLICY_VIOLATION')
export const unapproved = refusal('APPROVAL_MISSING')
export const unproven = refusal('CLAIM_UNPROVEN')

/** The guard of closing. */
export const notFinal = (message: string, ...lacks: readonly Lack[]): Refusal => ({
  ...outOfOrder(message, ...lacks),
  finalisation: true,
})
