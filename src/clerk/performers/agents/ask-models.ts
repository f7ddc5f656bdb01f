// A mind is asked for a plan, a step, or its judgement, with a prompt that anyone who has the trace can make again.
// What it answers is kept whole and recorded as its answer; nothing is done because of it before others have had
// their say.

import { replyOf } from '../../../agents/examine-prompts.ts'
import { askedFrom, askedPrompt } from '../../../agents/prompts/asked.ts'
import type { AskedRole, Prompt } from '../../../agents/prompts/material.ts'
import { artifactsShown } from '../../../agents/prompts/prompts.ts'
import { misfit } from '../../../ledger/schema.ts'
import type { Draft } from '../../../ledger/seal.ts'
import { type Action, MAX_READ_BYTES } from '../../../protocol.ts'
import { artifactBytes } from '../../artifact-bytes.ts'
import { recordAsking } from '../../call-records.ts'
import { nobodySits } from '../../seat.ts'
import { type AgentsDesk, saying } from './ports.ts'

const MAX_REPLY_BYTES = 1_000_000

interface Asked {
  readonly event: AskedRole
  readonly agent: string
  readonly mind: string
  readonly about: object
  readonly prompt: Prompt
}

async function materialFor({ ports }: AgentsDesk, hashes: readonly string[]) {
  const contents = new Map<string, Uint8Array>()
  for (const hash of hashes) {
    const found = await ports.store.statArtifact(hash)
    const bytes = found && found.size <= MAX_READ_BYTES ? await artifactBytes(ports.store, hash) : null
    if (bytes) contents.set(hash, bytes)
  }
  return { sha256: ports.sha256, content: (hash: string) => contents.get(hash) ?? null }
}

async function askedBy(desk: AgentsDesk, action: Action): Promise<Asked> {
  const state = askedFrom(desk.log.state.inner, action.id)
  const roles = state?.task?.roles
  if (!state || !roles) throw new Error(`${action.id} is asked without having been started`)
  const { seat, proposal, intent, claim } = action.input
  const subject = String(action.input.subject ?? intent ?? claim ?? proposal ?? '')
  const material = await materialFor(desk, artifactsShown(state, subject))
  const shown = (role: AskedRole) => askedPrompt(role, state, { action: action.id, subject }, material)
  if (action.id.startsWith('plan/')) {
    const { agent, mind } = roles.planner
    return { event: 'planner', agent, mind: mind ?? '', about: {}, prompt: shown('planner') }
  }
  if (action.id.startsWith('act/')) {
    const { agent, mind } = roles.executor
    return { event: 'executor', agent, mind: mind ?? '', about: { subject }, prompt: shown('executor') }
  }
  const agent = roles.critics.find((critic) => critic.seat === seat)?.agent ?? ''
  return { event: 'critic', agent, mind: String(seat), about: { subject, seat }, prompt: shown('critic') }
}

export async function askModel(
  desk: AgentsDesk,
  action: Action,
  signal: AbortSignal,
): Promise<readonly Draft[]> {
  const { event, agent, mind, about, prompt } = await askedBy(desk, action)
  const seat = desk.minds.get(mind)
  const limits = { maxOutputTokens: null, maxReplyBytes: MAX_REPLY_BYTES }
  const asked = seat ? await seat.ask({ round: event, ...prompt, limits, signal }) : nobodySits(mind)
  if (signal.aborted) throw signal.reason
  const { outcome, attempts } = asked
  const record = await recordAsking(desk.ports.store, prompt, outcome, attempts)
  const fault = outcome.ok ? misfit(replyOf(desk.log.state.inner, event), outcome.object) : null
  if (outcome.ok && fault === null) {
    const payload = { ...record, ...about, reply: outcome.object }
    return saying(desk, action, { type: `${event}_answered`, agent, role: event, payload })
  }
  const failure = outcome.ok
    ? { error_type: 'parse_error', error_message: fault ?? '' }
    : { error_type: outcome.type, error_message: outcome.message }
  return saying(desk, action, {
    type: `${event}_failed`,
    agent,
    role: event,
    payload: { ...record, ...about, ...failure },
  })
}
