// The shape of every payload of `eval/1`. An unlisted member is refused: otherwise unchecked content could be
// signed as if it had been checked.

import { ARTIFACTS, ASKING } from '../ledger/asking.ts'
import type { Json } from '../ledger/canonical.ts'
import {
  closed,
  flag,
  integer,
  type JsonSchema,
  judged,
  list,
  number,
  oneOf,
  orNull,
  text,
} from '../ledger/schema.ts'
import type { ReadingRecord } from '../reply/reading-record.ts'
import { READING } from '../reply/reading-record.ts'

const count = integer({ minimum: 0 })
const positive = integer({ minimum: 1 })
const amount = number({ minimum: 0 })
const name = text({ minLength: 1, maxLength: 64 })
const armName = text({ minLength: 1, maxLength: 100 })
const action = text({ minLength: 1, maxLength: 200 })
const hash = text({ minLength: 64, maxLength: 64 })
/** Longer answers are cut here. */
export const MOST_TEXT = 1_200
const longText = text({ maxLength: MOST_TEXT })

/** The edition of its rules. */
export const EDITION = 1
export const MOST_ITEMS = 20_000

const SEAT = closed({
  seat: name,
  provider: name,
  vendor: text({ minLength: 1, maxLength: 300 }),
  model: orNull(text()),
  roles: list(oneOf(['participant', 'chair'])),
  prompt_chars: orNull(positive),
})

const SET = closed({
  name: text({ maxLength: 300 }),
  format: text({ maxLength: 20 }),
  /** Of the file as it was given. */
  sha256: hash,
  /** How many it has, and how many of them are asked. */
  size: positive,
  items: integer({ minimum: 1, maximum: MOST_ITEMS }),
})

const PRIMARY = closed({ arm: armName, against: armName })

export const OPENING = closed({
  edition: integer({ minimum: 1 }),
  set: SET,
  arms: list(armName, { minItems: 1, maxItems: 64 }),
  /** The one comparison that the verdict is about, fixed before anything is asked. */
  primary: PRIMARY,
  repeat: integer({ minimum: 1, maximum: 100 }),
  /** This many of the first items are given to a second council, in another order. */
  stability: count,
  seats: list(SEAT, { minItems: 1, maxItems: 16 }),
  chairs: list(name),
  /** The policy of its councils, as they record it themselves. */
  policy: judged<{ readonly [name: string]: Json }>({ type: 'object' }),
  /** 32 bytes as hex; ties, ids of councils and marks follow from it. */
  seed: hash,
  concurrency: integer({ minimum: 1, maximum: 256 }),
  budget_usd: orNull(amount),
  /** The set as it is asked: one artifact. */
  artifacts: ARTIFACTS,
})

const PLACE = closed({ file: text({ maxLength: 400 }), line: count })
const VOICE = {
  seat: name,
  /** `trace/seq` of the event that contains it. */
  event: text({ maxLength: 60 }),
  text: longText,
  confidence: text({ maxLength: 20 }),
}
const TOOK = { usd: orNull(amount), tokens: orNull(count), ms: count }

const TARGET = closed({
  seat: name,
  /** Its position before the reviewer, from 1. */
  place: positive,
  chars: count,
  critiques: count,
  severe: count,
})

export const HELD = closed({
  action,
  item: count,
  rep: positive,
  variant: text({ minLength: 1, maxLength: 80 }),
  grader: text({ maxLength: 80 }),
  /** The council, when it was over. */
  council: closed({ trace: text({ maxLength: 40 }), size: positive, hash }),
  status: text({ maxLength: 40 }),
  opinions: list(closed({ ...VOICE, ...TOOK, findings: list(PLACE) })),
  reviews: list(closed({ ...VOICE, ...TOOK, targets: list(TARGET) })),
  report: orNull(
    closed({
      event: text({ maxLength: 60 }),
      text: longText,
      confidence: text({ maxLength: 20 }),
      synthesis: text({ maxLength: 20 }),
      findings: list(PLACE),
    }),
  ),
  /** Rounds that the short circuit would have skipped. */
  skips: list(oneOf(['R2', 'R3'])),
  /** Of this trace alone. Sums of the known values. */
  spent: closed({ usd: orNull(amount), unknown: count, calls: count, tokens: orNull(count) }),
  /** The longest call of each of its rounds, one after the other. */
  ms: count,
})

const ASKED = {
  action,
  item: count,
  rep: positive,
  seat: name,
  ...ASKING,
}

const FAILED = { error_type: text({ maxLength: 40 }), message: text() }
const JUDGING = { ...ASKED, answer: count, order: oneOf(['first', 'second']) }
const reading = judged<ReadingRecord>(READING)

const HITS = closed({ hit: count, planted: count, reported: count })

export const GRADED = closed({
  action,
  item: count,
  rep: positive,
  id: text({ minLength: 1, maxLength: 200 }),
  cluster: orNull(text({ maxLength: 200 })),
  grades: list(
    closed({
      /** An arm, or a stage: `after:SEAT`, `after-vote`, `council-again`. */
      voice: armName,
      /** Null where it is unknown. */
      grade: orNull(flag),
      /** The key by which the answer is compared; null without one. */
      key: orNull(text({ maxLength: 200 })),
      hits: orNull(HITS),
    }),
  ),
})

const COMPARED = closed({
  n: count,
  only_first: count,
  only_second: count,
  difference: number(),
  low: number(),
  high: number(),
  p: number(),
  method: oneOf(['mcnemar', 'clusters']),
  clusters: count,
})

export const CLOSING = closed({
  action,
  status: oneOf(['completed', 'over_budget']),
  arms: list(closed({ arm: armName, n: count, right: count })),
  primary: COMPARED,
  verdict: oneOf(['better', 'worse', 'no difference found']),
})

export const OUTCOME_SAID = closed({
  council: closed({ trace: text({ maxLength: 40 }), size: positive, hash }),
  outcome: orNull(oneOf(['right', 'wrong'])),
  note: text({ maxLength: 4_000 }),
})

/** A regrading begins where another evaluation ended, with a corrected set. */
export const FORK = closed({
  parent: closed({ trace: text(), seq: count, hash }),
  set: SET,
  artifacts: ARTIFACTS,
})

export const PAYLOADS: Readonly<Record<string, JsonSchema>> = {
  eval_opened: OPENING,
  item_held: HELD,
  sample_given: closed({ ...ASKED, n: positive, text: longText }),
  sample_failed: closed({ ...ASKED, n: positive, ...FAILED }),
  judgement_given: closed({ ...JUDGING, reading, verdict: oneOf(['same', 'different', 'unsure']) }),
  judgement_failed: closed({ ...JUDGING, reading: orNull(reading), ...FAILED }),
  item_graded: GRADED,
  eval_closed: CLOSING,
  outcome_recorded: OUTCOME_SAID,
}
