// The status of a trace as text, where its protocol has one. One entry for each protocol; its code is loaded
// only when such a trace is shown.

import type { TraceStatus } from '../ledger/recorded.ts'
import type { Home } from './home/home.ts'

const STATUSES: Readonly<Record<string, () => Promise<(home: Home, trace: string) => Promise<TraceStatus>>>> =
  {
    'agents/1': async () => (await import('./agents/session-status.ts')).sessionStatus,
  }

/** Null for protocols without a status text. */
export async function readStatus(protocol: string, home: Home, trace: string): Promise<TraceStatus | null> {
  const load = Object.hasOwn(STATUSES, protocol) ? STATUSES[protocol] : undefined
  return load ? (await load())(home, trace) : null
}
