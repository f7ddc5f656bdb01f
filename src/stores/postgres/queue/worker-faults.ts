// What a worker meets while it works, in words that may be kept and logged.

import { isWitanError, WitanError } from '../../../ledger/errors.ts'
import { withoutSecrets } from '../connection.ts'

const MOST_ERROR = 500

/** What was wrong and, where that is known, what to do. */
export function wordsOf(error: unknown): string {
  const next = error instanceof WitanError ? `; next: ${error.next}` : ''
  const words = `${error instanceof Error ? error.message : String(error)}${next}`
  return withoutSecrets(words).slice(0, MOST_ERROR)
}

/** The server was away: no fault of the trace. */
export const isAway = (error: unknown): boolean =>
  isWitanError(error, 'VAULT_UNREACHABLE') || isWitanError(error, 'VAULT_BUSY')

export const workerGivenUp = (): WitanError =>
  new WitanError(
    'INTERRUPTED',
    'this worker was silent for too long, and other workers have taken over its traces',
    'No action is needed: it rejoins by itself.',
  )
