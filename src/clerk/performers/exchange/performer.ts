// Performs what an exchange decides: opens rounds as they were worked out, asks minds and the auditor, has their
// messages turned into vectors, and says what the protocol says follows. It concludes nothing by itself.

import { AUDIT_READERS } from '../../../exchange/audit.ts'
import { branchPayload } from '../../../exchange/branch.ts'
import { editionOf } from '../../../exchange/editions.ts'
import { AUDITOR, MIND, POLICY } from '../../../exchange/events.ts'
import { auditRequest, type ExchangeRequest, mindRequest } from '../../../exchange/prompts/request.ts'
import { REPLY_READERS } from '../../../exchange/split-reply.ts'
import type { ExchangeState } from '../../../exchange/state.ts'
import { type Called, CLERK } from '../../../ledger/calls.ts'
import type { Json } from '../../../ledger/canonical.ts'
import { asJsonObject } from '../../../ledger/canonical.ts'
import type { Payload } from '../../../ledger/event.ts'
import type { Draft } from '../../../ledger/seal.ts'
import type { Action } from '../../../protocol.ts'
import { recordAsking } from '../../call-records.ts'
import type { Perform } from '../../clerk.ts'
import { forkTrace } from '../../fork.ts'
import type { Ports } from '../../ports.ts'
import type { Registrar } from '../../registrar.ts'
import { type AskableSeat, nobodySits } from '../../seat.ts'
import type { TraceLog } from '../../trace-log.ts'
import type { Regard } from './judge-messages.ts'

export interface ExchangeDesk {
  readonly ports: Ports
  readonly registrar: Registrar
  readonly log: TraceLog<Called<ExchangeState>>
  /** By the names that the terms use. */
  readonly minds: ReadonlyMap<string, AskableSeat>
  readonly regard: Regard
}

const MAX_REPLY_BYTES = 1_000_000

/** Which event a record of this kind is told by; it says exactly what was worked out. */
const RECORDS: Readonly<Record<string, string>> = {
  round: 'round_opened',
  role: 'role_reported',
  signal: 'signal_raised',
  clear: 'signal_cleared',
  phase: 'phase_changed',
}

export function exchangePerformer(desk: ExchangeDesk): Perform {
  const { ports, registrar, log, minds } = desk
  const say = (type: string, agent: string, role: string, payload: object): readonly Draft[] => [
    { type, actor: registrar.actor(agent, role), payload: payload as Payload },
  ]

  /** Asks, keeps what was asked and answered, and gives the reply or the failure to be told. */
  async function ask(name: string, request: ExchangeRequest, action: Action, signal: AbortSignal) {
    const seat = minds.get(name)
    const limits = {
      maxOutputTokens: log.state.inner.round?.under?.pool.max_output_tokens ?? null,
      maxReplyBytes: MAX_REPLY_BYTES,
    }
    const asking = { round: 'round', ...request, limits, signal }
    const { outcome, attempts, failure } = seat ? await seat.ask(asking) : nobodySits(name)
    if (signal.aborted) throw signal.reason
    const record = await recordAsking(ports.store, request, outcome, attempts)
    const told = { action: action.id, round: Number(action.input.round), mind: name }
    return { outcome, record, told, failure }
  }

  const failed = (type: string, told: object, record: object, error: string, message: string) =>
    say(type, CLERK, CLERK, { ...record, ...told, error_type: error, message })

  async function askModel(action: Action, signal: AbortSignal): Promise<readonly Draft[]> {
    const name = String(action.input.mind)
    const state = log.state.inner
    const request = mindRequest(ports.sha256, state, { action: action.id, mind: name })
    const terms = state.round?.under
    if (!request || !terms) throw new Error(`${action.id} is no longer open`)
    const { outcome, record, told } = await ask(name, request, action, signal)
    if (!outcome.ok) return failed('mind_failed', told, record, outcome.type, outcome.message)
    const {
      messages,
      dropped,
      private: apart,
    } = REPLY_READERS[editionOf(state).replies](outcome.text, terms.pool)
    const written = { ...record, ...told, messages, dropped, private_chars: apart.length }
    return say('mind_wrote', name, MIND, written)
  }

  async function askAuditor(action: Action, signal: AbortSignal): Promise<readonly Draft[]> {
    const name = String(action.input.mind)
    const state = log.state.inner
    const request = auditRequest(ports.sha256, state, action.id)
    if (!request || !state.round) throw new Error(`${action.id} is no longer open`)
    const ground = { material: state.round.material, clusters: state.clusters?.notes ?? [] }
    const { outcome, record, told } = await ask(name, request, action, signal)
    if (!outcome.ok) return failed('audit_failed', told, record, outcome.type, outcome.message)
    const audit = AUDIT_READERS[editionOf(state).audits](outcome.object, ground)
    if (typeof audit === 'string') return failed('audit_failed', told, record, 'parse_error', audit)
    const { mind: _, ...about } = told
    return say('audit_written', name, AUDITOR, { ...record, ...about, ...audit })
  }

  async function embed(action: Action, signal: AbortSignal): Promise<readonly Draft[]> {
    const about = { action: action.id, round: Number(action.input.round) }
    const wanted = action.input.messages as readonly string[]
    const found = await desk.regard(log.state.inner, wanted, signal)
    if (signal.aborted) throw signal.reason
    return typeof found === 'string'
      ? say('embedding_failed', CLERK, CLERK, { ...about, message: found })
      : say('messages_embedded', CLERK, CLERK, { ...about, ...found })
  }

  /** The answer that the policy of the terms gives, in a trace of its own where it leads on. */
  function answerByPolicy({ input }: Action): readonly Draft[] {
    const { signal, answer, terms, branch } = input as { readonly [name: string]: Json }
    const order = branch === null ? null : { ...(branch as object), into: ports.newTrace() }
    const said = { signal, answer, terms, branch: order, reason: null }
    return say('signal_answered', POLICY, POLICY, said)
  }

  async function makeBranch(action: Action): Promise<readonly Draft[]> {
    const into = String(action.input.into)
    await finishBranch(desk, into, { agent: POLICY, role: POLICY })
    return say('branched', POLICY, POLICY, { into })
  }

  return async (action, signal) => {
    const kind = action.id.slice(0, action.id.indexOf('/'))
    const record = RECORDS[kind]
    if (record !== undefined) return say(record, CLERK, CLERK, { action: action.id, ...action.input })
    if (kind === 'mind') return askModel(action, signal)
    if (kind === 'audit') return askAuditor(action, signal)
    if (kind === 'embed') return embed(action, signal)
    if (kind === POLICY) return answerByPolicy(action)
    if (kind === 'fork') return makeBranch(action)
    throw new Error(`an exchange has no action ${kind}`)
  }
}

/** Makes the trace of a branch that was ordered, unless an attempt that was cut short has made it already. */
export async function finishBranch(
  { ports, registrar, log }: Pick<ExchangeDesk, 'ports' | 'registrar' | 'log'>,
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
