// What a model may answer in a session. The schemas are sent to it and its answer is checked against them; an
// answer is data, and has no effect until the events that follow from it are signed and, where required,
// approved.

import type { Json } from '../ledger/canonical.ts'
import type { JsonSchema } from '../ledger/schema.ts'
import type { Rule, WantedValue } from '../reply/wanted.ts'
import type { Edition } from './editions.ts'
import { type Conditions, type Confidence, type Plan, RISKS, type Risk } from './task.ts'

/** Reads a range of any artifact of the session; it has no effects, so it is neither approved nor executed. */
export const PAGE_TOOL = 'session.page'

export interface Page {
  readonly artifact: string
  readonly start: number
  readonly length: number
}

export interface ThoughtPlan extends Omit<Plan, 'steps' | 'claims' | 'on_failure'> {}

export interface PlannerReply {
  readonly proposals: readonly ThoughtPlan[]
}

export interface ThoughtIntent {
  readonly tool: string
  readonly input: { readonly [name: string]: Json }
  readonly justification: string
  readonly risk?: Risk
}

export interface ThoughtClaim {
  readonly text: string
  readonly confidence: Confidence
  /** The quote is searched in the artifact; its position is computed, not taken from the model. */
  readonly evidence: readonly { readonly artifact: string; readonly quote: string }[]
}

/** Exactly one of these. */
export type ExecutorReply =
  | { readonly intent: ThoughtIntent }
  | { readonly claims: readonly ThoughtClaim[] }
  | { readonly replan: { readonly reason: string; readonly proposal: ThoughtPlan } }
  | { readonly give_up: { readonly reason: string } }

export interface CriticReply {
  readonly verdict: 'approve' | 'conditional' | 'reject'
  /** For a proposal that is approved on conditions. */
  readonly conditions?: Conditions
  /** For a claim that is not approved. */
  readonly ground?: 'weak' | 'contradicted'
  readonly reasons: readonly string[]
}

const closed = (required: readonly string[], properties: { readonly [name: string]: Json }): JsonSchema => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
})
const text = (maxLength: number): JsonSchema => ({ type: 'string', minLength: 1, maxLength })
const texts = (maxItems: number, maxLength = 2_000): JsonSchema => ({
  type: 'array',
  maxItems,
  items: text(maxLength),
})

const risk: JsonSchema = { type: 'string', enum: [...RISKS] }
const confidence: JsonSchema = { type: 'string', enum: ['low', 'medium', 'high'] }

const plan = closed(['objective', 'assumptions', 'required_tools', 'expected_evidence'], {
  objective: text(2_000),
  assumptions: texts(20),
  required_tools: texts(50, 200),
  expected_evidence: texts(20),
})

const evidence = closed(['artifact', 'quote'], {
  artifact: { type: 'string', minLength: 64, maxLength: 64 },
  quote: text(4_000),
})

const claim = closed(['text', 'confidence', 'evidence'], {
  text: text(2_000),
  confidence,
  evidence: { type: 'array', minItems: 1, maxItems: 20, items: evidence },
})

const intent = closed(['tool', 'input', 'justification'], {
  tool: text(200),
  input: { type: 'object' },
  justification: text(2_000),
  risk,
})

export const PLANNER_REPLY: JsonSchema = closed(['proposals'], {
  proposals: { type: 'array', minItems: 1, maxItems: 5, items: plan },
})

export const EXECUTOR_REPLY: JsonSchema = {
  type: 'object',
  anyOf: [
    closed(['intent'], { intent }),
    closed(['claims'], { claims: { type: 'array', minItems: 1, maxItems: 20, items: claim } }),
    closed(['replan'], { replan: closed(['reason', 'proposal'], { reason: text(2_000), proposal: plan }) }),
    closed(['give_up'], { give_up: closed(['reason'], { reason: text(2_000) }) }),
  ],
}

export const CONDITIONS: JsonSchema = closed([], {
  tools: texts(50, 200),
  max_risk: risk,
  steps: texts(100, 200),
})

export const CRITIC_REPLY: JsonSchema = closed(['verdict', 'reasons'], {
  verdict: { type: 'string', enum: ['approve', 'conditional', 'reject'] },
  conditions: CONDITIONS,
  ground: { type: 'string', enum: ['weak', 'contradicted'] },
  reasons: texts(20),
})

/** What an answer is recorded as, no matter what was asked for. */
export const RECORDED_REPLIES = {
  planner: PLANNER_REPLY,
  executor: EXECUTOR_REPLY,
  critic: CRITIC_REPLY,
} as const

const turn = (description: string, schema: JsonSchema): JsonSchema => ({ ...schema, description })

/** One member of four; some vendors do not accept a union at the root. Reasons come before what follows from them. */
const EXECUTOR_ASKED: JsonSchema = {
  ...closed([], {
    intent: turn(
      'One call of one tool.',
      closed(['justification', 'tool', 'input'], {
        justification: text(2_000),
        tool: text(200),
        input: { type: 'object' },
        risk,
      }),
    ),
    claims: {
      type: 'array',
      maxItems: 20,
      items: closed(['text', 'evidence', 'confidence'], {
        text: text(2_000),
        evidence: { type: 'array', minItems: 1, maxItems: 20, items: evidence },
        confidence,
      }),
    },
    replan: closed(['reason', 'proposal'], { reason: text(2_000), proposal: plan }),
    give_up: closed(['reason'], { reason: text(2_000) }),
  }),
  description: 'Give exactly one of "intent", "claims", "replan" and "give_up".',
}

const CRITIC_ASKED: JsonSchema = closed(['reasons', 'verdict'], {
  reasons: texts(20),
  ground: { type: 'string', enum: ['weak', 'contradicted'] },
  conditions: CONDITIONS,
  verdict: { type: 'string', enum: ['approve', 'conditional', 'reject'] },
})

/** What each role is asked for, by version; a released version never changes. */
export const REPLIES = {
  1: RECORDED_REPLIES,
  2: { planner: PLANNER_REPLY, executor: EXECUTOR_ASKED, critic: CRITIC_ASKED },
} as const satisfies Record<Edition['replies'], object>

const CONFIDENCE: Rule = { as: 'confidence', default: 'low' }

/** How a planner's answer is read. A proposal has only the objective that it states. */
export const WANTED_PLAN: WantedValue = {
  form: 'value',
  schema: PLANNER_REPLY,
  rules: { required_tools: { as: 'id' } },
  says: [],
  bare: [{ member: 'proposals', list: true, by: ['objective'] }],
  acts: false,
  wrappers: ['plan', 'plans'],
  prose: null,
}

/** How an executor's answer is read: one step, its input exactly as written. */
export const WANTED_TURN: WantedValue = {
  form: 'value',
  schema: EXECUTOR_REPLY,
  rules: {
    'intent.tool': { as: 'id' },
    'intent.input': { as: 'input' },
    required_tools: { as: 'id' },
    artifact: { as: 'artifact' },
    confidence: CONFIDENCE,
  },
  says: [],
  bare: [
    { member: 'intent', list: false, by: ['tool', 'input'] },
    { member: 'claims', list: true, by: ['text', 'evidence'] },
    { member: 'replan', list: false, by: ['reason', 'proposal'] },
  ],
  acts: true,
  wrappers: ['turn', 'step', 'action'],
  prose: null,
}

/** How a critic's answer is read: only an explicit verdict approves, and no condition is dropped. */
export const WANTED_VERDICT: WantedValue = {
  form: 'value',
  schema: CRITIC_REPLY,
  rules: {
    verdict: {
      words: {
        approve: ['approved'],
        conditional: ['conditionally approved', 'approve with conditions', 'approved with conditions'],
        reject: ['rejected', 'block', 'blocked', 'deny', 'denied', 'not approved'],
      },
    },
    conditions: { as: 'exact' },
    'conditions.tools': { as: 'id' },
    'conditions.steps': { as: 'id' },
  },
  says: [],
  bare: [],
  acts: true,
  narrowedBy: {
    names: [
      'condition',
      'constraint',
      'restrict',
      'limit',
      'require',
      'unless',
      'only',
      'provided',
      'except',
    ],
    missing: 'conditions',
  },
  wrappers: ['review', 'critique', 'critic', 'judgement', 'judgment', 'assessment'],
  prose: null,
}
