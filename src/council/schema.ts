// The shape of every payload of `council/1`. A payload with an unlisted member is refused: otherwise
// unchecked content could be signed as if it had been checked.

import { ARTIFACTS, ASKING } from '../ledger/asking.ts'
import type { JsonSchema } from '../ledger/schema.ts'
import { READING } from '../reply/reading-record.ts'
import * as event from './events.ts'
import { SKIP_R2, SKIP_R3 } from './policy.ts'
import { MODES } from './replies/opinion.ts'
import { OPINION, OPINION_OR_PROSE, REPORT, REVIEW } from './replies/recorded-schemas.ts'
import { closed, listOf, oneOf, orNull, text, texts } from './replies/schema-words.ts'

const flag: JsonSchema = { type: 'boolean' }
const count: JsonSchema = { type: 'integer', minimum: 0 }
const positive: JsonSchema = { type: 'integer', minimum: 1 }
const amount: JsonSchema = { type: 'number', minimum: 0 }
const anything: JsonSchema = { type: 'object' }
const name: JsonSchema = { type: 'string', minLength: 1, maxLength: 64 }
const action: JsonSchema = { type: 'string', minLength: 1, maxLength: 200 }
const hash: JsonSchema = { type: 'string', minLength: 64, maxLength: 64 }

/** Closed, with optional members; `refuse-newer.ts` says in which editions they are allowed. */
const withOptional = (
  needed: Parameters<typeof closed>[0],
  optional: Parameters<typeof closed>[0],
): JsonSchema => ({ ...closed({ ...needed, ...optional }), required: Object.keys(needed) })

/** Longer questions belong in the context. */
export const MAX_QUESTION = 100_000
const MAX_SEATS = 16
/** A seat's stance is a few sentences. */
export const MAX_STANCE = 4_000

const SEAT = withOptional(
  {
    seat: name,
    provider: name,
    vendor: { type: 'string', minLength: 1, maxLength: 300 },
    model: orNull(text()),
    roles: listOf(oneOf(['participant', 'chair'])),
    embedded: flag,
  },
  {
    prompt_chars: positive,
    stance: { type: 'string', minLength: 1, maxLength: MAX_STANCE },
    temperature: { type: 'number', minimum: 0, maximum: 2 },
    thinking: oneOf(event.THINKING),
  },
)

const POLICY = closed({
  quorum: closed({ r1_min: positive, r2_min: count, r3_required: flag, allow_partial: flag }),
  short_circuit: closed({
    enabled: flag,
    embeddings: flag,
    conditions: closed({ skip_r2_if: listOf(oneOf(SKIP_R2)), skip_r3_if: listOf(oneOf(SKIP_R3)) }),
  }),
  budget: closed({ cost: orNull(amount), minutes: orNull(amount) }),
  timeouts: withOptional(
    {
      r1_per_provider: positive,
      r2_per_provider: positive,
      r3_chair: positive,
      cli_per_call: positive,
      r1_round: orNull(positive),
      r2_round: orNull(positive),
    },
    { r3_round: orNull(positive), each: positive },
  ),
  limits: closed({
    context_chars: count,
    r2_opinions_chars: count,
    r3_material_chars: count,
    reply_bytes: positive,
  }),
})

const SEATS: JsonSchema = { ...listOf(SEAT), minItems: 1, maxItems: MAX_SEATS }

const FOLLOW = closed({
  trace: text(),
  size: positive,
  hash,
  event: text(),
  question: text(),
  decision: text(),
  conclusion: text(),
  summary: text(),
  points: texts(),
  open: texts(),
})

const CONTEXT = closed({
  kind: oneOf(['full', 'summary', 'none']),
  files: listOf(closed({ path: text(), lines: count, bytes: count })),
  excluded: anything,
  bytes: count,
  tokens: orNull(count),
  diff: orNull(text()),
})

const ASKED = {
  action,
  seat: name,
  ...ASKING,
}

const FAILURE = closed({
  provider: name,
  round: oneOf(['R1', 'R2', 'R3']),
  error_type: oneOf(event.ERROR_TYPES),
  cause: orNull(text()),
  error_message: text(),
  retried: flag,
  fallback_used: flag,
})
const FAILED = closed({ ...ASKED, failure: FAILURE })

const DECISION = {
  triggered: flag,
  reason: text(),
  rounds_skipped: listOf(oneOf(['R2', 'R3'])),
  confidence_adjustment: { type: 'number', minimum: -1, maximum: 0 } as JsonSchema,
}

const OPENING = {
  question: { type: 'string', minLength: 1, maxLength: MAX_QUESTION },
  mode: oneOf(MODES),
  constraints: texts(),
  focus: texts(),
  seats: SEATS,
  chairs: listOf(name),
  seed: hash,
  labelled: flag,
  policy: POLICY,
  context: CONTEXT,
  follow: orNull(FOLLOW),
  artifacts: ARTIFACTS,
}

/** Of an opening that names its edition. */
export const OPENED_IN_EDITION: JsonSchema = withOptional(
  { ...OPENING, edition: positive },
  {
    left_out: listOf(closed({ seat: name, provider: name, model: orNull(text()), reason: text() })),
    scripted: { const: true },
    portions: { type: 'integer', minimum: 2, maximum: 9_999 },
    unseen: closed({
      count: positive,
      files: listOf(closed({ path: text(), shown: oneOf(['part', 'outline', 'none']) })),
    }),
  },
)

export const PAYLOADS: Readonly<Record<string, JsonSchema>> = {
  [event.OPENED]: closed({ ...OPENING, prompts: { const: 1 } }),
  [event.OPINION_GIVEN]: closed({ ...ASKED, opinion: OPINION, repaired: flag }),
  [event.OPINION_FAILED]: FAILED,
  [event.AGREEMENT_SCORED]: closed({
    action,
    encoder: text(),
    pairs: listOf(closed({ a: name, b: name, cosine: { type: 'number', minimum: -1, maximum: 1 } })),
  }),
  [event.SHORT_CIRCUIT_DECIDED]: closed({
    action,
    after: oneOf(['R1', 'R2']),
    enabled: flag,
    ...DECISION,
    shadow: closed(DECISION),
    impossible: listOf(oneOf(['R2', 'R3'])),
    criteria: anything,
  }),
  [event.REVIEW_GIVEN]: closed({ ...ASKED, review: REVIEW, repaired: flag }),
  [event.REVIEW_FAILED]: FAILED,
  [event.REPORT_GIVEN]: closed({ ...ASKED, report: REPORT, repaired: flag }),
  [event.REPORT_FAILED]: FAILED,
  [event.ROUND_CLOSED]: closed({ round: oneOf(['R1', 'R2', 'R3']), reason: { const: 'timeout' } }),
  [event.CLOSE_REQUESTED]: closed({ reason: text() }),
  [event.REPORT_ASSEMBLED]: closed({ action, report: anything }),
  [event.CLOSED]: closed({
    action,
    status: oneOf(event.STATUSES),
    reason: text(),
    report: orNull(text()),
    rounds: listOf(anything),
    metrics: anything,
  }),
}

/** Of outcomes that say how the reply was read. */
const READ = { ...ASKED, reading: READING }
const UNHEARD = closed({ ...ASKED, reading: orNull(READING), failure: FAILURE })

export const READ_PAYLOADS: Readonly<Record<string, JsonSchema>> = {
  [event.OPINION_GIVEN]: closed({ ...READ, opinion: OPINION_OR_PROSE }),
  [event.OPINION_FAILED]: UNHEARD,
  [event.OPINION_INCOMPLETE]: closed({ ...READ, prose: orNull(OPINION_OR_PROSE) }),
  [event.OPINION_JOINED]: closed({
    action,
    seat: name,
    missing: listOf(positive),
    opinion: orNull(OPINION_OR_PROSE),
    failure: orNull(FAILURE),
  }),
  [event.REVIEW_GIVEN]: closed({ ...READ, review: REVIEW }),
  [event.REVIEW_FAILED]: UNHEARD,
  [event.REVIEW_INCOMPLETE]: closed(READ),
  [event.REPORT_GIVEN]: closed({ ...READ, report: REPORT }),
  [event.REPORT_FAILED]: UNHEARD,
  [event.REPORT_INCOMPLETE]: closed(READ),
}

/** Each member may be left out. */
const AMENDMENT: JsonSchema = {
  type: 'object',
  properties: { chairs: listOf(name), seats: SEATS, policy: POLICY, retry: listOf(text()) },
  additionalProperties: false,
}

/** Of a fork: `after` is for readers, `amend` is what changes. */
export const FORK: JsonSchema = {
  type: 'object',
  properties: { parent: anything, amend: AMENDMENT, after: oneOf(['R1', 'R2', 'R3']) },
  required: ['parent'],
  additionalProperties: false,
}
