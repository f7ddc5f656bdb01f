// The transparency record: who was asked over which transport, what was packed, the usage, and why anything
// was skipped or failed. It contains no prompt and no content; of the question only its hash and its first
// hundred characters.

import { type Sha256, toHex, utf8 } from '../../ledger/bytes.ts'
import type { Json } from '../../ledger/canonical.ts'
import { asJson } from '../../ledger/canonical.ts'
import type { RepairKind } from '../../reply/repairs.ts'
import { statusOf } from '../closing.ts'
import type { CouncilSessionMetrics, CouncilStatus, RoundMetrics } from '../events.ts'
import { r1Result, r2Result, r3Failures } from '../result.ts'
import type { SeatFailure } from '../stage.ts'
import type { CallRecord, OpenedCouncil, Outcome } from '../state.ts'
import { roundMetrics, sessionMetrics } from './metrics.ts'

const LEVELS = ['minimal', 'standard', 'detailed'] as const
export type Level = (typeof LEVELS)[number]

/** The result of one seat in one round. */
export interface ProviderRecord {
  readonly seat: string
  readonly provider: string
  readonly model: string | null
  readonly round: string
  /** `incomplete`: what its answer lacked was asked for once more. */
  readonly status: 'answered' | 'failed' | 'incomplete'
  readonly transport: string
  /** Why it was not the first transport: the error of the one before; null when it was. */
  readonly fallback_reason: string | null
  readonly input_tokens: number | null
  readonly output_tokens: number | null
  readonly cost_usd: number | null
  readonly latency_ms: number
  /** Faults in the form of the reply that the reader repaired. */
  readonly repairs?: readonly RepairKind[]
  /** Places that the reply lacked. */
  readonly missing?: readonly string[]
  /** Only in a detailed record. */
  readonly attempts?: Json
  readonly event?: string
}

/** How a result was obtained, in the detail that its level asks for. */
export interface TransparencyRecord {
  readonly level: Level
  readonly run_id: string
  readonly query_hash: string
  readonly query_start: string
  readonly mode: string
  readonly status: CouncilStatus | null
  readonly metrics: CouncilSessionMetrics
  readonly short_circuit: { readonly triggered: boolean; readonly reasons: readonly string[] }
  readonly rounds?: readonly RoundMetrics[]
  readonly providers?: readonly ProviderRecord[]
  readonly failures?: readonly SeatFailure[]
  readonly pack?: {
    readonly kind: string
    readonly files: number
    readonly bytes: number
    readonly tokens: number | null
    readonly excluded: { readonly [reason: string]: number }
  }
  /** Only in a detailed record: the numbers behind the decisions. */
  readonly decisions?: Json
}

const QUERY_START = 100

const triedOf = ({ transport, error_type, cause }: CallRecord['attempts'][number]) => ({
  transport,
  error_type,
  cause,
})

function fallbackReason({ attempts, transport }: CallRecord): string | null {
  const earlier = attempts.findLast(
    (attempt) => attempt.transport !== transport && attempt.error_type !== null,
  )
  return earlier ? `${earlier.transport}: ${earlier.error_type}` : null
}

function providersOf(state: OpenedCouncil, level: Level): readonly ProviderRecord[] {
  const providerRecord = (
    seat: string,
    round: string,
    { ok, took }: Pick<Outcome<unknown>, 'ok' | 'took'>,
    isIncomplete = false,
  ): ProviderRecord => {
    const sits = state.seats.find((each) => each.seat === seat)
    return {
      seat,
      provider: sits?.provider ?? seat,
      model: took.model ?? sits?.model ?? null,
      round,
      status: isIncomplete ? 'incomplete' : ok ? 'answered' : 'failed',
      transport: took.transport,
      fallback_reason: fallbackReason(took),
      input_tokens: took.input_tokens,
      output_tokens: took.output_tokens,
      cost_usd: took.cost_usd,
      latency_ms: took.latency_ms,
      ...(took.reading ? { repairs: took.reading.repairs.map(({ kind }) => kind) } : {}),
      ...(took.reading && took.reading.missing.length > 0 ? { missing: took.reading.missing } : {}),
      ...(level === 'detailed' ? { attempts: asJson(took.attempts.map(triedOf)), event: took.event } : {}),
    }
  }
  const inOrder = <Answer>(outcomes: ReadonlyMap<string, Outcome<Answer>>, round: string) =>
    state.seats.flatMap(({ seat }) => {
      const outcome = outcomes.get(seat)
      return outcome ? [providerRecord(seat, round, outcome)] : []
    })
  const outcomeEvents = new Set(
    [
      ...state.opinions.values(),
      ...state.reviews.values(),
      ...state.reports.map(({ outcome }) => outcome),
    ].map(({ took }) => took.event),
  )
  const incomplete = (round: string): readonly ProviderRecord[] =>
    state.incomplete
      .filter((each) => each.round === round && !outcomeEvents.has(each.event))
      .map(({ seat, took }) => providerRecord(seat, round, { ok: false, took }, true))
  return [
    ...incomplete('R1'),
    ...inOrder(state.opinions, 'R1'),
    ...incomplete('R2'),
    ...inOrder(state.reviews, 'R2'),
    ...incomplete('R3'),
    ...state.reports.map(({ seat, outcome }) => providerRecord(seat, 'R3', outcome)),
  ]
}

export function transparencyOf(sha256: Sha256, state: OpenedCouncil, level: Level): TransparencyRecord {
  const { question, mode, context } = state.opened
  const decided = [state.decisions.R1, state.decisions.R2].flatMap((decision) => decision ?? [])
  const minimal: TransparencyRecord = {
    level,
    run_id: state.trace,
    query_hash: toHex(sha256(utf8(question))),
    query_start: question.slice(0, QUERY_START).toWellFormed(),
    mode,
    status: statusOf(state),
    metrics: state.closed?.metrics ?? sessionMetrics(state),
    short_circuit: {
      triggered: decided.some(({ triggered }) => triggered),
      reasons: decided.map(({ after, reason }) => `after ${after}: ${reason}`),
    },
  }
  if (level === 'minimal') return minimal
  const { kind, files, bytes, tokens, excluded } = context
  return {
    ...minimal,
    rounds: state.closed?.rounds ?? roundMetrics(state),
    providers: providersOf(state, level),
    failures: [
      ...r1Result(state).failed_providers,
      ...r2Result(state).failed_providers,
      ...r3Failures(state),
    ],
    pack: { kind, files: files.length, bytes, tokens, excluded },
    ...(level === 'detailed' ? { decisions: asJson(decided) } : {}),
  }
}
