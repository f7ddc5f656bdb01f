// Which asks were under way when a worker or the database was lost: announced in the ledger, heard by a model, and without an
// outcome on record. What the ledger held at a moment is known from what the server wrote down in the same transactions
// (taken-up.ts), and what a model heard from the model itself.

import type { Loss, Told } from './taken-up.ts'

/** A model was asked at that moment; `about` is what of the trace it was asked for. */
export interface Ask {
  readonly at: number
  readonly trace: string
  readonly about: string
}

/** An ask that had no outcome on record when `as` happened. */
export interface UnderWay {
  readonly trace: string
  readonly action: string
  readonly as: string
  /** Whether a model had heard of it; otherwise it was announced only. */
  readonly heard: boolean
}

/** What was sent just before its process was lost arrives within this time. */
const ARRIVES_MS = 250
/** Embeddings are made here: no model hears of them. */
const ASKS = new Set(['opinion', 'review', 'report', 'mind', 'audit'])

/** `opinion/a` is asked of a for R1, `report/1` of any seat for R3; in an exchange `mind/2/one`, `audit/3`. */
function aboutOf(action: string): string | null {
  const [kind = '', first = '', second = ''] = action.split('/')
  if (!ASKS.has(kind)) return null
  if (kind === 'opinion' || kind === 'review') return `${kind} ${first}`
  return kind === 'mind' ? `mind ${second}` : kind
}

interface Driven {
  /** Trace → the pool that drives it. */
  readonly pools: Map<string, string>
  /** Pool → the name of its worker. */
  readonly names: Map<string, string>
  /** Trace → its calls without an outcome, and since when. */
  readonly open: Map<string, Map<string, number>>
}

function follow(
  { pools, names, open }: Driven,
  { kind, trace, pool, name, state, type, action, at }: Told,
): void {
  if (kind === 'worker' && pool !== null && state === 'here') names.set(pool, name ?? '')
  if (trace === null) return
  if (kind === 'item') {
    if (state === 'running' && pool !== null) pools.set(trace, pool)
    else pools.delete(trace)
  }
  if (kind !== 'grown' || action === null) return
  const calls = open.get(trace) ?? new Map<string, number>()
  open.set(trace, calls)
  if (type === 'call_started') calls.set(action, at)
  else calls.delete(action)
}

export function asksUnderWay(
  told: readonly Told[],
  losses: readonly Loss[],
  asks: readonly Ask[],
): readonly UnderWay[] {
  const driven: Driven = { pools: new Map(), names: new Map(), open: new Map() }
  const isHeard = (trace: string, action: string, from: number, to: number): boolean =>
    asks.some((ask) => ask.trace === trace && ask.about === aboutOf(action) && ask.at >= from && ask.at <= to)
  const found: UnderWay[] = []
  let next = 0
  for (const { struck, worker, as } of [...losses].sort((a, b) => a.struck - b.struck)) {
    for (let one = told[next]; one && one.at <= struck; one = told[next]) {
      follow(driven, one)
      next++
    }
    for (const [trace, calls] of driven.open) {
      const isHit = worker === null || driven.names.get(driven.pools.get(trace) ?? '') === worker
      for (const [action, since] of isHit ? calls : [])
        if (aboutOf(action) !== null)
          found.push({
            trace,
            action,
            as,
            heard: isHeard(trace, action, since - ARRIVES_MS, struck + ARRIVES_MS),
          })
    }
  }
  return found
}

/** How often each trace was asked beyond what it needed. */
export function asksBeyond(
  asks: readonly Ask[],
  neededBy: (trace: string) => number,
): ReadonlyMap<string, number> {
  const times = new Map<string, number>()
  for (const { trace } of asks) times.set(trace, (times.get(trace) ?? 0) + 1)
  return new Map([...times].map(([trace, asked]) => [trace, asked - neededBy(trace)]))
}
