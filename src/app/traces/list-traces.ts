// What a home holds, newest first. Opens the store alone and loads nothing else, since people run it all the time;
// nothing is checked here.

import { type Payload, readHeader, readPayload } from '../../ledger/event.ts'
import type { Store, TraceSummary } from '../../stores/store.ts'
import { type HomeLocation, withHome, withStore } from '../home/home.ts'
import type { TraceOutcome } from './outcome.ts'
import { byActivity } from './trace-name.ts'

/** A trace of a home, with its first event, which says what it is about. */
export interface ListedTrace extends TraceSummary {
  /** Null where it was erased or cannot be read. */
  readonly opening: { readonly type: string; readonly payload: Payload } | null
}

/** The first event of a trace. */
export async function openingOf(store: Store, trace: string): Promise<ListedTrace['opening']> {
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

/** A longer trace is not read through for its line in a list. */
const MOST_EVENTS = 500

const AGENTS = 'agents/1'

/** How sessions stand: whether what is stored of one holds is seen only by folding it. */
const statesOf = (
  location: HomeLocation,
  traces: readonly Pick<TraceSummary, 'trace'>[],
): Promise<readonly (readonly [string, string])[]> =>
  withHome({ ...location, mode: 'read' }, async ({ ports }) => {
    const { stateOf } = await import('../agents/standing.ts')
    return Promise.all(traces.map(async ({ trace }) => [trace, await stateOf(ports, trace)] as const))
  })

/** What these traces came to, by their ids; those too long to be read for it are left out. */
export const outcomesOf = (
  location: HomeLocation,
  traces: readonly Pick<TraceSummary, 'trace' | 'size' | 'protocol'>[],
): Promise<ReadonlyMap<string, TraceOutcome>> =>
  withStore(location, async (store) => {
    const { outcomeOf } = await import('./outcome.ts')
    const outcomes = new Map<string, TraceOutcome>()
    const short = traces.filter(({ size }) => size <= MOST_EVENTS)
    for (const { trace } of short) outcomes.set(trace, await outcomeOf(store, trace))
    const sessions = short.filter(({ protocol }) => protocol === AGENTS)
    const states = sessions.length === 0 ? [] : await statesOf(location, sessions)
    for (const [trace, status] of states) {
      const known = outcomes.get(trace)
      if (known) outcomes.set(trace, { ...known, status })
    }
    return outcomes
  })
