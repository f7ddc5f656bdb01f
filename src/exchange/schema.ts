// Who may say what in an exchange, and in which shape. A payload says nothing besides what its shape knows, except
// where the record of an asking lies beside it.

import { CLERK } from '../ledger/calls.ts'
import { type JsonSchema, misfit } from '../ledger/schema.ts'
import { AUDITOR, MIND, OBSERVER, POLICY } from './events.ts'

const text = { type: 'string', minLength: 1, maxLength: 20_000 } as const
const word = { type: 'string', minLength: 1, maxLength: 300 } as const
const reason = { type: ['string', 'null'], maxLength: 4_000 } as const
const count = { type: 'integer', minimum: 0, maximum: 1_000_000_000 } as const
const number = { type: 'number' } as const
const list = (items: JsonSchema) => ({ type: 'array', items, maxItems: 5_000 }) as const
const part = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})
/** With what need not be there. */
const optionally = (shape: JsonSchema, properties: Record<string, JsonSchema>): JsonSchema => ({
  ...shape,
  properties: { ...(shape as { properties: Record<string, JsonSchema> }).properties, ...properties },
})
/** Carries the record of an asking besides. */
const open = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  properties: { ...properties, artifacts: { type: 'array', maxItems: 100 } },
  required: [...Object.keys(properties), 'artifacts'],
})

const action = word
const round = count
const ids = list(word)
const point = part({ text, cites: ids, clusters: ids })
const terms = { type: 'object' } as const
const failed = open({ action, round, mind: word, error_type: word, message: { type: 'string' } })
const branch = part({
  into: word,
  round,
  carry: { enum: ['window', 'audit', 'none'] },
  terms: { type: ['object', 'null'] },
  current: { type: 'boolean' },
})
const answer = { enum: ['branch', 'rollback', 'amend', 'acknowledge', 'halt'] } as const
const embedded = {
  encoder: word,
  messages: list(part({ id: word, score: { type: ['number', 'null'] } })),
  assigned: list(part({ id: word, cluster: { type: ['string', 'null'] } })),
  clusters: list(part({ id: word, label: { type: 'string' }, size: count, share: number })),
  alarms: list(part({ kind: word, cluster: { type: ['string', 'null'] }, text })),
}

interface Kind {
  readonly by: readonly string[]
  readonly shape: JsonSchema
}

const KINDS: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  [
    'exchange_opened',
    {
      by: [OBSERVER],
      shape: optionally(
        part({
          terms,
          encoder: word,
          fence: { type: 'string', minLength: 16, maxLength: 64 },
          seats: list(part({ name: word, model: { type: ['string', 'null'] } })),
        }),
        { prompts: count, edition: count },
      ),
    },
  ],
  [
    'round_opened',
    {
      by: [CLERK],
      shape: part({
        action,
        round,
        kind: { enum: ['pool', 'audit'] },
        terms: word,
        samples: list(part({ mind: word, messages: ids })),
      }),
    },
  ],
  [
    'mind_wrote',
    {
      by: [MIND],
      shape: open({
        action,
        round,
        mind: word,
        messages: list(part({ text, cut: { type: 'boolean' } })),
        dropped: count,
        private_chars: count,
      }),
    },
  ],
  ['mind_failed', { by: [CLERK], shape: failed }],
  ['messages_embedded', { by: [CLERK], shape: open({ action, round, ...embedded }) }],
  ['reembedded', { by: [OBSERVER], shape: open(embedded) }],
  ['embedding_failed', { by: [CLERK], shape: part({ action, round, message: { type: 'string' } }) }],
  [
    'audit_written',
    {
      by: [AUDITOR],
      shape: open({
        action,
        round,
        summary: text,
        points: list(point),
        rejected: list(point),
        left_out: ids,
      }),
    },
  ],
  ['audit_failed', { by: [CLERK], shape: failed }],
  [
    'role_reported',
    { by: [CLERK], shape: part({ action, round, role: { enum: ['auditor', 'observer'] }, text }) },
  ],
  [
    'observer_spoke',
    { by: [OBSERVER], shape: part({ text, audit: { type: ['integer', 'null'], minimum: 0 } }) },
  ],
  ['observer_passed', { by: [OBSERVER], shape: part({ audit: count }) }],
  ['injected', { by: [OBSERVER], shape: part({ text }) }],
  ['pinned', { by: [OBSERVER], shape: part({ message: word }) }],
  ['unpinned', { by: [OBSERVER], shape: part({ message: word }) }],
  [
    'signal_raised',
    {
      by: [CLERK],
      shape: part({
        action,
        signal: count,
        round,
        level: number,
        share: number,
        series: list(part({ round, level: number, share: number })),
        rounds: list(part({ round, asking: count, messages: count })),
        top: ids,
        clusters: list(part({ id: word, label: { type: 'string' }, asking: count })),
      }),
    },
  ],
  ['signal_cleared', { by: [CLERK], shape: part({ action, signal: count, round, level: number }) }],
  [
    'signal_answered',
    {
      by: [OBSERVER, POLICY],
      shape: part({
        signal: count,
        answer,
        reason,
        terms: { type: ['object', 'null'] },
        branch: { anyOf: [{ type: 'null' }, branch] },
      }),
    },
  ],
  [
    'phase_changed',
    { by: [CLERK], shape: part({ action, signal: count, answer, asked: ids, changed: ids }) },
  ],
  ['terms_amended', { by: [OBSERVER], shape: part({ terms, reason }) }],
  ['branch_ordered', { by: [OBSERVER], shape: part({ branch, reason }) }],
  ['branched', { by: [OBSERVER, POLICY], shape: part({ into: word }) }],
  ['paused', { by: [OBSERVER], shape: part({ reason }) }],
  ['continued', { by: [OBSERVER], shape: part({ until: count, mode: { enum: ['run', 'chat'] } }) }],
  ['exchange_halted', { by: [OBSERVER], shape: part({ reason }) }],
])

export const EVENT_TYPES: readonly string[] = [...KINDS.keys()]

/** Who may say this; undefined when nobody can, since an exchange knows no such event. */
export const speakersOf = (type: string): readonly string[] | undefined => KINDS.get(type)?.by

/** What an observer said through an MCP host may be marked so, and is when a door of ours took it. */
function markable({ by, shape }: Kind): JsonSchema {
  if (!by.includes(OBSERVER)) return shape
  const { properties } = shape as { readonly properties: Record<string, JsonSchema> }
  return { ...shape, properties: { ...properties, via: { const: 'host' } } }
}

/** Why a payload has not the shape of its type; null when it has. */
export function shapeProblem(type: string, payload: unknown): string | null {
  const kind = KINDS.get(type)
  return kind ? misfit(markable(kind), payload) : `${type} is no event of an exchange`
}

/** What the first event of a branch must say. */
export const BRANCH_SHAPE: JsonSchema = {
  type: 'object',
  required: ['branch'],
  properties: {
    branch: part({
      ...(branch.properties as Record<string, JsonSchema>),
      order: word,
      by_policy: count,
      signal: { anyOf: [{ type: 'null' }, part({ number: count, answer, asked: ids })] },
    }),
  },
}
