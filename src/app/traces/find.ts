// Finds events by the words recorded in them. The index only says where to look: what is shown is read from the record
// again, so that nothing erased, and nothing that an index makes up, is ever shown.

import { WitanError } from '../../ledger/errors.ts'
import { type Header, type Payload, readHeader, type SealedEvent } from '../../ledger/event.ts'
import { passageOf, readQuery, type SearchQuery } from '../../ledger/text/search.ts'
import { payloadIn, textsOf, wordsOf } from '../../stores/searched-text.ts'
import type { Store } from '../../stores/store.ts'
import { type HomeLocation, withStore } from '../home/home.ts'
import { openingOf } from './list-traces.ts'
import { outcomeOf } from './outcome.ts'
import { sinceMoment } from './since.ts'
import { findTrace } from './trace-name.ts'

/** Which events to find, besides the words. */
export interface FindOptions {
  /** A date or a moment, or how long ago: `2026-11-01`, `7d`. */
  readonly since?: string | null
  /** The seat, mind or person whose words are wanted. */
  readonly seat?: string | null
  /** `council`, `agents` or `exchange`. */
  readonly protocol?: string | null
  /** Only in traces whose council or verification came to this: `reject`, `pass`. */
  readonly verdict?: string | null
  /** Only of councils in this mode: `review`. */
  readonly mode?: string | null
  /** Only in traces that are known to have cost at least this much, in dollars. */
  readonly minCost?: number | null
  /** Only in this trace. */
  readonly trace?: string | null
  readonly limit?: number
}

/** An event in which the words stand. */
export interface FoundEvent {
  readonly trace: string
  readonly seq: number
  readonly protocol: string
  readonly at: string
  readonly type: string
  /** The seat it tells of, else the agent who signed it. */
  readonly by: string
  /** The words around the first one found, as they were recorded, on one line. */
  readonly passage: string
}

export interface FoundTrace {
  readonly trace: string
  readonly opening: { readonly type: string; readonly payload: Payload } | null
}

/** What a search found. */
export interface Findings {
  readonly events: readonly FoundEvent[]
  /** The traces they stand in, in the order of their first hit. */
  readonly traces: readonly FoundTrace[]
  /** Whether there are more than were asked for. */
  readonly hasMore: boolean
}

const LIMIT = 20
const PASSAGE = 160

const seatOf = (header: Header, payload: Payload | string | null): string => {
  const named =
    typeof payload === 'object' && payload ? (payload.seat ?? payload.mind ?? payload.author) : null
  return typeof named === 'string' ? named : header.actor.agent
}

function passageIn(texts: readonly string[], query: SearchQuery): string | null {
  for (const text of texts) {
    const passage = passageOf(text, query, PASSAGE)
    if (passage !== null) return passage
  }
  return null
}

/** Null when the words do not stand there. */
async function shown(store: Store, query: SearchQuery, event: SealedEvent): Promise<FoundEvent | null> {
  const header = readHeader(event.header)
  if (typeof header === 'string') return null
  const payload = payloadIn(event.payload)
  const inPayload = payload && passageIn(wordsOf(payload), query)
  const passage = inPayload ?? passageIn(await textsOf(store, event.payload), query)
  if (passage === null) return null
  const { trace, seq, protocol, at, type } = header
  return { trace, seq, protocol, at, type, by: seatOf(header, payload), passage }
}

/** Whether a trace came to what is looked for; each is read once, and none when nothing is asked of it. */
function outcomeFilter(
  store: Store,
  { verdict = null, mode = null, minCost = null }: FindOptions,
): (trace: string) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>()
  const judge = async (trace: string): Promise<boolean> => {
    const outcome = await outcomeOf(store, trace)
    return (
      (verdict === null || outcome.verdict === verdict) &&
      (mode === null || outcome.mode === mode) &&
      (minCost === null || (outcome.cost_usd ?? 0) >= minCost)
    )
  }
  return async (trace) => {
    if (verdict === null && mode === null && minCost === null) return true
    const judged = known.get(trace) ?? judge(trace)
    known.set(trace, judged)
    return judged
  }
}

/** The events of an open store. */
export async function findIn(store: Store, words: string, options: FindOptions): Promise<Findings> {
  const query = readQuery(words)
  if (query.length === 0) {
    const next = 'Give words, "words in quotes" or the beginning of one: witan find move*'
    throw new WitanError('USAGE', `there is no word to look for in '${words}'`, next)
  }
  const { seat = null, protocol = null, limit = LIMIT } = options
  const since = sinceMoment(options.since)
  const only = options.trace ? await findTrace(store, options.trace) : null
  const isWanted = (event: FoundEvent): boolean =>
    event.at >= since &&
    (seat === null || event.by === seat) &&
    (protocol === null || event.protocol.split('/')[0] === protocol)
  const isWantedTrace = outcomeFilter(store, options)
  const events: FoundEvent[] = []
  let hasMore = false
  for await (const { trace, event: sealed } of store.find(query)) {
    if (only !== null && trace !== only) continue
    const event = await shown(store, query, sealed)
    if (!event || !isWanted(event) || !(await isWantedTrace(trace))) continue
    hasMore = events.length === limit
    if (hasMore) break
    events.push(event)
  }
  const named = [...new Set(events.map(({ trace }) => trace))]
  const traces = await Promise.all(
    named.map(async (trace) => ({ trace, opening: await openingOf(store, trace) })),
  )
  return { events, traces, hasMore }
}

/** The events of a home in which all the words stand, newest first. */
export const findEvents = (
  location: HomeLocation,
  words: string,
  options: FindOptions = {},
): Promise<Findings> => withStore(location, (store) => findIn(store, words, options))
