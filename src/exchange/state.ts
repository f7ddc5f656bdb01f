// The state of an exchange. It holds the window, messages that are still to be shown, the open round and
// counts, never the whole history: folding the ten-thousandth message costs as much as the first. What left
// the window is in the ledger.

import { FIRST_EDITION } from '../ledger/editions.ts'
import type { Answer, BranchOrder, ClusterNote, Judging, JudgingOpened, RoundOpened } from './events.ts'
import type { Message } from './messages.ts'
import { NO_SIGNAL, type Scored, type SignalState } from './signal/dominance.ts'
import { NO_TRACKS, type Tracks } from './signal/signal-levels.ts'
import type { Terms } from './terms.ts'

/** A protocol message that not every mind has been shown yet. */
export interface Due {
  readonly message: Message
  readonly unseen: readonly string[]
}

/** The end of a round: the last event before the next one opened. One link for each round, so that folding stays cheap. */
export type Ends = {
  readonly round: number
  readonly trace: string
  readonly seq: number
  readonly rest: Ends
} | null

export interface Written {
  readonly event: string
  readonly messages: readonly { readonly text: string; readonly cut: boolean }[]
}

/** An incomplete reply, whose missing part is asked for once more. */
export interface IncompleteReply {
  /** `trace/seq` of its event. */
  readonly event: string
  /** The hash of the raw reply. */
  readonly raw: string | null
  readonly missing: readonly string[]
}

export interface OpenRound extends Omit<RoundOpened, 'action'> {
  /** The terms of the round, regardless of later amendments. */
  readonly under: Terms | null
  /** Hash of the event that stated those. */
  readonly underSince: string
  /** The sampled messages, by id: later messages and unpinning change nothing here. */
  readonly material: ReadonlyMap<string, Message>
  /** By mind; null where the mind failed. */
  readonly written: ReadonlyMap<string, Written | null>
  /** True once everyone has written and the messages are in the pool. */
  readonly gathered: boolean
  /** Of an audit round: whether the auditor has answered, and which roles were reported. */
  readonly audited: boolean
  readonly roles: readonly string[]
  /** By mind; the auditor's under the mind that audits. */
  readonly incomplete: ReadonlyMap<string, IncompleteReply>
}

export interface RaisedSignal {
  readonly number: number
  readonly round: number
  readonly asked: readonly string[]
}

export interface PendingFork {
  readonly order: BranchOrder
  /** `trace/seq` of the event that ordered it. */
  readonly event: string
  readonly by: string
  readonly at: { readonly trace: string; readonly seq: number }
  readonly signal: {
    readonly number: number
    readonly answer: Answer
    readonly asked: readonly string[]
  } | null
}

export interface Phase {
  readonly signal: number
  readonly answer: Answer
  readonly asked: readonly string[]
  readonly changed: readonly string[]
  /** `trace/seq` of its record; null until it is recorded. */
  readonly event: string | null
}

interface OpenJudging extends Omit<JudgingOpened, 'action'> {
  readonly under: Terms | null
  /** Of those terms. */
  readonly hash: string
  /** The messages shown, by id; our decoys are not among them. */
  readonly material: ReadonlyMap<string, Message>
  /** By the mind that judges. */
  readonly incomplete: ReadonlyMap<string, IncompleteReply>
}

/** Calls to the judge so far, and their cost. */
interface JudgingTotals {
  readonly count: number
  /** The round after which it was last asked. */
  readonly round: number
  readonly asked: number
  readonly usd: number
  /** The subject of the last one, and whether it confirmed the first; null before the first. */
  readonly last: { readonly purpose: Judging; readonly bore: boolean | null } | null
}

/** Calls, messages, tokens and known cost of an exchange so far. */
export interface Totals {
  readonly asked: number
  /** What was sent for it: an asking may take several calls. */
  readonly calls: number
  readonly failed: number
  readonly messages: number
  readonly input_tokens: number
  readonly output_tokens: number
  readonly usd: number
}

export interface ExchangeState {
  readonly trace: string
  /** Null before the opening, or when the opening was erased. */
  readonly terms: Terms | null
  readonly termsHash: string
  /** Hash of the event that stated them. */
  readonly termsSince: string
  /** The first round that these terms can be in force for. */
  readonly termsFrom: number
  readonly encoder: string
  readonly fence: string
  readonly edition: number
  readonly mode: 'run' | 'chat'
  /** The observer has granted rounds up to this one. */
  readonly until: number
  readonly closed: number
  readonly round: OpenRound | null
  readonly ends: Ends
  /** How many rounds of the pool have been opened; this decides whose turn it is. */
  readonly turns: number
  /** Rounds in a row in which no mind answered. */
  readonly barren: number
  /** The last messages by minds. */
  readonly pool: readonly Message[]
  /** The last protocol messages that can be sampled. */
  readonly protocol: readonly Message[]
  readonly due: readonly Due[]
  readonly pins: readonly Message[]
  /** How many protocol messages this round has. */
  readonly spoken: { readonly round: number; readonly count: number }
  /** Without a vector as yet. */
  readonly pending: readonly Message[]
  readonly embeddings: number
  readonly clusters: { readonly event: string; readonly notes: readonly ClusterNote[] } | null
  /** The clusters at the time of the last audit. */
  readonly audited: { readonly event: string; readonly notes: readonly ClusterNote[] } | null
  readonly lastAudit: number
  /** The round of an audit that the observer has neither answered nor passed over. */
  readonly unanswered: number | null
  readonly scored: readonly Scored[]
  readonly level: SignalState
  /** The components of `level`, where tags and judgements count. */
  readonly tracks: Tracks
  readonly judging: OpenJudging | null
  readonly judgings: JudgingTotals
  /** How often the scorer raised an alarm, and whether the last one is active. */
  readonly alarms: { readonly count: number; readonly stands: boolean }
  readonly seats: readonly { readonly name: string; readonly model: string | null }[]
  readonly series: readonly SignalState[]
  readonly signals: number
  /** Raised and unanswered. */
  readonly signal: RaisedSignal | null
  /** Answered, and the level has not fallen yet. */
  readonly settling: number | null
  readonly phase: Phase | null
  readonly byPolicy: number
  readonly forks: readonly PendingFork[]
  readonly movedTo: string | null
  /** Why nothing runs until the observer answers. */
  readonly stopped: string | null
  readonly stops: number
  readonly halted: boolean
  readonly totals: Totals
}

export const INITIAL: ExchangeState = {
  trace: '',
  terms: null,
  termsHash: '',
  termsSince: '',
  termsFrom: 0,
  encoder: '',
  fence: '',
  edition: FIRST_EDITION,
  mode: 'run',
  until: 0,
  closed: 0,
  round: null,
  ends: null,
  turns: 0,
  barren: 0,
  pool: [],
  protocol: [],
  due: [],
  pins: [],
  spoken: { round: 0, count: 0 },
  pending: [],
  embeddings: 0,
  clusters: null,
  audited: null,
  lastAudit: 0,
  unanswered: null,
  scored: [],
  level: NO_SIGNAL,
  tracks: NO_TRACKS,
  judging: null,
  judgings: { count: 0, round: 0, asked: 0, usd: 0, last: null },
  alarms: { count: 0, stands: false },
  seats: [],
  series: [],
  signals: 0,
  signal: null,
  settling: null,
  phase: null,
  byPolicy: 0,
  forks: [],
  movedTo: null,
  stopped: null,
  stops: 0,
  halted: false,
  totals: { asked: 0, calls: 0, failed: 0, messages: 0, input_tokens: 0, output_tokens: 0, usd: 0 },
}

/** The round of something that is recorded now. */
export const roundNow = (state: ExchangeState): number => state.round?.round ?? state.closed

/** Every message that can be sampled, cited or pinned here and now. */
export function* visible(state: ExchangeState): Generator<Message> {
  yield* state.pool
  yield* state.protocol
  yield* state.pins
  for (const { message } of state.due) yield message
}

export function messageById(state: ExchangeState, id: string): Message | undefined {
  for (const message of visible(state)) if (message.id === id) return message
  return undefined
}
