// Performs what an exchange decides: opens rounds, asks minds and the auditor, has their messages turned into
// vectors, and records what follows by rule. It draws no conclusions.

import { AUDIT_READERS } from '../../../exchange/audit.ts'
import { branchPayload } from '../../../exchange/branch.ts'
import { editionOf } from '../../../exchange/editions.ts'

import { AUDITOR, JUDGE, MIND, POLICY } from '../../../exchange/events.ts'
import { incompleteFor } from '../../../exchange/prompts/completing.ts'
import {
  auditRequest,
  type ExchangeRequest,
  judgedTexts,
  judgeRequest,
  mindRequest,
} from '../../../exchange/prompts/request.ts'
import { concludeAudit, concludeJudgement, concludeMessages } from '../../../exchange/read-answer.ts'

import { WANTED_AUDIT } from '../../../exchange/replies.ts'
import { takeApart, type Written } from '../../../exchange/split-reply.ts'
import type { ExchangeState } from '../../../exchange/state.ts'
import { CLERK, type WithOpenCalls } from '../../../ledger/calls.ts'
import { asJsonObject, type Json } from '../../../ledger/canonical.ts'
import type { Payload } from '../../../ledger/event.ts'
import { renderPrompt } from '../../../ledger/prompt.ts'
import { type RawReply, readRaw } from '../../../ledger/raw-reply.ts'
import type { Draft } from '../../../ledger/signing.ts'
import type { Action } from '../../../protocol.ts'

import { artifactBytes } from '../../artifact-bytes.ts'

import { recordAsking } from '../../call-records.ts'
import type { Perform } from '../../clerk.ts'
import { forkTrace } from '../../fork.ts'
import type { Ports } from '../../ports.ts'
import type { Registrar } from '../../registrar.ts'
import { type AskableSeat, askSeatSafely, emptySeatAnswer } from '../../seat.ts'
import { plainOutcome, shapedOutcome } from '../../shaped-outcome.ts'
import type { TraceLog } from '../../trace-log.ts'
import type { EmbedMessages } from './judge-messages.ts'

export interface ExchangeKit {
  readonly ports: Ports
  readonly registrar: Registrar
  readonly log: TraceLog<WithOpenCalls<ExchangeState>>
  /** By the names that the terms use. */
  readonly minds: ReadonlyMap<string, AskableSeat>
  readonly regard: EmbedMessages
}

const MAX_REPLY_BYTES = 1_000_000

/** The event type for a record of this kind; it contains exactly what was computed. */
const RECORDS: Readonly<Record<string, string>> = {
  round: 'round_opened',
  role: 'role_reported',
  signal: 'signal_raised',
  clear: 'signal_cleared',
  judging: 'judging_opened',
  alarm: 'restart_alarmed',
  phase: 'phase_changed',
}

export function exchangePerformer(kit: ExchangeKit): Perform {
  const { ports, registrar, log, minds } = kit
  const say = (type: string, agent: string, role: string, payload: object): readonly Draft[] => [
    { type, actor: registrar.actor(agent, role), payload: payload as Payload },
  ]

  /** Asks, and returns the result with the other content of the event. */
  async function ask(name: string, request: ExchangeRequest, action: Action, signal: AbortSignal) {
    const seat = minds.get(name)
    const limits = {
      maxOutputTokens: log.state.inner.round?.under?.pool.max_output_tokens ?? null,
      maxReplyBytes: MAX_REPLY_BYTES,
    }
    const asking = { round: 'round', ...request, limits, signal }
    const { outcome, attempts } = seat ? await askSeatSafely(seat, asking) : emptySeatAnswer(name)
    if (signal.aborted) throw signal.reason
    const fields = { action: action.id, round: Number(action.input.round), mind: name }
    const keep = (recordedOutcome?: object) =>
      recordAsking(ports.store, request, outcome, attempts, recordedOutcome)
    return { outcome, fields, keep }
  }

  const failed = (type: string, fields: object, record: object, error: string, message: string) =>
    say(type, CLERK, CLERK, { ...record, ...fields, error_type: error, message })

  /** What the action completes, as the kept raw reply. */
  async function readEarlier(
    open: ExchangeState['round'] | ExchangeState['judging'],
    name: string,
    action: string,
  ): Promise<RawReply | null> {
    const hash = incompleteFor(open, name, action)?.raw
    const bytes = hash ? await artifactBytes(ports.store, hash) : null
    return bytes && readRaw(bytes)
  }

  async function askModel(action: Action, signal: AbortSignal): Promise<readonly Draft[]> {
    const name = String(action.input.mind)
    const state = log.state.inner
    const answer = await readEarlier(state.round, name, action.id)
    const request = mindRequest(ports.sha256, state, { action: action.id, mind: name, answer })
    const terms = state.round?.under
    if (!request || !terms) throw new Error(`${action.id} is no longer open`)
    const { outcome, fields, keep } = await ask(name, request, action, signal)
    const messageDrafts = ({ messages, dropped, private: apart }: Written, more: object): readonly Draft[] =>
      say('mind_wrote', name, MIND, { ...more, ...fields, messages, dropped, private_chars: apart.length })
    if (editionOf(state).replies === 1) {
      const shaped = plainOutcome(outcome)
      const record = await keep(shaped)
      if (!shaped.ok) return failed('mind_failed', fields, record, shaped.type, shaped.message)
      return messageDrafts(takeApart(shaped.text, terms.pool), record)
    }
    const record = await keep()
    if (!outcome.ok)
      return failed('mind_failed', fields, { ...record, reading: null }, outcome.type, outcome.message)
    const isCompleting = incompleteFor(state.round, name, action.id) !== null
    const conclusion = concludeMessages(outcome, terms.pool, isCompleting)
    const read = { ...record, reading: conclusion.reading }
    if (conclusion.is === 'given') return messageDrafts(conclusion.value, read)
    if (conclusion.is === 'failed')
      return failed('mind_failed', fields, read, 'parse_error', conclusion.message)
    return say('mind_incomplete', CLERK, CLERK, { ...read, ...fields })
  }

  async function askAuditor(action: Action, signal: AbortSignal): Promise<readonly Draft[]> {
    const name = String(action.input.mind)
    const state = log.state.inner
    const request = auditRequest(
      ports.sha256,
      state,
      action.id,
      await readEarlier(state.round, name, action.id),
    )
    if (!request || !state.round) throw new Error(`${action.id} is no longer open`)
    const citable = { material: state.round.material, clusters: state.clusters?.notes ?? [] }
    const { outcome, fields, keep } = await ask(name, request, action, signal)
    const { mind: _, ...about } = fields
    if (editionOf(state).replies === 1) {
      const shaped = shapedOutcome(WANTED_AUDIT, outcome, { prompt: renderPrompt(request.parts) })
      const record = await keep(shaped)
      if (!shaped.ok) return failed('audit_failed', fields, record, shaped.type, shaped.message)
      const audit = AUDIT_READERS[editionOf(state).audits](shaped.object, citable)
      if (typeof audit === 'string') return failed('audit_failed', fields, record, 'parse_error', audit)
      return say('audit_written', name, AUDITOR, { ...record, ...about, ...audit })
    }
    const record = await keep()
    if (!outcome.ok)
      return failed('audit_failed', fields, { ...record, reading: null }, outcome.type, outcome.message)
    const isCompleting = incompleteFor(state.round, name, action.id) !== null
    const conclusion = concludeAudit(outcome, request.parts, citable, isCompleting)
    const read = { ...record, reading: conclusion.reading }
    if (conclusion.is === 'given')
      return say('audit_written', name, AUDITOR, { ...read, ...about, ...conclusion.value })
    if (conclusion.is === 'failed')
      return failed('audit_failed', fields, read, 'parse_error', conclusion.message)
    return say('audit_incomplete', CLERK, CLERK, { ...read, ...fields })
  }

  async function askJudge(action: Action, signal: AbortSignal): Promise<readonly Draft[]> {
    const name = String(action.input.mind)
    const state = log.state.inner
    const { judging } = state
    const answer = await readEarlier(judging, name, action.id)
    const request = judgeRequest(ports.sha256, state, action.id, answer)
    if (!request) throw new Error(`${action.id} is no longer open`)
    const texts = judgedTexts(state)
    const { outcome, fields, keep } = await ask(name, request, action, signal)
    const record = await keep()
    if (!outcome.ok)
      return failed('judge_failed', fields, { ...record, reading: null }, outcome.type, outcome.message)
    const conclusion = concludeJudgement(outcome, texts, incompleteFor(judging, name, action.id) !== null)
    const read = { ...record, reading: conclusion.reading }
    if (conclusion.is === 'given')
      return say('restart_judged', name, JUDGE, { ...read, ...fields, ...conclusion.value })
    if (conclusion.is === 'failed')
      return failed('judge_failed', fields, read, 'parse_error', conclusion.message)
    return say('judge_incomplete', CLERK, CLERK, { ...read, ...fields })
  }

  async function embed(action: Action, signal: AbortSignal): Promise<readonly Draft[]> {
    const about = { action: action.id, round: Number(action.input.round) }
    const ids = action.input.messages as readonly string[]
    const embedded = await kit.regard(log.state.inner, ids, signal)
    if (signal.aborted) throw signal.reason
    return typeof embedded === 'string'
      ? say('embedding_failed', CLERK, CLERK, { ...about, message: embedded })
      : say('messages_embedded', CLERK, CLERK, { ...about, ...embedded })
  }

  /** The answer that the policy of the terms gives, in its own trace where the exchange continues in one. */
  function answerByPolicy({ input }: Action): readonly Draft[] {
    const { signal, answer, terms, branch } = input as { readonly [name: string]: Json }
    const order = branch === null ? null : { ...(branch as object), into: ports.newTrace() }
    const answered = { signal, answer, terms, branch: order, reason: null }
    return say('signal_answered', POLICY, POLICY, answered)
  }

  async function makeBranch(action: Action): Promise<readonly Draft[]> {
    const into = String(action.input.into)
    await finishBranch(kit, into, { agent: POLICY, role: POLICY })
    return say('branched', POLICY, POLICY, { into })
  }

  return async (action, signal) => {
    const kind = action.id.slice(0, action.id.indexOf('/'))
    const record = RECORDS[kind]
    if (record !== undefined) return say(record, CLERK, CLERK, { action: action.id, ...action.input })
    if (kind === 'mind') return askModel(action, signal)
    if (kind === 'audit') return askAuditor(action, signal)
    if (kind === 'judge') return askJudge(action, signal)
    if (kind === 'embed') return embed(action, signal)
    if (kind === POLICY) return answerByPolicy(action)
    if (kind === 'fork') return makeBranch(action)
    throw new Error(`an exchange has no action ${kind}`)
  }
}

/** Makes the trace of an ordered branch, unless an interrupted attempt has made it already. */
export async function finishBranch(
  { ports, registrar, log }: Pick<ExchangeKit, 'ports' | 'registrar' | 'log'>,
  into: string,
  by: { readonly agent: string; readonly role: string },
): Promise<void> {
  const state = log.state.inner
  const pending = state.forks.find(({ order }) => order.into === into)
  if (!pending || (await ports.store.head(into))) return
  const from = { parent: pending.at.trace, seq: pending.at.seq, into }
  const payload = asJsonObject(branchPayload(state, pending))
  await forkTrace(ports, log.protocol, from, registrar.actor(by.agent, by.role), payload)
}
