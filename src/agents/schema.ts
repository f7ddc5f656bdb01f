// What a payload of each type must look like. Only shape is said here: whether what it names exists, fits or may be
// said now is for the guards. Members that are not named are allowed, as everywhere in the ledger.

import { isHash } from '../ledger/bytes.ts'
import type { Json } from '../ledger/canonical.ts'
import { isAgentName, type Payload } from '../ledger/event.ts'
import { type JsonSchema, misfit } from '../ledger/schema.ts'
import type { EventType } from './events.ts'
import { payloadOf } from './events.ts'
import { CONDITIONS, CRITIC_REPLY, EXECUTOR_REPLY, PLANNER_REPLY } from './replies.ts'
import { PROOFS, RISKS } from './task.ts'

type Members = { readonly [name: string]: Json }

const open = (properties: Members, optional: readonly string[] = []): JsonSchema => ({
  type: 'object',
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  properties,
})
const oneOf = (...values: readonly string[]): JsonSchema => ({ type: 'string', enum: values })
const list = (items: JsonSchema, minItems = 0): JsonSchema => ({ type: 'array', items, minItems })

const text: JsonSchema = { type: 'string', minLength: 1 }
const id: JsonSchema = { type: 'string', minLength: 1, maxLength: 200 }
const hash: JsonSchema = { type: 'string', minLength: 64, maxLength: 64 }
const count: JsonSchema = { type: 'integer', minimum: 0 }
const some: JsonSchema = { type: 'integer', minimum: 1 }
const flag: JsonSchema = { type: 'boolean' }
const texts = list(text)
const hashes = list(hash)
const risk = oneOf(...RISKS)
const confidence = oneOf('low', 'medium', 'high')
const optionalId: JsonSchema = { type: ['string', 'null'], minLength: 1, maxLength: 200 }
const optionalHash: JsonSchema = { type: ['string', 'null'], minLength: 64, maxLength: 64 }
const optionalNumber: JsonSchema = { type: ['number', 'null'], minimum: 0 }
const MEANS = ['terminal', 'key-file', 'host', 'passphrase', 'file', 'console', 'none'] as const
const criticVia = oneOf('policy', 'mind', 'council', ...MEANS)
const via = oneOf(...MEANS)
/** What stands inside is judged by the ledger. */
const artifacts: JsonSchema = { type: 'array', minItems: 1 }

const signatory: Members = { agent: id, key: hash, mind: optionalId }
const step = open({ id, tool: id, input: { type: 'object' }, justification: text, risk }, ['risk'])
const writtenClaim = open({ text, confidence, evidence: list(open({ step: id, quote: text })) })
const plan: Members = {
  objective: text,
  assumptions: texts,
  required_tools: texts,
  expected_evidence: texts,
  steps: list(step),
  claims: list(writtenClaim),
  on_failure: oneOf('stop', 'next'),
}
const OPTIONAL_IN_PLAN = ['steps', 'claims']

const cost: JsonSchema = {
  anyOf: [{ type: 'null' }, open({ usd: { type: 'number', minimum: 0 }, from: id })],
}

const asking: Members = {
  action: id,
  artifacts: { type: 'array' },
  transport: id,
  model: { type: ['string', 'null'] },
  input_tokens: optionalNumber,
  output_tokens: optionalNumber,
  cost,
  latency_ms: count,
  attempts: { type: 'array' },
}
const failed: Members = { ...asking, error_type: id, error_message: { type: 'string' } }

const action = id
const reason = text

export const SHAPES: Readonly<Record<EventType, JsonSchema>> = {
  session_initialized: open({
    objective: text,
    constraints: texts,
    workspace: text,
    roles: open({
      planner: open(signatory),
      executor: open(signatory),
      critics: list(
        open({
          seat: id,
          kind: oneOf('policy', 'mind', 'council', 'human'),
          agent: optionalId,
          key: optionalHash,
        }),
        1,
      ),
      auditor: open({ agent: id, key: hash }),
    }),
    policy: open(
      {
        hash,
        via_host: flag,
        fallback: flag,
        council_from: risk,
        approval_proof: oneOf(...PROOFS),
        unproven: flag,
      },
      ['approval_proof', 'unproven'],
    ),
    limits: open({
      steps: some,
      revisions: count,
      same_intent: some,
      minutes: { type: 'number', minimum: 0 },
      cost: optionalNumber,
    }),
    evidence_min: some,
    tools: list(open({ name: id, definition: hash, risk })),
    proposals: list(open(plan, OPTIONAL_IN_PLAN)),
    seed: text,
    artifacts: { type: 'array' },
  }),
  planner_answered: open({ ...asking, reply: PLANNER_REPLY }),
  planner_failed: open(failed),
  proposal_created: open({ action, proposal: id, revises: optionalId, ...plan, via }, [
    ...OPTIONAL_IN_PLAN,
    'via',
  ]),
  proposal_reviewed: open({
    action,
    proposal: id,
    seat: id,
    verdict: oneOf('approved', 'conditional', 'rejected'),
    conditions: CONDITIONS,
    reasons: texts,
    via: criticVia,
  }),
  critic_answered: open({ ...asking, subject: id, seat: id, reply: CRITIC_REPLY }),
  critic_failed: open({ ...failed, subject: id, seat: id }),
  council_convened: open({ action, intent: id, seat: id, trace: id }),
  council_heard: open({
    action,
    intent: id,
    seat: id,
    trace: id,
    head: hash,
    size: some,
    decision: { type: ['string', 'null'] },
    unresolved_high: count,
    degraded: flag,
    reasons: texts,
    cost,
  }),
  executor_answered: open({ ...asking, subject: id, reply: EXECUTOR_REPLY }),
  executor_failed: open({ ...failed, subject: id }),
  tool_intent_signed: open({
    action,
    intent: id,
    proposal: id,
    step: optionalId,
    tool: id,
    definition: hash,
    input_hash: hash,
    risk,
    justification: text,
    revises: optionalId,
    artifacts,
  }),
  intent_assessed: open({
    action,
    intent: id,
    decision: oneOf('allow', 'deny'),
    needs: oneOf('none', 'critic', 'human'),
    risk,
    policy: hash,
    deciding: texts,
    reasons: texts,
  }),
  intent_approved: open({
    action,
    intent: id,
    seat: id,
    intent_hash: hash,
    input_hash: hash,
    definition: hash,
    policy: hash,
    expires: { type: 'string', minLength: 24, maxLength: 24 },
    via: criticVia,
    reasons: texts,
  }),
  intent_blocked: open({ action, intent: id, seat: id, reason, via: criticVia }),
  tool_execution_started: open({ action, intent: id, approvals: hashes, input_hash: hash, definition: hash }),
  approval_voided: open({
    action,
    intent: id,
    why: oneOf('expired', 'tool_changed', 'policy_changed'),
    reason,
  }),
  tool_execution_completed: open({
    action,
    intent: id,
    duration_ms: count,
    truncated: flag,
    secrets_removed: count,
    artifacts,
  }),
  tool_execution_failed: open({
    action,
    intent: id,
    error_type: id,
    error_message: { type: 'string' },
    duration_ms: count,
    artifacts,
  }),
  tool_execution_indeterminate: open({ action, intent: id, reason }),
  execution_resolved: open({ action, intent: id, as: oneOf('failed', 'again'), reason, via }),
  limit_reached: open({
    action,
    limit: oneOf('steps', 'revisions', 'same_intent', 'minutes', 'cost'),
    proposal: optionalId,
    bound: { type: 'number', minimum: 0 },
  }),
  proposal_closed: open({
    action,
    proposal: id,
    outcome: oneOf('succeeded', 'failed', 'limit', 'replanned', 'abandoned'),
    reason,
  }),
  claim_issued: open({
    action,
    claim: id,
    proposal: id,
    text,
    confidence,
    evidence: list(
      open({
        artifact: hash,
        range: {
          anyOf: [{ type: 'null' }, { type: 'array', minItems: 2, maxItems: 2, items: count }],
        },
        quote: text,
      }),
    ),
    revises: optionalId,
  }),
  claim_withdrawn: open({ action, claim: id, text, reason }),
  claim_accepted: open({ action, claim: id, seat: id, unchecked: hashes, via: criticVia }),
  claim_challenged: open({
    claim: id,
    seat: id,
    ground: oneOf('weak', 'contradicted'),
    reason,
    via: criticVia,
  }),
  final_statement_signed: open({
    action,
    claims: list(id),
    unproven: list(open({ text, reason })),
    text,
  }),
  verification_run_started: open({ action }),
  verification_run_completed: open({
    action,
    status: oneOf('pass', 'pass-with-warnings', 'fail'),
    report: hash,
    trace: id,
    size: some,
    head: hash,
    artifacts,
  }),
  session_failed: open({ code: id, event: optionalId, reason }),
  session_aborted: open({ reason, via }),
}

/** Ids come into action ids, which are split at slashes, and into prompts. */
const PLAIN_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

function namesFault(payload: Payload): string | null {
  const task = payloadOf({ payload }, 'session_initialized')
  const seats = task.roles.critics.map(({ seat }) => seat)
  const steps = task.proposals.map((proposal) => (proposal.steps ?? []).map((found) => found.id))
  const tools = task.tools.map(({ name }) => name)
  if (![...seats, ...steps.flat()].every((name) => PLAIN_ID.test(name))) return 'an id holds other characters'
  if (!task.roles.critics.every(({ agent }) => agent === null || isAgentName(agent))) return 'no agent name'
  const doubled = [seats, tools, ...steps].some((names) => new Set(names).size !== names.length)
  if (doubled) return 'an id stands twice'
  return [task.policy.hash, ...task.tools.map((tool) => tool.definition)].every(isHash)
    ? null
    : 'a hash is malformed'
}

/** Null when the payload has the shape of its type, else which place does not. */
export function shapeFault(type: EventType, payload: Payload): string | null {
  const fault = misfit(SHAPES[type], payload)
  return fault ?? (type === 'session_initialized' ? namesFault(payload) : null)
}
