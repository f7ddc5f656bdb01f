// The traces of a home as a console lists them: the subject of each, and whether it waits for a person, is
// running, or is over. A trace is read again only when it has grown; whether its clerk still runs is checked
// every time.

import { AGENTS_PROTOCOL } from '../../agents/agents.ts'
import { EXCHANGE_PROTOCOL } from '../../exchange/exchange.ts'
import { CALL_STARTED } from '../../ledger/calls.ts'
import { isWitanError } from '../../ledger/errors.ts'
import { REGISTRY_PROTOCOL, readHeader, readPayload } from '../../ledger/event.ts'
import type { Store, TraceSummary } from '../../stores/store.ts'
import type { Home } from '../home/home.ts'
import { findOpening, type ListedTrace } from '../traces/list-traces.ts'
import { readOutcome, type TraceOutcome } from '../traces/outcome.ts'
import { byActivity } from '../traces/trace-name.ts'

type Standing = 'waiting' | 'running' | 'open' | 'over'

/** A trace as a row of the list. */
export interface TraceRow extends ListedTrace {
  readonly standing: Standing
  /** How many decisions are pending. */
  readonly waits: number
  /** Null for a trace that is too long to be read for this. */
  readonly outcome: TraceOutcome | null
}

interface Known {
  readonly hash: string
  readonly opening: ListedTrace['opening']
  readonly outcome: TraceOutcome | null
  readonly waits: number
  readonly isOver: boolean
  /** Who began the last call. */
  readonly clerk: string | null
}

/** A longer trace is not read through for a row of the list. */
const MOST_EVENTS = 2_000
/** Where the clerk of an open trace is looked up. */
const TAIL = 64

async function lastClerk(store: Store, { trace, size }: TraceSummary): Promise<string | null> {
  let clerk: string | null = null
  for await (const event of store.read(trace, Math.max(0, size - TAIL))) {
    const header = readHeader(event.header)
    if (typeof header === 'string' || header.type !== CALL_STARTED || !event.payload) continue
    const payload = readPayload(event.payload)
    if (typeof payload === 'object' && typeof payload.clerk === 'string') clerk = payload.clerk
  }
  return clerk
}

/** Null where stored events cannot be folded: the trace is still listed. */
async function ifFoldable<Value>(fold: () => Promise<Value>): Promise<Value | null> {
  try {
    return await fold()
  } catch (error) {
    if (isWitanError(error)) return null
    throw error
  }
}

/** How many decisions are pending in it; -1 when it is over. */
async function awaited(home: Home, { trace, protocol }: TraceSummary): Promise<number> {
  if (protocol === AGENTS_PROTOCOL) {
    const { openLog, pendingIn } = await import('../agents/decide.ts')
    const log = await openLog(home.ports, trace)
    return log.protocol.finished(log.state) ? -1 : pendingIn(log).length
  }
  if (protocol !== EXCHANGE_PROTOCOL) return 0
  const { exchangeStatus: standingOf } = await import('../exchange/open-exchange.ts')
  const standing = await standingOf(home, trace)
  if (standing === 'halted' || standing === 'branched') return -1
  return standing === 'waiting' ? 1 : 0
}

async function lookAt(home: Home, summary: TraceSummary): Promise<Known> {
  const { store } = home
  const { trace, protocol, size } = summary
  const opening = await findOpening(store, trace)
  const { hash } = summary.last
  if (protocol === REGISTRY_PROTOCOL)
    return { hash, opening, outcome: null, waits: 0, isOver: true, clerk: null }
  const outcome = size <= MOST_EVENTS ? await readOutcome(store, trace) : null
  const ended = outcome !== null && outcome.status !== 'open'
  const waits = ended ? -1 : ((await ifFoldable(() => awaited(home, summary))) ?? 0)
  const isOver = ended || waits < 0
  const clerk = isOver ? null : await lastClerk(store, summary)
  return { hash, opening, outcome, waits: Math.max(0, waits), isOver, clerk }
}

export class TraceRows {
  readonly #home: Home
  readonly #known = new Map<string, Known>()

  constructor(home: Home) {
    this.#home = home
  }

  /** Newest first, the registry included. */
  async list(): Promise<readonly TraceRow[]> {
    const rows: TraceRow[] = []
    const summaries = byActivity(await this.#home.store.traces())
    for (const summary of summaries) rows.push(await this.#row(summary))
    const there = new Set(summaries.map(({ trace }) => trace))
    for (const trace of this.#known.keys()) if (!there.has(trace)) this.#known.delete(trace)
    return rows
  }

  async #row(summary: TraceSummary): Promise<TraceRow> {
    const before = this.#known.get(summary.trace)
    const known = before?.hash === summary.last.hash ? before : await lookAt(this.#home, summary)
    this.#known.set(summary.trace, known)
    const { opening, outcome, waits, clerk, isOver } = known
    const attended = clerk !== null && (await this.#home.store.attends(clerk))
    const standing: Standing = isOver ? 'over' : attended ? 'running' : waits > 0 ? 'waiting' : 'open'
    return { ...summary, opening, outcome, waits, standing }
  }
}
