// Where an exchange goes on. One that was rolled back or went elsewhere says so among its last events, and stands still:
// they are read as recorded, without folding the whole trace. `continued` comes back to it.

import { readHeader, readPayload, type SealedEvent } from '../../ledger/event.ts'
import type { Store, TraceSummary } from '../../stores/store.ts'

/** An order is followed by what it changes and by the fork it made, and by nothing else. */
const LAST = 12

/** The trace that this event leads to; null where it comes back, undefined where it says nothing of it. */
function leadsTo(event: SealedEvent): string | null | undefined {
  const header = readHeader(event.header)
  if (typeof header === 'string') return undefined
  if (header.type === 'continued') return null
  if (header.type !== 'branch_ordered' && header.type !== 'signal_answered') return undefined
  const payload = event.payload && readPayload(event.payload)
  if (typeof payload !== 'object' || payload === null) return undefined
  const order = payload.branch as { readonly current?: unknown; readonly into?: unknown } | null | undefined
  return order?.current === true && typeof order.into === 'string' ? order.into : undefined
}

/** The trace itself, unless it is an exchange that goes on in another one of these. */
export async function currentBranch(
  store: Store,
  found: TraceSummary,
  all: readonly TraceSummary[],
): Promise<string> {
  // By name: the protocol itself would cost every command its time to load.
  if (!found.protocol.startsWith('exchange/')) return found.trace
  let into: string | null = null
  for await (const event of store.read(found.trace, Math.max(0, found.size - LAST))) {
    const led = leadsTo(event)
    if (led !== undefined) into = led
  }
  const next = all.find(({ trace }) => trace === into)
  return next ? currentBranch(store, next, all) : found.trace
}
