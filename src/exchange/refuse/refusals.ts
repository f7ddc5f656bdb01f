// The three ways in which an exchange says no.

import type { Lack, Refusal } from '../../protocol.ts'

export const order = (message: string): Refusal => ({ code: 'ORDER_VIOLATION', message })
export const misshapen = (message: string): Refusal => ({ code: 'SCHEMA_INVALID', message })
/** Something earlier was not found; one of these may have held it, and been erased. */
export const lacking = (message: string, ...lacks: readonly Lack[]): Refusal => ({
  ...order(message),
  ...(lacks.length > 0 && { lacks }),
})

// What a guard may have missed where a payload was erased: for each thing that is folded, the events that tell of it.
// A guard names the narrowest of these, so that erasing one word leaves every other violation what it is.

/** In which edition of our words minds are asked. */
export const EDITION = 'exchange_opened'

const AMENDING = ['terms_amended', 'signal_answered', 'branch_ordered']

/** Which terms are in force: what was said since those that are known, which replaced all before them. */
export const termsSince = (since: string): readonly Lack[] => [EDITION, { types: AMENDING, since }]

/** Which rounds were opened, and whether they are over. */
export const ROUNDS = [
  EDITION,
  'round_opened',
  'mind_wrote',
  'mind_failed',
  'mind_incomplete',
  'messages_embedded',
  'embedding_failed',
  'audit_written',
  'audit_failed',
  'audit_incomplete',
  'role_reported',
]

/** Which messages there are and which can be sampled. */
export const POOL = [...ROUNDS, 'injected', 'observer_spoke', 'pinned', 'unpinned', 'reembedded']

/** Whether a signal is raised, waits or is answered, and what phase came of it. */
export const SIGNALS = [
  'judging_opened',
  'restart_judged',
  'judge_failed',
  'judge_incomplete',
  'restart_alarmed',
  'signal_raised',
  'signal_cleared',
  'signal_answered',
  'phase_changed',
]

/** How far the exchange may continue, and where. */
const GRANTS = ['continued', 'paused', 'observer_passed', 'branch_ordered', 'branched']

/** What the next round, its samples and its prompts follow from, in addition to the terms. */
const STEPS = [...new Set([...POOL, ...SIGNALS, ...GRANTS])].filter((type) => !AMENDING.includes(type))

export const courseSince = (since: string): readonly Lack[] => [...STEPS, ...termsSince(since)]
