// The first event of a trace, recorded beside running clerks. It is durable when it is acknowledged; the
// program waits for the disk in the background, in one flush with what others recorded meanwhile, so that
// hundreds of traces can begin at once.

import type { SealedEvent } from '../ledger/event.ts'
import type { Ports } from './ports.ts'
import { waitForTurn } from './take-turns.ts'
import type { Drafts, TraceLog } from './trace-log.ts'

/** Appends when it is one's turn; durable when this resolves. */
export async function openTrace<State>(
  { store }: Pick<Ports, 'store'>,
  log: TraceLog<State>,
  drafts: Drafts,
): Promise<readonly SealedEvent[]> {
  await waitForTurn()
  const events = await log.append(drafts, true)
  await store.settled()
  return events
}
