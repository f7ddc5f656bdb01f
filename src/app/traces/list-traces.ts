// The traces of a home, newest first. Opens only the store and loads nothing else, since people run it all
// the time; nothing is verified here.

import { isWitanError } from '../../ledger/errors.ts'
import { type Payload, readOutline } from '../../ledger/event.ts'
import { payloadIn } from '../../stores/searched-text.ts'
import type { EventText, Store, TraceSummary } from '../../stores/store.ts'
import { type Home, type HomeLocation, withHome, withStore } from '../home/home.ts'
import { readOutcome, type TraceOutcome } from './outcome.ts'
import { byActivity } from './trace-name.ts'

/** The first event of a trace, which says what it is about. */
export interface Opening {
  readonly trace: string
  readonly type: string
  readonly payload: Payload
}

/** A trace of a home. */
export interface ListedTrace extends TraceSummary {
  /** Null where it was erased or cannot be read. */
  readonly opening: Omit<Opening, 'trace'> | null
}

/** Null when it was erased or cannot be read. */
export function readOpening(text: EventText): Opening | null {
  const outline = readOutline(text.header)
  const payload = payloadIn(text.payload)
  return outline && payload && { trace: outline.trace, type: outline.type, payload }
}

/** The first events of those traces, by their ids; those that were erased or cannot be read are left out. */
export async function readOpenings(
  store: Store,
  traces: readonly string[],
): Promise<ReadonlyMap<string, Opening>> {
  const openings = new Map<string, Opening>()
  for (const text of await store.openings(traces)) {
    const opening = readOpening(text)
    if (opening) openings.set(opening.trace, opening)
  }
  return openings
}

/** The first event of a trace. */
export const findOpening = async (store: Store, trace: string): Promise<ListedTrace['opening']> =>
  (await readOpenings(store, [trace])).get(trace) ?? null

async function listIn(store: Store): Promise<readonly ListedTrace[]> {
  const traces = byActivity(await store.traces())
  const openings = await readOpenings(
    store,
    traces.map(({ trace }) => trace),
  )
  return traces.map((summary) => ({ ...summary, opening: openings.get(summary.trace) ?? null }))
}

/** Every trace of a home, newest first, including its registry. */
export const listTraces = (location: HomeLocation): Promise<readonly ListedTrace[]> =>
  withStore(location, listIn)

/** A longer trace is not read through for a row of the list. */
const MOST_EVENTS = 500

const AGENTS = 'agents/1'
const EXCHANGE = 'exchange/1'

/** Null for an exchange that cannot be folded: it is still listed. */
async function exchangeState(home: Home, trace: string): Promise<string | null> {
  const { exchangeStatus: standingOf } = await import('../exchange/open-exchange.ts')
  return standingOf(home, trace).catch((error: unknown) => {
    if (isWitanError(error)) return null
    throw error
  })
}

/**
 * The status of sessions and exchanges: whether one is valid, and whether it waits for a person, is known only
 * after folding it.
 */
const statesOf = (
  location: HomeLocation,
  traces: readonly Pick<TraceSummary, 'trace' | 'protocol'>[],
): Promise<readonly (readonly [string, string | null])[]> =>
  withHome({ ...location, mode: 'read' }, async (home) => {
    const { readSessionState } = await import('../agents/session-status.ts')
    return Promise.all(
      traces.map(async ({ trace, protocol }) => {
        const state = protocol === EXCHANGE ? exchangeState(home, trace) : readSessionState(home.ports, trace)
        return [trace, await state] as const
      }),
    )
  })

async function outcomesIn(
  store: Store,
  location: HomeLocation,
  traces: readonly Pick<TraceSummary, 'trace' | 'size' | 'protocol'>[],
): Promise<ReadonlyMap<string, TraceOutcome>> {
  const outcomes = new Map<string, TraceOutcome>()
  const short = traces.filter(({ size }) => size <= MOST_EVENTS)
  for (const { trace } of short) outcomes.set(trace, await readOutcome(store, trace))
  const folded = short.filter(({ protocol }) => protocol === AGENTS || protocol === EXCHANGE)
  const states = folded.length === 0 ? [] : await statesOf(location, folded)
  for (const [trace, status] of states) {
    const known = outcomes.get(trace)
    if (known && status !== null) outcomes.set(trace, { ...known, status })
  }
  return outcomes
}

/**
 * Every trace of a home, and the results of the `newest`, by their ids; those that are too long to be read for
 * this are left out.
 */
export const listOutcomes = (
  location: HomeLocation,
  newest: number,
): Promise<{
  readonly traces: readonly ListedTrace[]
  readonly outcomes: ReadonlyMap<string, TraceOutcome>
}> =>
  withStore(location, async (store) => {
    const traces = await listIn(store)
    return { traces, outcomes: await outcomesIn(store, location, traces.slice(0, newest)) }
  })
