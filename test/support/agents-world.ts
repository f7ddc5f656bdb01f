// A world for sessions of agents in which everything is known beforehand: who answers what, what tools do, what the
// policy says and how late it is. It performs decided actions as the clerk's performer would, as drafts to be signed.

import { editionOf } from '../../src/agents/editions.ts'
import { incompleteFor } from '../../src/agents/prompts/completing.ts'
import { concludeAnswer, replyContext } from '../../src/agents/read-answer.ts'
import { toHex } from '../../src/ledger/bytes.ts'
import { canonicalize } from '../../src/ledger/canonical.ts'
import { type Artifact, artifactsOf, type Payload } from '../../src/ledger/event.ts'
import { type RawReply, writeRaw } from '../../src/ledger/raw-reply.ts'
import type { Draft } from '../../src/ledger/signing.ts'
import type { Action, Actor } from '../../src/protocol.ts'
import { sha256 } from '../../src/stores/digest.ts'
import {
  type Asked,
  askedPrompt,
  type CriticReply,
  checkQuotes,
  DEFAULT_LIMITS,
  type ExecutorReply,
  findQuote,
  NEWEST,
  type Payloads,
  type PlannerReply,
  type Prompt,
  type RecordInput,
  type SessionState,
  type Task,
} from './all-of-agents.ts'
import { namedKey } from './ports.ts'

export const SEATS: Readonly<Record<string, readonly string[]>> = {
  clerk: ['clerk'],
  olga: ['operator'],
  paula: ['planner'],
  eve: ['executor'],
  policy: ['critic'],
  carl: ['critic'],
  claude: ['critic'],
  council: ['critic'],
  aude: ['auditor'],
}

export const by = (agent: string, role: string = SEATS[agent]?.[0] ?? ''): Actor => ({
  agent,
  role,
  key: namedKey(agent).id,
})

export const hashOf = (content: string | Uint8Array): string => toHex(sha256(Buffer.from(content)))
const POLICY = hashOf('policy')
export const TOOLS = ['files.read', 'files.write', 'shell.run'].map((name) => ({
  name,
  definition: canonicalize({ name }),
}))

export const artifact = (content: string, name: string): Artifact => ({
  hash: hashOf(content),
  size: Buffer.byteLength(content),
  name,
  media_type: 'application/json',
})

const signatory = (agent: string) => ({ agent, key: namedKey(agent).id })

type Opening = Payloads['session_initialized']

/** A written task of one proposal with two steps and one claim; every part can be set otherwise. */
export function task(change: Partial<Task> = {}): Opening {
  return {
    objective: 'State the licence of every package',
    constraints: ['change nothing'],
    workspace: 'vendor',
    roles: {
      planner: { ...signatory('paula'), mind: null },
      executor: { ...signatory('eve'), mind: null },
      critics: [{ seat: 'policy', kind: 'policy', ...signatory('policy') }],
      auditor: signatory('aude'),
    },
    policy: { hash: POLICY, via_host: false, fallback: true, council_from: 'high' },
    limits: DEFAULT_LIMITS,
    evidence_min: 1,
    tools: TOOLS.map(({ name, definition }) => ({
      name,
      definition: hashOf(definition),
      risk: 'low' as const,
    })),
    proposals: [written()],
    seed: 'seed',
    edition: NEWEST,
    ...change,
    artifacts: TOOLS.map(({ name, definition }) => artifact(definition, `${name}.json`)),
  }
}

export const written = (change: Partial<Task['proposals'][number]> = {}): Task['proposals'][number] => ({
  objective: 'Read each LICENSE',
  assumptions: ['one LICENSE per package'],
  required_tools: ['files.read'],
  expected_evidence: ['licence text'],
  steps: [
    { id: 'a', tool: 'files.read', input: { path: 'a/LICENSE' }, justification: 'licence of a' },
    { id: 'b', tool: 'files.read', input: { path: 'b/LICENSE' }, justification: 'licence of b' },
  ],
  claims: [{ text: 'a is MIT', confidence: 'high', evidence: [{ step: 'a', quote: 'MIT License' }] }],
  on_failure: 'stop',
  ...change,
})

/** The same session with minds: a planner, an executor, and whichever critics are named. */
export const plannedTask = (critics: Task['roles']['critics'] = [], change: Partial<Task> = {}): Opening => {
  const base = task()
  return task({
    proposals: [],
    roles: {
      ...base.roles,
      planner: { ...base.roles.planner, mind: 'thinker' },
      executor: { ...base.roles.executor, mind: 'thinker' },
      critics: [...base.roles.critics, ...critics],
    },
    ...change,
  })
}

export const MIND = { seat: 'claude', kind: 'mind', ...signatory('claude') } as const
export const COUNCIL = { seat: 'council', kind: 'council', ...signatory('council') } as const
export const HUMAN = { seat: 'human', kind: 'human', agent: null, key: null } as const

type Assessment = Pick<Payloads['intent_assessed'], 'decision' | 'needs' | 'risk'>

export interface World {
  /** The time of the next event. */
  at: string
  readonly artifacts: Map<string, Buffer>
  assess(tool: string, input: unknown): Assessment
  /** What the tool leaves; an error when it fails. */
  tool(tool: string, input: unknown): string | Error
  plan(round: number): PlannerReply | null
  act(subject: string, turn: number): ExecutorReply | null
  judge(subject: string, seat: string): CriticReply | null
  council(intent: string): Partial<Payloads['council_heard']>
  audit(): Payloads['verification_run_completed']['status']
}

export const LICENCE = 'The MIT License\nPermission is hereby granted\n'

export function world(change: Partial<World> = {}): World {
  return {
    at: '2026-01-01T00:00:00.000Z',
    artifacts: new Map(TOOLS.map(({ definition }) => [hashOf(definition), Buffer.from(definition)])),
    assess: () => ({ decision: 'allow', needs: 'none', risk: 'low' }),
    tool: () => LICENCE,
    plan: () => null,
    act: () => null,
    judge: () => ({ verdict: 'approve', reasons: ['nothing against it'] }),
    council: () => ({}),
    audit: () => 'pass',
    ...change,
  }
}

const later = (at: string, minutes: number): string =>
  new Date(Date.parse(at) + minutes * 60_000).toISOString()

function keep(w: World, content: string, name: string): Artifact {
  w.artifacts.set(hashOf(content), Buffer.from(content))
  return artifact(content, name)
}

const failure = { error_type: 'timeout', error_message: 'no answer' }

/** What a mind wrote, word for word. */
interface RecordedAction {
  readonly raw: RawReply
}

const isWrote = (reply: unknown): reply is RecordedAction =>
  typeof reply === 'object' && reply !== null && 'raw' in reply

const outcomeOf = (reply: unknown, isFirst: boolean): object => {
  if (reply === null) return { ok: false, type: failure.error_type }
  return isFirst ? { ok: true, object: reply } : { ok: true }
}

const rawOf = (reply: unknown): RawReply => (isWrote(reply) ? reply.raw : { text: JSON.stringify(reply) })

const asked = (w: World, prompt: Prompt, reply: unknown, isFirst: boolean) => ({
  artifacts: [
    keep(w, canonicalize({ ...prompt }), 'request.json'),
    keep(w, canonicalize(outcomeOf(reply, isFirst)), 'reply.json'),
    ...(isFirst || reply === null
      ? []
      : [keep(w, Buffer.from(writeRaw(rawOf(reply))).toString(), 'raw.json')]),
  ],
  transport: 'api',
  model: 'm',
  input_tokens: 1,
  output_tokens: 1,
  cost: { usd: 0.01, from: 'prices' },
  latency_ms: 1,
  attempts: [],
})

type Answered = 'planner' | 'executor' | 'critic'

/** As the clerk's performer would show it, of the session as it stands now. */
function promptOf(w: World, state: SessionState | undefined, role: Answered, asked: Asked): Prompt {
  const content = (hash: string): Buffer | null => w.artifacts.get(hash) ?? null
  return state ? askedPrompt(role, state, asked, { sha256, content }) : { system: '', parts: [], schema: {} }
}

function answered({ w, action, state }: WorldAction, role: Answered, about: Payload, reply: unknown): Draft {
  const actor = by(role === 'planner' ? 'paula' : role === 'executor' ? 'eve' : String(about.seat))
  const prompt = promptOf(w, state, role, {
    action: action.id,
    subject: String(about.subject ?? ''),
  })
  const isFirst = editionOf(state?.task ?? {}).replies === 1
  const { is, ...said } = saidOf(role, action.id, state, prompt, reply)
  const payload = {
    action: action.id,
    ...about,
    ...asked(w, prompt, reply, isFirst),
    ...said,
  } as unknown as Payload
  return { type: `${role}_${is}`, actor, payload }
}

function saidOf(
  role: Answered,
  action: string,
  state: SessionState | undefined,
  prompt: Prompt,
  reply: unknown,
): { readonly is: string } {
  const isFirst = editionOf(state?.task ?? {}).replies === 1
  if (reply === null) return { is: 'failed', ...failure, ...(isFirst ? {} : { reading: null }) }
  if (isFirst || !state) return { is: 'answered', ...{ reply } }
  const isCompleting = incompleteFor(state, action) !== null
  const found = concludeAnswer(role, rawOf(reply), replyContext(state, prompt.parts), isCompleting)
  if (found.is !== 'failed') return found
  return {
    is: 'failed',
    ...{ reading: found.reading, error_type: 'parse_error', error_message: found.message },
  }
}

interface WorldAction {
  readonly w: World
  readonly action: Action
  readonly state: SessionState | undefined
}

const ASKS: Readonly<Record<string, (doing: WorldAction) => Draft>> = {
  plan: (doing) => answered(doing, 'planner', {}, doing.w.plan(Number(doing.action.input.round))),
  act: (doing) => {
    const { subject, turn } = doing.action.input
    const reply = doing.w.act(String(subject), Number(turn))
    return answered(doing, 'executor', { subject: String(subject) }, reply)
  },
  consult: (doing) => {
    const { w, action } = doing
    const { intent, proposal, trace, seat } = action.input
    const over = proposal === undefined ? { intent } : { proposal }
    const subject = String(action.input.subject ?? action.input.proposal)
    if (trace === undefined) {
      const about = { subject, seat: String(seat) }
      return answered(doing, 'critic', about, w.judge(subject, String(seat)))
    }
    const heard = { decision: 'adopt', unresolved_high: 0, degraded: false, reasons: ['adopted'], cost: null }
    const place = { action: action.id, ...over, seat, trace, head: hashOf('head'), size: 9 }
    const payload = { ...place, ...heard, ...w.council(String(intent ?? proposal)) } as Payload
    return { type: 'council_heard', actor: by('council'), payload }
  },
}

const DECIDES: Readonly<Record<string, (w: World, action: Action) => Draft>> = {
  convene: (_, { id, input: { intent, proposal, seat } }) => ({
    type: 'council_convened',
    actor: by('council'),
    payload: {
      action: id,
      ...(proposal === undefined ? { intent } : { proposal }),
      seat,
      trace: '01KE0000000000000000000099',
    } as Payload,
  }),
  assess: (w, { id, input: { intent, tool, input } }) => ({
    type: 'intent_assessed',
    actor: by('policy'),
    payload: {
      action: id,
      intent,
      ...w.assess(String(tool), input),
      policy: POLICY,
      deciding: ['p0'],
      reasons: ['as the policy says'],
    } as Payload,
  }),
  start: (w, { id, input: { intent, approvals, input_hash, definition, expires } }) => {
    const late = w.at >= String(expires)
    const voided = { action: id, intent, why: 'expired', reason: 'too late' }
    const payload = late ? voided : { action: id, intent, approvals, input_hash, definition }
    const type = late ? 'approval_voided' : 'tool_execution_started'
    return { type, actor: by('eve'), payload: payload as Payload }
  },
  tool: (w, { id, input: { intent, tool, input } }) => {
    const result = w.tool(String(tool), input)
    const kept = keep(w, canonicalize(input), 'input.json')
    const failed = result instanceof Error
    const type = failed ? 'tool_execution_failed' : 'tool_execution_completed'
    const said = failed
      ? { error_type: 'error', error_message: result.message, artifacts: [kept] }
      : { truncated: false, secrets_removed: 0, artifacts: [kept, keep(w, result, 'output.txt')] }
    return {
      type,
      actor: by('eve'),
      payload: { action: id, intent, duration_ms: 1, ...said } as unknown as Payload,
    }
  },
  weigh: (w, { id, input: { claim, seat, evidence } }) => {
    const content = (hash: string): Buffer | null => w.artifacts.get(hash) ?? null
    const { contradicted, unchecked } = checkQuotes(
      evidence as unknown as Payloads['claim_issued']['evidence'],
      content,
    )
    const about = { action: id, claim, seat, via: 'policy' }
    return contradicted === null
      ? { type: 'claim_accepted', actor: by('policy'), payload: { ...about, unchecked } as Payload }
      : {
          type: 'claim_challenged',
          actor: by('policy'),
          payload: { ...about, ground: 'contradicted', reason: contradicted } as Payload,
        }
  },
  verify: (w, { id, input: { trace, size, hash } }) => {
    const report = keep(w, canonicalize({ report: 1, size }), 'report.json')
    const payload = {
      action: id,
      status: w.audit(),
      report: report.hash,
      trace,
      size,
      head: hash,
      artifacts: [report],
    }
    return { type: 'verification_run_completed', actor: by('aude'), payload: payload as unknown as Payload }
  },
}

function signed(w: World, action: Action, say: RecordInput): Draft {
  const { find, input } = action.input as { find?: { artifacts: string[]; quote: string }[]; input?: unknown }
  const evidence = find?.map(({ artifacts, quote }) => {
    const found = artifacts.flatMap((hash) => {
      const bytes = w.artifacts.get(hash)
      const range = bytes && findQuote(bytes, quote)
      return range ? [{ artifact: hash, range, quote }] : []
    })
    return found[0] ?? { artifact: artifacts[0], range: null, quote }
  })
  const payload = {
    action: action.id,
    ...say.payload,
    ...(evidence ? { evidence } : {}),
    ...(say.type === 'intent_approved' ? { expires: later(w.at, 30) } : {}),
    ...(say.type === 'tool_intent_signed' ? { artifacts: [keep(w, canonicalize(input), 'input.json')] } : {}),
  }
  return { type: say.type, actor: by(say.agent, say.role), payload: payload as unknown as Payload }
}

/** What is recorded of an action, in order; a call is announced before. */
export function perform(w: World, action: Action, state?: SessionState): readonly Draft[] {
  const { say } = action.input as { say?: RecordInput }
  const kind = action.id.split('/')[0] ?? ''
  const asks = ASKS[kind]?.({ w, action, state })
  const outcome = say ? signed(w, action, say) : (asks ?? DECIDES[kind]?.(w, action))
  if (!outcome) throw new Error(`nobody performs ${action.id}`)
  for (const { hash } of artifactsOf(outcome.payload)) if (!w.artifacts.has(hash)) throw new Error('not kept')
  if (action.call === 'record') return [outcome]
  const started = {
    action: action.id,
    call: action.call,
    clerk: 'C',
    input: hashOf(canonicalize(action.input)),
  }
  return [{ type: 'call_started', actor: by('clerk'), payload: started as Payload }, outcome]
}

/** What a person says who is waited for. */
export function personVerdict(w: World, action: Action, agent = 'carl'): Draft {
  const kind = action.id.split('/')[0]
  const about = { action: action.id, ...action.input }
  if (kind === 'review') {
    const payload = { ...about, verdict: 'approved', conditions: {}, reasons: ['fine'], via: 'terminal' }
    return { type: 'proposal_reviewed', actor: by(agent, 'critic'), payload: payload as Payload }
  }
  if (kind === 'judge') {
    const payload = { ...about, via: 'terminal', reasons: ['seen'], expires: later(w.at, 30) }
    return { type: 'intent_approved', actor: by(agent, 'critic'), payload: payload as Payload }
  }
  if (kind === 'resolve') {
    const payload = { ...about, as: 'again', reason: 'it did not run', via: 'terminal' }
    return { type: 'execution_resolved', actor: by(agent, 'critic'), payload: payload as Payload }
  }
  if (kind === 'weigh') {
    const payload = { ...about, unchecked: [], via: 'terminal' }
    return { type: 'claim_accepted', actor: by(agent, 'critic'), payload: payload as Payload }
  }
  throw new Error(`nobody answers ${action.id}`)
}

/** What a planner answers who wants one file read. */
export const plan = {
  objective: 'Read it',
  assumptions: [],
  required_tools: ['files.read'],
  expected_evidence: ['text'],
}
/** What an executor answers who wants to read a file. */
export const read = (path: string): ExecutorReply => ({
  intent: { tool: 'files.read', input: { path }, justification: 'look' },
})
