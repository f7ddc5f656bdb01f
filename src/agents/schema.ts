// The building blocks of the payload shapes of a session, and the shape of its opening. Only shape is checked
// here: whether a name exists, fits or is allowed now is for the guards. Members that are not listed are
// allowed, as everywhere in the ledger.

import type { Json } from '../ledger/canonical.ts'
import type { Artifact } from '../ledger/event.ts'
import { MEANS } from '../ledger/means.ts'
import type { AskingFields } from '../ledger/raw-reply.ts'
import {
  flag,
  integer,
  type JsonSchema,
  judged,
  list,
  number,
  oneOf,
  open,
  optionally,
  orNull,
  text as textOf,
} from '../ledger/schema.ts'
import { READING, type ReadingRecord } from '../reply/reading-record.ts'
import { PROOFS, RISKS } from './task.ts'

export const text = textOf({ minLength: 1 })
export const words = textOf()
export const id = textOf({ minLength: 1, maxLength: 200 })
export const hash = textOf({ minLength: 64, maxLength: 64 })
export const count = integer({ minimum: 0 })
export const some = integer({ minimum: 1 })
export const amount = number({ minimum: 0 })
export const texts = list(text)
export const hashes = list(hash)
export const risk = oneOf(RISKS)
export const confidence = oneOf(['low', 'medium', 'high'])
export const optionalId = orNull(id)
export const VIA = oneOf(MEANS)
export const CRITIC_VIA = oneOf(['policy', 'mind', 'council', ...MEANS])
/** The ledger checks the content. */
const anyArtifacts = judged<readonly Artifact[]>({ type: 'array' })
export const artifacts = judged<readonly Artifact[]>({ type: 'array', minItems: 1 })

const signatory = open({ agent: id, key: hash, mind: optionalId })
const step = optionally(
  open({
    id,
    tool: id,
    input: judged<{ readonly [name: string]: Json }>({ type: 'object' }),
    justification: text,
  }),
  { risk },
)
const writtenClaim = open({ text, confidence, evidence: list(open({ step: id, quote: text })) })
export const plan = {
  objective: text,
  assumptions: texts,
  required_tools: texts,
  expected_evidence: texts,
  on_failure: oneOf(['stop', 'next']),
}

export const written = {
  /** Of a written plan; a model decides its steps as it proceeds. */
  steps: list(step),
  claims: list(writtenClaim),
}

export const cost = orNull(open({ usd: amount, from: id }))

export const asking = {
  action: id,
  artifacts: anyArtifacts,
  transport: id,
  model: orNull(words),
  input_tokens: orNull(amount),
  output_tokens: orNull(amount),
  cost,
  latency_ms: count,
  attempts: judged<AskingFields['attempts']>({ type: 'array' }),
}

/** An incomplete answer, with how it was read. */
export const incomplete = { ...asking, reading: judged<ReadingRecord>(READING) }
export const failed = { ...asking, error_type: id, error_message: words }

/** A quote and its position. */
export const EVIDENCE = open({
  artifact: hash,
  /** Bytes [start, end) of the artifact; null when the executor did not find the quote there, or could not look. */
  range: judged<readonly [number, number] | null>(orNull(list(count, { minItems: 2, maxItems: 2 }))),
  quote: text,
})

export const action = id
export const reason = text

/** The task is checked by rules of its own too (`task.ts`). */
export const session: JsonSchema = optionally(
  open({
    objective: text,
    constraints: texts,
    workspace: text,
    roles: open({
      planner: signatory,
      executor: optionally(signatory, { kind: oneOf(['attached']), host: id, version: id, session: id }),
      critics: list(
        open({
          seat: id,
          kind: oneOf(['policy', 'mind', 'council', 'human']),
          agent: optionalId,
          key: orNull(hash),
        }),
        { minItems: 1 },
      ),
      auditor: open({ agent: id, key: hash }),
    }),
    policy: optionally(open({ hash, via_host: flag, fallback: flag, council_from: risk }), {
      approval_proof: oneOf(PROOFS),
      unproven: flag,
      observe: flag,
    }),
    limits: open({ steps: some, revisions: count, same_intent: some, minutes: amount, cost: orNull(amount) }),
    evidence_min: some,
    tools: list(open({ name: id, definition: hash, risk })),
    proposals: list(optionally(open(plan), written)),
    seed: text,
    artifacts: anyArtifacts,
  }),
  { continues: id },
)
