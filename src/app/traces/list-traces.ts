// What a home holds, newest first. Opens the store alone and loads nothing else, since people run it all the time;
// nothing is checked here.

import { type Payload, readHeader, readPayload } from '../../ledger/event.ts'
import type { Store, TraceSummary } from '../../stores/store.ts'
import { type HomeLocation, withStore } from '../home/home.ts'
import { byActivity } from './trace-name.ts'

/** A trace of a home, with its first event, which says what it is about. */
export interface ListedTrace extends TraceSummary {
  /** Null where it was erased or cannot be read. */
  readonly opening: { readonly type: string; readonly payload: Payload } | null
}

async function openingOf(store: Store, trace: string): Promise<ListedTrace['opening']> {
  for await (const event of store.read(trace, 0, 1)) {
    const header = readHeader(event.header)
    const payload = event.payload && readPayload(event.payload)
    if (typeof header === 'string' || typeof payload !== 'object' || !payload) return null
    return { type: header.type, payload }
  }
  return null
}

/** Every trace of a home, newest first, its registry included. */
export const listTraces = (location: HomeLocation): Promise<readonly ListedTrace[]> =>
  withStore(location, async (store) =>
    Promise.all(
      byActivity(await store.traces()).map(async (summary) => ({
        ...summary,
        opening: await openingOf(store, summary.trace),
      })),
    ),
  )
