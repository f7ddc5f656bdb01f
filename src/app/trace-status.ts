// How a trace is in words, where its protocol has words for it. One entry a protocol; its code is loaded only when
// a trace of it is shown.

import type { TraceStatus } from '../ledger/recorded.ts'
import type { Home } from './home/home.ts'

const STATUSES: Readonly<Record<string, () => Promise<(home: Home, trace: string) => Promise<TraceStatus>>>> =
  {
    'agents/1': async () => (await import('./agents/session-status.ts')).sessionStatus,
  }

/** Null for protocols that have no word for it. */
export async function statusOf(protocol: string, home: Home, trace: string): Promise<TraceStatus | null> {
  const load = Object.hasOwn(STATUSES, protocol) ? STATUSES[protocol] : undefined
  return load ? (await load())(home, trace) : null
}
