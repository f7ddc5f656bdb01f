// Asks a model for a plan, a step, or its judgement, with a prompt that anyone who has the trace can build
// again. The answer is kept whole and recorded; it has no effect before other agents judge it.

import { editionOf } from '../../../agents/editions.ts'
import { replyOf } from '../../../agents/examine-prompts.ts'
import { askedFrom, askedPrompt } from '../../../agents/prompts/choose-prompt.ts'
import { incompleteFor } from '../../../agents/prompts/completing.ts'
import type { AskedRole, Prompt } from '../../../agents/prompts/material.ts'
import { artifactsShown } from '../../../agents/prompts/prompts.ts'
import { concludeAnswer, replyContext, WANTED } from '../../../agents/read-answer.ts'
import type { SessionState } from '../../../agents/state.ts'
import { misfit } from '../../../ledger/schema-fault.ts'
import type { Draft } from '../../../ledger/signing.ts'
import { type Action, MAX_READ_BYTES } from '../../../protocol.ts'
import type { ReplyContext } from '../../../reply/wanted.ts'
import { artifactBytes } from '../../artifact-bytes.ts'
import { recordAsking } from '../../call-records.ts'
import { askSeatSafely, emptySeatAnswer, type SeatAsked } from '../../seat.ts'
import { shapedOutcome } from '../../shaped-outcome.ts'
import { type AgentsKit, answerDraft } from './ports.ts'

const MAX_REPLY_BYTES = 1_000_000

interface PreparedQuestion {
  readonly event: AskedRole
  readonly agent: string
  readonly mind: string
  readonly about: object
  readonly prompt: Prompt
  /** The session as it was when this was asked. */
  readonly state: SessionState
}

async function materialFor({ ports }: AgentsKit, hashes: readonly string[]) {
  const contents = new Map<string, Uint8Array>()
  for (const hash of hashes) {
    const stat = await ports.store.statArtifact(hash)
    const bytes = stat && stat.size <= MAX_READ_BYTES ? await artifactBytes(ports.store, hash) : null
    if (bytes) contents.set(hash, bytes)
  }
  return { sha256: ports.sha256, content: (hash: string) => contents.get(hash) ?? null }
}

async function prepareQuestion(kit: AgentsKit, action: Action): Promise<PreparedQuestion> {
  const state = askedFrom(kit.log.state.inner, action.id)
  const roles = state?.task?.roles
  if (!state || !roles) throw new Error(`${action.id} is asked without having been started`)
  const { seat, proposal, intent, claim } = action.input
  const subject = String(action.input.subject ?? intent ?? claim ?? proposal ?? '')
  const earlier = incompleteFor(state, action.id)?.raw
  const shownThere = artifactsShown(state, subject)
  const material = await materialFor(kit, earlier ? [...shownThere, earlier] : shownThere)
  const shown = (role: AskedRole) => askedPrompt(role, state, { action: action.id, subject }, material)
  if (action.id.startsWith('plan/')) {
    const { agent, mind } = roles.planner
    return { event: 'planner', agent, mind: mind ?? '', about: {}, prompt: shown('planner'), state }
  }
  if (action.id.startsWith('act/')) {
    const { agent, mind } = roles.executor
    const prompt = shown('executor')
    return { event: 'executor', agent, mind: mind ?? '', about: { subject }, prompt, state }
  }
  const agent = roles.critics.find((critic) => critic.seat === seat)?.agent ?? ''
  const prompt = shown('critic')
  return { event: 'critic', agent, mind: String(seat), about: { subject, seat }, prompt, state }
}

export async function askModel(
  kit: AgentsKit,
  action: Action,
  signal: AbortSignal,
): Promise<readonly Draft[]> {
  const { event, agent, mind, about, prompt, state } = await prepareQuestion(kit, action)
  const seat = kit.minds.get(mind)
  const limits = { maxOutputTokens: null, maxReplyBytes: MAX_REPLY_BYTES }
  const { speaks } = kit
  const hear = speaks && ((words: string | null) => speaks({ action: action.id, words }))
  const asked = seat
    ? await askSeatSafely(seat, { round: event, ...prompt, limits, signal, ...(hear && { hear }) })
    : emptySeatAnswer(mind)
  if (signal.aborted) throw signal.reason
  const context = replyContext(state, prompt.parts)
  const answer =
    editionOf(state.task ?? {}).replies === 1
      ? await tellObject(kit, { event, prompt, context }, asked)
      : await tellReply(kit, { event, prompt, context }, asked, incompleteFor(state, action.id) !== null)
  return answerDraft(kit, action, {
    type: `${event}_${answer.is}`,
    agent,
    role: event,
    payload: { ...about, ...answer.payload },
  })
}

type AnswerEvent = { readonly is: 'answered' | 'failed' | 'incomplete'; readonly payload: object }
type ReplySource = Pick<PreparedQuestion, 'event' | 'prompt'> & { readonly context: ReplyContext }

/** As in the first edition: the parsed value, beside the reply. */
async function tellObject(
  kit: AgentsKit,
  { event, prompt, context }: ReplySource,
  { outcome, attempts }: SeatAsked,
): Promise<AnswerEvent> {
  const shaped = shapedOutcome(WANTED[event], outcome, context)
  const record = await recordAsking(kit.ports.store, prompt, outcome, attempts, shaped)
  const fault = shaped.ok ? misfit(replyOf(kit.log.state.inner, event), shaped.object) : null
  if (shaped.ok && fault === null) return { is: 'answered', payload: { ...record, reply: shaped.object } }
  const failure = shaped.ok
    ? { error_type: 'parse_error', error_message: fault ?? '' }
    : { error_type: shaped.type, error_message: shaped.message }
  return { is: 'failed', payload: { ...record, ...failure } }
}

async function tellReply(
  kit: AgentsKit,
  { event, prompt, context }: ReplySource,
  { outcome, attempts }: SeatAsked,
  isCompleting: boolean,
): Promise<AnswerEvent> {
  const record = await recordAsking(kit.ports.store, prompt, outcome, attempts)
  if (!outcome.ok) {
    const failure = { error_type: outcome.type, error_message: outcome.message }
    return { is: 'failed', payload: { ...record, reading: null, ...failure } }
  }
  const conclusion = concludeAnswer(event, outcome, context, isCompleting)
  const { reading } = conclusion
  if (conclusion.is === 'answered')
    return { is: 'answered', payload: { ...record, reading, reply: conclusion.reply } }
  if (conclusion.is === 'incomplete') return { is: 'incomplete', payload: { ...record, reading } }
  const failure = { error_type: 'parse_error', error_message: conclusion.message }
  return { is: 'failed', payload: { ...record, reading, ...failure } }
}
