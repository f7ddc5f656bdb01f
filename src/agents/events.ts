// Every event type of agents/1 with its payload. A payload that answers an action names it in `action`;
// artifacts are in the top-level list `artifacts`, as everywhere in the ledger. lifecycle.ts says who may
// record which of these in which phase. Each payload is written once, as its shape.

import { isHash } from '../ledger/bytes.ts'
import { type Artifact, isAgentName, type Payload } from '../ledger/event.ts'
import {
  flag,
  judged,
  list,
  oneOf,
  open,
  optionally,
  orNull,
  type Schema,
  text as textOf,
  type ValueOf,
} from '../ledger/schema.ts'
import { misfit } from '../ledger/schema-fault.ts'
import { payloadReader } from '../protocol.ts'
import { ATTACHED_SHAPES, openCalled, openReported, openSigned } from './attached/shapes.ts'
import {
  CONDITIONS,
  CRITIC_REPLY,
  type CriticReply,
  EXECUTOR_REPLY,
  type ExecutorReply,
  PLANNER_REPLY,
  type PlannerReply,
} from './replies.ts'
import {
  action,
  amount,
  artifacts,
  asking,
  CRITIC_VIA,
  confidence,
  cost,
  count,
  EVIDENCE,
  failed,
  hash,
  hashes,
  id,
  incomplete,
  optionalId,
  plan,
  reason,
  risk,
  session,
  some,
  text,
  texts,
  VIA,
  words,
  written,
} from './schema.ts'
import type { Conditions, Task } from './task.ts'

const CHALLENGE = open({
  claim: id,
  seat: id,
  ground: oneOf(['weak', 'contradicted']),
  reason,
  via: CRITIC_VIA,
})

/** What a council judges: an intent, or since edition 2 a proposal. */
const OVER = { intent: id, proposal: id }

export const SHAPES = {
  session_initialized: judged<Task & { readonly artifacts: readonly Artifact[] }>(session),
  planner_answered: open({ ...asking, reply: judged<PlannerReply>(PLANNER_REPLY) }),
  planner_failed: open(failed),
  planner_incomplete: open(incomplete),
  proposal_created: optionally(open({ action, proposal: id, revises: optionalId, ...plan }), {
    ...written,
    /** How a proposal by hand was given. */
    via: VIA,
  }),
  proposal_reviewed: open({
    action,
    proposal: id,
    seat: id,
    verdict: oneOf(['approved', 'conditional', 'rejected']),
    conditions: judged<Conditions>(CONDITIONS),
    reasons: texts,
    via: CRITIC_VIA,
  }),
  critic_answered: open({ ...asking, subject: id, seat: id, reply: judged<CriticReply>(CRITIC_REPLY) }),
  critic_failed: open({ ...failed, subject: id, seat: id }),
  critic_incomplete: open({ ...incomplete, subject: id, seat: id }),
  council_convened: optionally(open({ action, seat: id, trace: id }), OVER),
  council_heard: optionally(
    open({
      action,
      seat: id,
      trace: id,
      /** Hash of the last event of the council's trace, and how many it has. */
      head: hash,
      size: some,
      /** What the chair decided; null when there was none to decide. */
      decision: orNull(words),
      unresolved_high: count,
      /** A lost quorum, a timeout, or a fallback text instead of the chair's. */
      degraded: flag,
      reasons: texts,
      /** Of all its calls, where that is known. */
      cost,
    }),
    OVER,
  ),
  executor_answered: open({ ...asking, subject: id, reply: judged<ExecutorReply>(EXECUTOR_REPLY) }),
  executor_failed: open({ ...failed, subject: id }),
  executor_incomplete: open({ ...incomplete, subject: id }),
  tool_intent_signed: openSigned({
    action,
    intent: id,
    proposal: id,
    step: optionalId,
    tool: id,
    definition: hash,
    /** SHA-256 of the input as canonical JSON: at once the hash of the artifact `input.json`. */
    input_hash: hash,
    risk,
    justification: text,
    revises: optionalId,
    artifacts,
  }),
  intent_assessed: open({
    action,
    intent: id,
    decision: oneOf(['allow', 'deny']),
    /** The critics whose verdicts it needs in addition to the policy's. */
    needs: oneOf(['none', 'critic', 'human']),
    risk,
    policy: hash,
    deciding: texts,
    reasons: texts,
  }),
  intent_approved: open({
    action,
    intent: id,
    seat: id,
    /** Hash of the event `tool_intent_signed`. */
    intent_hash: hash,
    input_hash: hash,
    definition: hash,
    policy: hash,
    /** From this time on it approves nothing. */
    expires: textOf({ minLength: 24, maxLength: 24 }),
    via: CRITIC_VIA,
    reasons: texts,
  }),
  intent_blocked: open({ action, intent: id, seat: id, reason, via: CRITIC_VIA }),
  tool_execution_started: openCalled({
    action,
    intent: id,
    /** Hashes of the approvals that this uses up. */
    approvals: hashes,
    input_hash: hash,
    /** The definition of the tool as it is offered now. */
    definition: hash,
  }),
  approval_voided: open({
    action,
    intent: id,
    why: oneOf(['expired', 'tool_changed', 'policy_changed']),
    reason,
  }),
  tool_execution_completed: openReported({
    action,
    intent: id,
    duration_ms: count,
    truncated: flag,
    secrets_removed: count,
    /** The input and the output. */
    artifacts,
  }),
  tool_execution_failed: openReported({
    action,
    intent: id,
    error_type: id,
    error_message: words,
    duration_ms: count,
    artifacts,
  }),
  tool_execution_indeterminate: open({ action, intent: id, reason }),
  execution_resolved: open({
    action,
    intent: id,
    /** `failed`: treated as failed. `again`: a new intent is to be made for the same thing. */
    as: oneOf(['failed', 'again']),
    reason,
    via: VIA,
  }),
  limit_reached: open({
    action,
    limit: oneOf(['steps', 'revisions', 'same_intent', 'minutes', 'cost']),
    /** The proposal it ends; null when it ends all work of the session. */
    proposal: optionalId,
    bound: amount,
  }),
  proposal_closed: open({
    action,
    proposal: id,
    outcome: oneOf(['succeeded', 'failed', 'limit', 'replanned', 'abandoned']),
    reason,
  }),
  claim_issued: open({
    action,
    claim: id,
    proposal: id,
    text,
    confidence,
    evidence: list(EVIDENCE),
    revises: optionalId,
  }),
  /** Also of a claim that was never issued, because what it was based on never ran. */
  claim_withdrawn: open({ action, claim: id, text, reason }),
  claim_accepted: open({
    action,
    claim: id,
    seat: id,
    /** Artifacts that were not available; the audit reports them. */
    unchecked: hashes,
    via: CRITIC_VIA,
  }),
  claim_challenged: CHALLENGE as Schema<ValueOf<typeof CHALLENGE> & { readonly action?: string }>,
  final_statement_signed: open({
    action,
    claims: list(id),
    unproven: list(open({ text, reason })),
    text,
  }),
  verification_run_started: open({ action }),
  verification_run_completed: open({
    action,
    status: oneOf(['pass', 'pass-with-warnings', 'fail']),
    /** SHA-256 of the report in canonical JSON: at once the hash of the artifact `report.json`. */
    report: hash,
    /** What was verified: the trace up to and with `verification_run_started`. */
    trace: id,
    size: some,
    head: hash,
    artifacts,
  }),
  ...ATTACHED_SHAPES,
  session_failed: open({ code: id, event: optionalId, reason }),
  session_aborted: open({ reason, via: VIA }),
} as const

export type EventType = keyof typeof SHAPES

/** What each event carries, by its type. */
export type Payloads = { readonly [Type in EventType]: ValueOf<(typeof SHAPES)[Type]> }

export const payloadOf = payloadReader<Payloads>()

/** How a person gave a decision. */
export type Via = ValueOf<typeof VIA>
/** How a critic gave a verdict: from a seat of the session's own machine, or as a person. */
export type CriticVia = ValueOf<typeof CRITIC_VIA>
/** The evidence of a claim: a quote, and the step or artifact that contains it. */
export type Evidence = ValueOf<typeof EVIDENCE>

/** Ids become parts of action ids, which are split at slashes, and of prompts. */
const PLAIN_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

function namesFault(payload: Payload): string | null {
  const task = payloadOf({ payload }, 'session_initialized')
  const seats = task.roles.critics.map(({ seat }) => seat)
  const steps = task.proposals.map((proposal) => (proposal.steps ?? []).map((step) => step.id))
  const tools = task.tools.map(({ name }) => name)
  if (![...seats, ...steps.flat()].every((name) => PLAIN_ID.test(name))) return 'an id holds other characters'
  if (!task.roles.critics.every(({ agent }) => agent === null || isAgentName(agent))) return 'no agent name'
  const doubled = [seats, tools, ...steps].some((names) => new Set(names).size !== names.length)
  if (doubled) return 'an id occurs twice'
  return [task.policy.hash, ...task.tools.map((tool) => tool.definition)].every(isHash)
    ? null
    : 'a hash is malformed'
}

/** Null when the payload has the shape of its type, otherwise the place of the first fault. */
export function shapeFault(type: EventType, payload: Payload): string | null {
  const fault = misfit(SHAPES[type], payload)
  return fault ?? (type === 'session_initialized' ? namesFault(payload) : null)
}
