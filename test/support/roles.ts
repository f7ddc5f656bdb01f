// Every role of every protocol, as a model meets it: the shape that it is asked for, an answer of substance, and how the
// protocol reads it.

import { REPLIES, WANTED_PLAN, WANTED_TURN, WANTED_VERDICT } from '../../src/agents/replies.ts'
import type { Mode } from '../../src/council/replies/opinion.ts'
import { SHAPES } from '../../src/council/replies/schemas.ts'
import { wantedOpinion, wantedReport, wantedReview } from '../../src/council/replies/wanted.ts'
import { AUDIT_SCHEMA } from '../../src/exchange/audit.ts'
import { WANTED_AUDIT, wantedMessages } from '../../src/exchange/replies.ts'
import type { Json } from '../../src/ledger/canonical.ts'
import type { JsonSchema } from '../../src/ledger/schema.ts'
import { READER_VERSION, readReply } from '../../src/reply/read-reply.ts'
import type { Reading } from '../../src/reply/reading.ts'
import type { ReplyContext, Wanted } from '../../src/reply/wanted.ts'
import { critique, finding, opinion, report, review, target } from '../fakes/council.ts'

export interface VendorRole {
  readonly name: string
  /** Null where the answer is plain text. */
  readonly schema: JsonSchema | null
  readonly answer: object | string
  read(text: string): Reading
}

const ARTIFACT = 'a'.repeat(64)
const CONTEXT: ReplyContext = {
  prompt: 'The question is whether to adopt it.',
  labels: ['A', 'B'],
  artifacts: [ARTIFACT],
  tools: ['files.read'],
}

const role = (
  name: string,
  schema: JsonSchema | null,
  wanted: Wanted,
  answer: object | string,
): VendorRole => ({
  name,
  schema,
  answer,
  read: (text) => readReply(READER_VERSION, wanted, { text }, CONTEXT),
})

const ARCHITECTURE = {
  alternatives: [{ name: 'Wait', pros: ['cheap'], cons: ['slow'], when_to_use: 'If it is rare.' }],
  verification_plan: ['Measure it.'],
  in_scope: ['the queue'],
  out_of_scope: [],
  information_needed: [],
}
const more = (mode: Mode, findings: readonly object[]): object =>
  mode === 'review' ? { findings } : mode === 'architecture' ? ARCHITECTURE : {}
const verdict = { finding: 'A.f1', verdict: 'confirmed', severity: 'high', note: 'It is so.' }
const targetsIn = (mode: Mode) =>
  ['A', 'B'].map((label) =>
    target(label, { critiques: [critique()], ...(mode === 'review' ? { findings: [verdict] } : {}) }),
  )

const councilRoles = (mode: Mode): readonly VendorRole[] => [
  role(`opinion (${mode})`, SHAPES[2].opinion[mode], wantedOpinion(mode), opinion(more(mode, [finding()]))),
  role(
    `review (${mode})`,
    SHAPES[2].review[mode],
    wantedReview(mode),
    review({ targets: targetsIn(mode), ...(mode === 'review' ? { missed_findings: [finding()] } : {}) }),
  ),
  role(
    `chair's report (${mode})`,
    SHAPES[2].report[mode],
    wantedReport(mode),
    report(more(mode, [{ sources: ['op-1.f1'], ...finding() }])),
  ),
]

const proposal = {
  objective: 'Read the licence.',
  assumptions: [],
  required_tools: ['files.read'],
  expected_evidence: ['its first line'],
}
const turns: Readonly<Record<string, object>> = {
  intent: {
    intent: { tool: 'files.read', input: { path: 'LICENSE', lines: [1, 2] }, justification: 'To see it.' },
  },
  claims: {
    claims: [{ text: 'It is MIT.', confidence: 'high', evidence: [{ artifact: ARTIFACT, quote: 'MIT' }] }],
  },
  replan: { replan: { reason: 'It is elsewhere.', proposal } },
  give_up: { give_up: { reason: 'There is none.' } },
}

export const VENDOR_ROLES: readonly VendorRole[] = [
  ...(['ask', 'architecture', 'review'] as const).flatMap(councilRoles),
  role('planner', REPLIES[2].planner, WANTED_PLAN, { proposals: [proposal] }),
  ...Object.entries(turns).map(([name, answer]) =>
    role(`executor's turn (${name})`, REPLIES[2].executor, WANTED_TURN, answer),
  ),
  role('critic', REPLIES[2].critic, WANTED_VERDICT, { verdict: 'approve', reasons: ['It reads one file.'] }),
  role('critic with conditions', REPLIES[2].critic, WANTED_VERDICT, {
    verdict: 'conditional',
    conditions: { max_risk: 'low', tools: ['files.read'] },
    reasons: ['Only reading.'],
  }),
  role(
    'exchange member',
    null,
    wantedMessages({ max_messages: 3, max_chars: 400 }),
    'A note.\n---\nA message.',
  ),
  role('exchange auditor', AUDIT_SCHEMA, WANTED_AUDIT, {
    summary: 'They speak of tea.',
    points: [{ text: 'Tea is liked.', cites: ['m1'], clusters: [] }],
  }),
]

type Schema = { readonly [keyword: string]: unknown }
const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The answer as a model bound by this schema writes it: in the order of its members, with null for what must be there. */
export function boundBy(schema: unknown, answer: unknown): Json {
  if (!isSchema(schema)) return answer as Json
  if (Array.isArray(schema.anyOf)) {
    const branch =
      answer === null || answer === undefined
        ? null
        : schema.anyOf.find((one) => isSchema(one) && one.type !== 'null')
    return branch ? boundBy(branch, answer) : null
  }
  if (Array.isArray(answer)) return answer.map((item) => boundBy(schema.items, item))
  if (!isSchema(answer) || !isSchema(schema.properties)) return (answer ?? null) as Json
  const required = Array.isArray(schema.required) ? schema.required : []
  const members = Object.entries(schema.properties).flatMap(([name, member]) => {
    if (!(name in answer) && !required.includes(name)) return []
    return [[name, boundBy(member, answer[name])]]
  })
  return Object.fromEntries(members)
}
