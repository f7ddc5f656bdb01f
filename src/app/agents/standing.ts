// Where a session stands for its reader: its phase, or `failed` where what is stored does not hold.

import { isHeldUp } from '../../agents/proposal-progress.ts'
import { cameTo, resultOf } from '../../agents/result.ts'
import type { Ports } from '../../clerk/ports.ts'
import { isWitanError, WitanError } from '../../ledger/errors.ts'
import type { Home } from '../home/home.ts'
import { logOf, pendingIn } from './decide.ts'

/** How a session stands, in a word that is true of it: `tampered` where what is stored does not hold. */
export async function stateOf(ports: Ports, trace: string): Promise<string> {
  let log: Awaited<ReturnType<typeof logOf>>
  try {
    log = await logOf(ports, trace)
  } catch (error) {
    if (!(error instanceof WitanError)) throw error
    return isWitanError(error, 'EDITION_UNKNOWN') ? 'unknown edition' : 'tampered'
  }
  const state = log.state.inner
  if (log.flaw) return 'tampered'
  if (log.protocol.finished(log.state)) return cameTo(resultOf(trace, state))
  if (isHeldUp(state)) return 'blocked'
  return pendingIn(log).length > 0 ? 'waiting' : 'open'
}

export interface Standing {
  readonly status: string
  /** Why, where what is stored does not hold. */
  readonly reason: string | null
}

export async function standingOf({ ports }: Home, trace: string): Promise<Standing> {
  try {
    const { flaw, state } = await logOf(ports, trace)
    return flaw ? { status: 'failed', reason: flaw.message } : { status: state.inner.phase, reason: null }
  } catch (error) {
    // Not even the chain can be read; that is for the reader to know, not a reason to show nothing.
    if (!(error instanceof WitanError)) throw error
    return { status: 'failed', reason: error.message }
  }
}
