// The events of an exchange: who may record each, and its shape. The kind of a message comes from its event
// and the role that signed it, never from its text: a mind that writes the prefix of another actor has
// written a message of a mind.

import type { ValueOf } from '../ledger/schema.ts'
import { payloadReader } from '../protocol.ts'
import type {
  ALARM,
  ANSWER,
  ASKING_THEME,
  BRANCH_SHAPE,
  CARRY,
  CITED,
  CLUSTER,
  KINDS,
  ORDER,
  POINT,
  SAMPLE,
} from './schema.ts'

export { type Asked, AUDITOR, JUDGE, MIND, OBSERVER, POLICY } from './schema.ts'

/** The payload of each event, by its type. */
export type Payloads = {
  [Type in keyof typeof KINDS]: ValueOf<(typeof KINDS)[Type]['shape']>
} & { trace_forked: BranchPayload }

export type ExchangeOpened = Payloads['exchange_opened']
export type RoundOpened = Payloads['round_opened']
export type MindWrote = Payloads['mind_wrote']
export type AskingFailed = Payloads['mind_failed']
export type AskingIncomplete = Payloads['mind_incomplete']
export type MessagesEmbedded = Payloads['messages_embedded']
export type AuditWritten = Payloads['audit_written']
export type RoleReported = Payloads['role_reported']
export type ObserverSpoke = Payloads['observer_spoke']
export type JudgingOpened = Payloads['judging_opened']
export type Judging = JudgingOpened['purpose']
export type RestartJudged = Payloads['restart_judged']
export type RestartAlarmed = Payloads['restart_alarmed']
export type SignalRaised = Payloads['signal_raised']
export type SignalAnswered = Payloads['signal_answered']
export type PhaseChanged = Payloads['phase_changed']

/** The results of the encoder, the scorer and the clustering. The vectors are in the artifact, in this order. */
export type Embedded = Payloads['reembedded']
/** A theme: its words, how many messages it has, and its share of the window. */
export type ClusterNote = ValueOf<typeof CLUSTER>
/** Something about the pool that its observer should know. */
export type Alarm = ValueOf<typeof ALARM>
export type Cited = ValueOf<typeof CITED>
export type ThemeThatAsks = ValueOf<typeof ASKING_THEME>
export type Sample = ValueOf<typeof SAMPLE>
export type AuditPoint = ValueOf<typeof POINT>
/** What a branch takes along of the messages that can be sampled. */
export type Carry = ValueOf<typeof CARRY>
export type Answer = ValueOf<typeof ANSWER>
export type BranchOrder = ValueOf<typeof ORDER>
/** What the first event of a branch says in addition to its fork point. */
export type BranchPayload = ValueOf<typeof BRANCH_SHAPE>

export const payloadOf = payloadReader<Payloads>()

/**
 * Which action each event answers, by the first part of its id. Acts of people are unasked: guards say when they are allowed.
 */
export const OUTCOMES = {
  round_opened: 'round',
  mind_wrote: 'mind',
  mind_failed: 'mind',
  mind_incomplete: 'mind',
  messages_embedded: 'embed',
  embedding_failed: 'embed',
  audit_written: 'audit',
  audit_failed: 'audit',
  audit_incomplete: 'audit',
  role_reported: 'role',
  judging_opened: 'judging',
  restart_judged: 'judge',
  judge_failed: 'judge',
  judge_incomplete: 'judge',
  restart_alarmed: 'alarm',
  signal_raised: 'signal',
  signal_cleared: 'clear',
  phase_changed: 'phase',
} as const
