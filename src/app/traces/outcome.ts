// The result and the cost of a trace, from its events: no folding and no checks, so that many traces can be
// listed quickly. The cost of a call is in the same members of every protocol's events.

import type { Payload } from '../../ledger/event.ts'
import { readHeader } from '../../ledger/event.ts'
import { payloadIn } from '../../stores/searched-text.ts'
import type { Store } from '../../stores/store.ts'

/** One call of a model, with any result. */
export interface Asked {
  readonly at: string
  readonly seat: string
  readonly model: string | null
  /** Null where it is not known. */
  readonly usd: number | null
  readonly input_tokens: number | null
  readonly output_tokens: number | null
}

export interface TraceOutcome {
  /** `closed`, `failed` and so on; `erased` where the text of its ending is; or `open`. */
  readonly status: string
  /** The decision of a council's report, or how a session was verified; null while there is none. */
  readonly verdict: string | null
  /** At least this much; null when the cost of no call is known. */
  readonly cost_usd: number | null
  /** For a council; null for everything else. */
  readonly mode: string | null
}

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null)
const number = (value: unknown): number | null => (typeof value === 'number' ? value : null)

/** Null for an event without a model call, or with one that another trace paid for. */
export function askedIn(at: string, agent: string, payload: Payload): Asked | null {
  if (!('latency_ms' in payload) || !('cost' in payload)) return null
  const cost = payload.cost as { readonly usd?: unknown; readonly from?: unknown } | null
  if (cost?.from === 'imported') return null
  return {
    at,
    seat: text(payload.seat) ?? text(payload.mind) ?? agent,
    model: text(payload.model),
    usd: number(cost?.usd),
    input_tokens: number(payload.input_tokens),
    output_tokens: number(payload.output_tokens),
  }
}

const decisionIn = ({ report }: Payload): string | null =>
  typeof report === 'object' && report !== null && !Array.isArray(report)
    ? text((report as Payload).decision)
    : null

/** The status of a trace after its last event. */
const ENDINGS: Readonly<Record<string, (payload: Payload) => string>> = {
  council_closed: ({ status }) => text(status) ?? 'closed',
  eval_closed: ({ status }) => text(status) ?? 'closed',
  outcome_recorded: ({ outcome }) => text(outcome) ?? 'noted',
  session_aborted: () => 'aborted',
  session_failed: () => 'failed',
  verification_run_completed: ({ status }) => (status === 'fail' ? 'failed' : 'completed'),
}

const VERDICTS: Readonly<Record<string, (payload: Payload) => string | null>> = {
  eval_closed: ({ verdict }) => text(verdict),
  report_given: decisionIn,
  report_assembled: decisionIn,
  verification_run_completed: ({ status }) => text(status),
}

export async function readOutcome(store: Pick<Store, 'read'>, trace: string): Promise<TraceOutcome> {
  let status = 'open'
  let verdict: string | null = null
  let cost: number | null = null
  let mode: string | null = null
  for await (const event of store.read(trace)) {
    const header = readHeader(event.header)
    const payload = payloadIn(event.payload)
    if (typeof header === 'string') continue
    const { type, at, actor } = header
    status = payload === null && Object.hasOwn(ENDINGS, type) ? 'erased' : 'open'
    if (payload === null) continue
    if (type === 'council_opened') mode = text(payload.mode)
    if (Object.hasOwn(ENDINGS, type)) status = ENDINGS[type]?.(payload) ?? status
    if (Object.hasOwn(VERDICTS, type)) verdict = VERDICTS[type]?.(payload) ?? verdict
    const usd = askedIn(at, actor.agent, payload)?.usd ?? null
    if (usd !== null) cost = (cost ?? 0) + usd
  }
  return { status, verdict, cost_usd: cost, mode }
}
