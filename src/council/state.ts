// The state of a council, folded from its trace. Seats are kept in the order of the table and never
// forgotten, so that ids (`op-2`, `rv-2`) follow from the table and not from the order of answers.

import type { ReadingRecord } from '../reply/reading-record.ts'
import type {
  AgreementScored,
  CouncilClosed,
  CouncilOpened,
  ProviderFailure,
  Round,
  SeatRecord,
  ShortCircuitDecided,
} from './events.ts'
import type { OpinionAnswer } from './replies/opinion.ts'
import type { ReviewAnswer } from './replies/review.ts'
import type { CouncilFinalReport, ReportAnswer } from './report/report.ts'

/** The usage of one call. */
export interface CallRecord {
  /** `trace/seq` of its event. */
  readonly event: string
  readonly at: string
  readonly transport: string
  readonly model: string | null
  readonly input_tokens: number | null
  readonly output_tokens: number | null
  readonly cost_usd: number | null
  readonly latency_ms: number
  readonly attempts: readonly {
    readonly transport: string
    readonly error_type: string | null
    readonly cause?: string | null
    readonly error_message?: string | null
  }[]
  /** How the reply was read; null where there was none, or no one recorded it. */
  readonly reading: ReadingRecord | null
}

export type Outcome<Answer> =
  /** The answer is null once it was erased. */
  | { readonly ok: true; readonly answer: Answer | null; readonly took: CallRecord }
  | { readonly ok: false; readonly failure: ProviderFailure | null; readonly took: CallRecord }

/** An incomplete answer, until its missing part was asked for. */
export interface IncompleteAnswer {
  /** `trace/seq` of its event. */
  readonly event: string
  readonly round: Round
  readonly seat: string
  /** Of round one in parts; else null. */
  readonly part: number | null
  /** The hash of the raw reply; null once the event was erased. */
  readonly raw: string | null
  readonly took: CallRecord
  /** What counts if asking again gives no better answer. */
  readonly prose: OpinionAnswer | null
  readonly isPending: boolean
}

/** One call to a chair: for a report, or to correct its citations. */
export interface ReportAttempt {
  readonly n: number
  readonly seat: string
  readonly purpose: 'synthesis' | 'mend'
  readonly outcome: Outcome<ReportAnswer>
}

export interface Span {
  readonly start: string
  readonly end: string
  /** `trace/seq` of the last outcome. */
  readonly last: string
  /** Seats that were asked. */
  readonly asked: readonly string[]
}

export interface CouncilState {
  readonly trace: string
  /** As opened; seats, chairs and policy as amended since. */
  readonly opened: CouncilOpened | null
  /** `trace/seq` of the opening, which is in the parent for a fork. */
  readonly openedEvent: string
  /** When this trace began, and the hash of its first event. */
  readonly began: string
  readonly begun: string
  readonly at: string
  /** All seats that were ever at the table, in order. */
  readonly seats: readonly SeatRecord[]
  /** The current seats. */
  readonly seated: ReadonlySet<string>
  readonly opinions: ReadonlyMap<string, Outcome<OpinionAnswer>>
  /** Round one in parts: `SEAT/pN` → its outcome, in the order in which it came. */
  readonly parts: ReadonlyMap<string, Outcome<OpinionAnswer>>
  /** Seats that refused the length of a prompt (`R1 SEAT`): whether a shorter one is still to be sent. */
  readonly shortened: ReadonlyMap<string, boolean>
  readonly reviews: ReadonlyMap<string, Outcome<ReviewAnswer>>
  readonly reports: readonly ReportAttempt[]
  /** In the given order; the outcome that counts for such a seat is its last. */
  readonly incomplete: readonly IncompleteAnswer[]
  /** How often a chair was asked, in the parents of a fork too. */
  readonly reportAsks: number
  /** Open calls: action → who was asked in which round. */
  readonly open: ReadonlyMap<string, { readonly round: Round; readonly seat: string }>
  /** The hash of the first call of each round in this trace. */
  readonly called: { readonly [round in Round]?: string }
  readonly closedRounds: ReadonlySet<Round>
  readonly closeRequested: string | null
  readonly scored: AgreementScored | null
  readonly decisions: { readonly R1: ShortCircuitDecided | null; readonly R2: ShortCircuitDecided | null }
  readonly assembled: { readonly event: string; readonly report: CouncilFinalReport | null } | null
  readonly closed: CouncilClosed | null
  readonly isClosed: boolean
  readonly spans: { readonly [round in Round]?: Span }
  /** Time in which some seat was being asked, without the pauses of a council that was killed and resumed. */
  readonly thinkingMs: number
  readonly cost: {
    readonly known: number
    readonly unknown: number
    readonly calls: number
    readonly lost: number
  }
}

export const INITIAL: CouncilState = {
  trace: '',
  opened: null,
  openedEvent: '',
  began: '',
  begun: '',
  at: '',
  seats: [],
  seated: new Set(),
  opinions: new Map(),
  parts: new Map(),
  shortened: new Map(),
  reviews: new Map(),
  reports: [],
  incomplete: [],
  reportAsks: 0,
  open: new Map(),
  called: {},
  closedRounds: new Set(),
  closeRequested: null,
  scored: null,
  decisions: { R1: null, R2: null },
  assembled: null,
  closed: null,
  isClosed: false,
  spans: {},
  thinkingMs: 0,
  cost: { known: 0, unknown: 0, calls: 0, lost: 0 },
}

/** The open call of this seat in this round that is not answered completely. */
export const pendingOf = (
  { incomplete }: Pick<CouncilState, 'incomplete'>,
  round: Round,
  seat?: string,
): IncompleteAnswer | null =>
  incomplete.findLast(
    (each) => each.isPending && each.round === round && (seat === undefined || each.seat === seat),
  ) ?? null

/** A council whose opening was read: all that follows needs it. */
export type OpenedCouncil = CouncilState & { readonly opened: CouncilOpened }

export const isOpenedCouncil = (state: CouncilState): state is OpenedCouncil => state.opened !== null
