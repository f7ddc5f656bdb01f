// A run whose store is gone in the middle of it: nothing is lost, and whoever meets the fault learns how to go on.

import { type ErrorCode, isWitanError, WitanError } from '../ledger/errors.ts'

const GONE: readonly ErrorCode[] = ['VAULT_UNREACHABLE', 'VAULT_BUSY', 'DISK_FULL', 'HOME_READONLY']

/** The fault, with the command that goes on with the trace once the store is there again. */
export function stranded(error: unknown, trace: string): unknown {
  const code = GONE.find((known) => isWitanError(error, known))
  if (!code || !(error instanceof WitanError)) return error
  const next = `What was recorded is kept. When the store can be written again, go on with: witan resume ${trace}`
  return new WitanError(code, error.message, next, { cause: error })
}
