// The three ways in which an exchange says no.

import type { Refusal } from '../../protocol.ts'

export const order = (message: string): Refusal => ({ code: 'ORDER_VIOLATION', message })
export const misshapen = (message: string): Refusal => ({ code: 'SCHEMA_INVALID', message })
/** Something earlier was not found; one of these may have held it, and been erased. */
export const lacking = (message: string, ...lacks: readonly string[]): Refusal => ({
  ...order(message),
  lacks,
})
