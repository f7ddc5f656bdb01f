// Finds events by recorded words. The index only says where to look: what is shown is read from the record
// again, so that nothing erased, and nothing that an index invents, is ever shown.

import { WitanError } from '../../ledger/errors.ts'
import { type Outline, type Payload, readOutline } from '../../ledger/event.ts'
import { passageOf, readQuery, type SearchQuery } from '../../ledger/text/search.ts'
import { collectTexts, payloadIn, wordsOf } from '../../stores/searched-text.ts'
import type { Store } from '../../stores/store.ts'
import { type HomeLocation, withStore } from '../home/home.ts'
import { type Opening, readOpening, readOpenings } from './list-traces.ts'
import { readOutcome } from './outcome.ts'
import { sinceMoment } from './since.ts'
import { findTrace } from './trace-name.ts'

/** Which events to find, in addition to the words. */
export interface FindOptions {
  /** A date or a time, or how long ago: `2026-11-01`, `7d`. */
  readonly since?: string | null
  /** The seat, model or person whose text is searched. */
  readonly seat?: string | null
  /** `council`, `agents` or `exchange`. */
  readonly protocol?: string | null
  /** Only in traces whose council or verification had this result: `reject`, `pass`. */
  readonly verdict?: string | null
  /** Only of councils in this mode: `review`. */
  readonly mode?: string | null
  /** Only in traces that are known to have cost at least this much, in dollars. */
  readonly minCost?: number | null
  /** Only in this trace. */
  readonly trace?: string | null
  readonly limit?: number
}

/** An event that contains the words. */
export interface FoundEvent {
  readonly trace: string
  readonly seq: number
  readonly protocol: string
  readonly at: string
  readonly type: string
  /** The seat that it is about, else the agent who signed it. */
  readonly by: string
  /** The text around the first match, as recorded, on one line. */
  readonly passage: string
}

interface FoundTrace {
  readonly trace: string
  readonly opening: Omit<Opening, 'trace'> | null
}

/** What a search found. */
export interface Findings {
  readonly events: readonly FoundEvent[]
  /** The traces of the matches, in the order of their first match. */
  readonly traces: readonly FoundTrace[]
  /** Whether there are more matches than requested. */
  readonly hasMore: boolean
}

const LIMIT = 20
const PASSAGE = 160

const seatOf = ({ agent }: Outline, payload: Payload): string => {
  const named = payload.seat ?? payload.mind ?? payload.author
  return typeof named === 'string' ? named : agent
}

function passageIn(texts: readonly string[], query: SearchQuery): string | null {
  for (const text of texts) {
    const passage = passageOf(text, query, PASSAGE)
    if (passage !== null) return passage
  }
  return null
}

/** Whether a trace had the requested result; each is read once. Null when no result is requested. */
function outcomeFilter(
  store: Store,
  { verdict = null, mode = null, minCost = null }: FindOptions,
): ((trace: string) => Promise<boolean>) | null {
  if (verdict === null && mode === null && minCost === null) return null
  const known = new Map<string, Promise<boolean>>()
  const judge = async (trace: string): Promise<boolean> => {
    const outcome = await readOutcome(store, trace)
    return (
      (verdict === null || outcome.verdict === verdict) &&
      (mode === null || outcome.mode === mode) &&
      (minCost === null || (outcome.cost_usd ?? 0) >= minCost)
    )
  }
  return async (trace) => {
    const judged = known.get(trace) ?? judge(trace)
    known.set(trace, judged)
    return judged
  }
}

/** Openings that were too long to be delivered with every match are read now, once. */
async function withLongOpenings(
  store: Store,
  openings: ReadonlyMap<string, Opening | null>,
): Promise<readonly FoundTrace[]> {
  const missing = [...openings].filter(([, opening]) => opening === null).map(([trace]) => trace)
  const long = missing.length === 0 ? null : await readOpenings(store, missing)
  return [...openings].map(([trace, opening]) => ({ trace, opening: opening ?? long?.get(trace) ?? null }))
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
  const isWanted = (outline: Outline, by: string): boolean =>
    outline.at >= since &&
    (only === null || outline.trace === only) &&
    (seat === null || by === seat) &&
    (protocol === null || outline.protocol.split('/')[0] === protocol)
  const isWantedTrace = outcomeFilter(store, options)
  const events: FoundEvent[] = []
  const openings = new Map<string, Opening | null>()
  let hasMore = false
  search: for await (const some of store.find(query)) {
    for (const match of some) {
      const outline = readOutline(match.header)
      const payload = payloadIn(match.payload)
      // It cannot be read, or its payload was erased.
      if (outline === null || payload === null) continue
      const { trace, seq, protocol, at, type } = outline
      const by = seatOf(outline, payload)
      if (!isWanted(outline, by)) continue
      if (isWantedTrace && !(await isWantedTrace(trace))) continue
      // Awaited only where the words are in a text beside the event: a turn of the event loop for each would take
      // longest.
      const passage =
        passageIn(wordsOf(payload), query) ?? passageIn(await collectTexts(store, match.payload), query)
      if (passage === null) continue
      hasMore = events.length === limit
      if (hasMore) break search
      events.push({ trace, seq, protocol, at, type, by, passage })
      if (!openings.has(trace)) openings.set(trace, match.opening && readOpening(match.opening))
    }
  }
  return { events, traces: await withLongOpenings(store, openings), hasMore }
}

/** The events of a home that contain all the words, newest first. */
export const findEvents = (
  location: HomeLocation,
  words: string,
  options: FindOptions = {},
): Promise<Findings> => withStore(location, (store) => findIn(store, words, options))
