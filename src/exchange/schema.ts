// Who may record what in an exchange, and in which shape. A payload contains only what its shape lists,
// except where the record of a model call is beside it.

import { CLERK } from '../ledger/calls.ts'
import type { Artifact } from '../ledger/event.ts'
import { MEANS } from '../ledger/means.ts'
import type { AskingFields } from '../ledger/raw-reply.ts'
import {
  closed,
  flag,
  integer,
  type JsonSchema,
  judged,
  list as listOf,
  number as numberIn,
  oneOf,
  open,
  optionally,
  orNull,
  type Schema,
  text as textOf,
  type ValueOf,
} from '../ledger/schema.ts'
import { misfit } from '../ledger/schema-fault.ts'
import { READING, type ReadingRecord } from '../reply/reading-record.ts'
import type { Terms } from './terms.ts'

export const OBSERVER = 'observer'
export const POLICY = 'policy'
export const MIND = 'mind'
export const AUDITOR = 'auditor'
export const JUDGE = 'judge'

/** The members that a model call adds to an event; a round needs only the cost. */
export type Asked = Pick<AskingFields, 'artifacts'> &
  Partial<Pick<AskingFields, 'input_tokens' | 'output_tokens' | 'cost' | 'attempts'>>

const text = textOf({ minLength: 1, maxLength: 20_000 })
const word = textOf({ minLength: 1, maxLength: 300 })
const words = textOf()
const reason = orNull(textOf({ maxLength: 4_000 }))
const count = integer({ minimum: 0, maximum: 1_000_000_000 })
const number = numberIn()
const list = <Item>(items: Schema<Item>) => listOf(items, { maxItems: 5_000 })
/** Also contains the record of a model call. */
const recorded = <P extends { readonly [name: string]: JsonSchema }>(properties: P) => {
  const artifacts = judged<readonly Artifact[]>({ type: 'array', maxItems: 100 })
  const shape = open({ ...properties, artifacts })
  return shape as Schema<ValueOf<typeof shape> & Asked>
}

const action = word
const round = count
const ids = list(word)
const terms = judged<Terms>({ type: 'object' })
const termsOrNull = judged<Terms | null>({ type: ['object', 'null'] })
export const CARRIES = ['window', 'audit', 'none'] as const
export const CARRY = oneOf(CARRIES)
export const ANSWER = oneOf(['branch', 'rollback', 'amend', 'acknowledge', 'halt'])

export const POINT = closed({ text, cites: ids, clusters: ids })
export const CLUSTER = closed({ id: word, label: words, size: count, share: number })
export const ALARM = closed({ kind: word, cluster: orNull(words), text })
export const SAMPLE = closed({ mind: word, messages: ids })

/** A message that asks, and the quoted words. */
export const CITED = closed({ id: textOf({ maxLength: 64 }), quote: textOf({ maxLength: 1_000 }) })

/** A theme in which messages ask. Share, growth and members are of the second edition. */
export const ASKING_THEME = optionally(closed({ id: word, label: words, asking: count }), {
  share: number,
  /** Its share of the newer half of the window, minus that of the older. */
  growth: number,
  members: ids,
})
const incomplete = recorded({ action, round, mind: word, reading: judged<ReadingRecord>(READING) })
const failed = recorded({ action, round, mind: word, error_type: word, message: words })
const embedded = {
  encoder: word,
  messages: list(closed({ id: word, score: orNull(number) })),
  /** New assignments, and those of older messages that changed; null is noise. */
  assigned: list(closed({ id: word, cluster: orNull(words) })),
  clusters: list(CLUSTER),
  alarms: list(ALARM),
}
const order = {
  /** The trace that is to be the branch. */
  into: word,
  /** The last round of this trace that the branch has seen. */
  round,
  carry: CARRY,
  /** New terms, or null to continue under those in force at that round. */
  terms: termsOrNull,
  /** The exchange continues there and no longer here. */
  current: flag,
}

export const ORDER = closed(order)

/** The payload of each event, and who may record it. */
export const KINDS = {
  exchange_opened: {
    by: [OBSERVER],
    shape: optionally(
      closed({
        terms,
        /** Name of the encoder that makes the vectors. */
        encoder: word,
        /** The marks around quoted text are derived from it; minds never see it. */
        fence: textOf({ minLength: 16, maxLength: 64 }),
        seats: list(closed({ name: word, model: orNull(words) })),
      }),
      {
        /**
         * Only the edition of the prompt text, as older openings name it; `edition` is of all rules
         * (`editions.ts`), the first by default.
         */
        prompts: count,
        edition: count,
        /** A demo: every mind, the auditor and the judge answer from a script. Since edition 2. */
        scripted: judged<true>({ const: true }),
      },
    ),
  },
  /** Fixes what every writer of a round is shown, before anyone is asked. */
  round_opened: {
    by: [CLERK],
    shape: closed({
      action,
      round,
      kind: oneOf(['pool', 'audit']),
      /** Hash of the terms of this round. */
      terms: word,
      samples: list(SAMPLE),
    }),
  },
  mind_wrote: {
    by: [MIND],
    shape: recorded({
      action,
      round,
      mind: word,
      messages: list(closed({ text, cut: flag })),
      /** Blocks over the limit of the terms. */
      dropped: count,
      /** How much was written before the first separator. The text itself is only in `reply.json`. */
      private_chars: count,
    }),
  },
  mind_failed: { by: [CLERK], shape: failed },
  mind_incomplete: { by: [CLERK], shape: incomplete },
  messages_embedded: { by: [CLERK], shape: recorded({ action, round, ...embedded }) },
  reembedded: { by: [OBSERVER], shape: recorded(embedded) },
  embedding_failed: { by: [CLERK], shape: closed({ action, round, message: words }) },
  audit_written: {
    by: [AUDITOR],
    shape: recorded({
      action,
      round,
      summary: text,
      points: list(POINT),
      /** Points that cite nothing the auditor was shown: kept for the observer, not injected. */
      rejected: list(POINT),
      /** Clusters of the window that no point mentions. */
      left_out: ids,
    }),
  },
  audit_failed: { by: [CLERK], shape: failed },
  audit_incomplete: { by: [CLERK], shape: incomplete },
  role_reported: {
    by: [CLERK],
    shape: closed({ action, round, role: oneOf(['auditor', 'observer']), text }),
  },
  observer_spoke: {
    by: [OBSERVER],
    shape: closed({
      text,
      /** The round of the audit it answers. */
      audit: orNull(integer({ minimum: 0 })),
    }),
  },
  observer_passed: { by: [OBSERVER], shape: closed({ audit: count }) },
  injected: { by: [OBSERVER], shape: closed({ text }) },
  pinned: { by: [OBSERVER], shape: closed({ message: word }) },
  unpinned: { by: [OBSERVER], shape: closed({ message: word }) },
  /** Fixes what a judge is shown, and in which order, before it is asked. */
  judging_opened: {
    by: [CLERK],
    shape: closed({
      action,
      judging: count,
      round,
      mind: word,
      purpose: oneOf(['judge', 'confirm']),
      shown: ids,
      /** Minds of the pool that are this judge, or that the opening assigns the same model. */
      shares: ids,
    }),
  },
  restart_judged: {
    by: [JUDGE],
    shape: recorded({
      action,
      round,
      mind: word,
      asks: list(CITED),
      /** Cited, but not shown, or not with these words. */
      struck: list(CITED),
    }),
  },
  judge_failed: { by: [CLERK], shape: failed },
  judge_incomplete: { by: [CLERK], shape: incomplete },
  /** The scorer finds requests, and there is no judge to ask: shown to the observer, and nothing waits for it. */
  restart_alarmed: { by: [CLERK], shape: closed({ action, alarm: count, round, level: number, top: ids }) },
  signal_raised: {
    by: [CLERK],
    shape: optionally(
      closed({
        action,
        signal: count,
        round,
        level: number,
        share: number,
        series: list(closed({ round, level: number, share: number })),
        rounds: list(closed({ round, asking: count, messages: count })),
        top: ids,
        clusters: list(ASKING_THEME),
      }),
      { basis: oneOf(['tags', 'judged']) },
    ),
  },
  signal_cleared: { by: [CLERK], shape: closed({ action, signal: count, round, level: number }) },
  signal_answered: {
    by: [OBSERVER, POLICY],
    shape: closed({
      signal: count,
      answer: ANSWER,
      reason,
      /** With `amend`. */
      terms: termsOrNull,
      /** With `branch` and `rollback`. */
      branch: orNull(ORDER),
    }),
  },
  phase_changed: {
    by: [CLERK],
    shape: closed({
      action,
      signal: count,
      answer: ANSWER,
      /** Ids of the messages that asked most clearly. */
      asked: ids,
      /** Keys of the terms that were changed. */
      changed: ids,
    }),
  },
  terms_amended: { by: [OBSERVER], shape: closed({ terms, reason }) },
  branch_ordered: { by: [OBSERVER], shape: closed({ branch: ORDER, reason }) },
  branched: { by: [OBSERVER, POLICY], shape: closed({ into: word }) },
  paused: { by: [OBSERVER], shape: closed({ reason }) },
  continued: { by: [OBSERVER], shape: closed({ until: count, mode: oneOf(['run', 'chat']) }) },
  exchange_halted: { by: [OBSERVER], shape: closed({ reason }) },
} as const

interface Kind {
  readonly by: readonly string[]
  readonly shape: JsonSchema
}

const kindOf = (type: string): Kind | undefined =>
  Object.hasOwn(KINDS, type) ? KINDS[type as keyof typeof KINDS] : undefined

export const EVENT_TYPES: readonly string[] = Object.keys(KINDS)

/** Who may record this; undefined when no one can, since an exchange has no such event. */
export const speakersOf = (type: string): readonly string[] | undefined => kindOf(type)?.by

/** How an observer acted may be stated with the act; whether it must, the edition says (`means.ts`). */
const markable = ({ by, shape }: Kind): JsonSchema =>
  by.includes(OBSERVER) ? optionally(shape, { via: { enum: [...MEANS] } }) : shape

/** Why a payload does not have the shape of its type; null when it does. */
export function shapeProblem(type: string, payload: unknown): string | null {
  const kind = kindOf(type)
  return kind ? misfit(markable(kind), payload) : `${type} is no event of an exchange`
}

/** The required content of the first event of a branch. */
export const BRANCH_SHAPE = open({
  branch: closed({
    ...order,
    /** `trace/seq` of the order. */
    order: word,
    /** How often a policy has branched or rolled back along this line, including this branch. */
    by_policy: count,
    /** The signal that the branch answers. */
    signal: orNull(closed({ number: count, answer: ANSWER, asked: ids })),
  }),
})
