// Where a session stands for its reader: its phase, or `failed` where what is stored does not hold.

import { WitanError } from '../../ledger/errors.ts'
import type { Home } from '../home/home.ts'
import { logOf } from './decide.ts'

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
