// The three kinds of refusal in an exchange.

import type { Lack, Refusal } from '../../protocol.ts'

export const order = (message: string): Refusal => ({ code: 'ORDER_VIOLATION', message })
export const misshapen = (message: string): Refusal => ({ code: 'SCHEMA_INVALID', message })
/** Something earlier was not found; one of these may have contained it, and been erased. */
export const lacking = (message: string, ...lacks: readonly Lack[]): Refusal => ({
  ...order(message),
  ...(lacks.length > 0 && { lacks }),
})

// What a guard may not know because a payload was erased: for each folded fact, the events that contain it. A
// guard names the smallest set of these, so that erasing one payload does not hide any other violation.

/** The edition of the prompt text. */
export const EDITION = 'exchange_opened'

const AMENDING = ['terms_amended', 'signal_answered', 'branch_ordered']

/** The current terms: what was recorded since the known ones, which replaced all before them. */
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

/** Whether a signal is raised, waits or is answered, and the resulting phase. */
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

/** What the next round, its samples and its prompts depend on, in addition to the terms. */
const STEPS = [...new Set([...POOL, ...SIGNALS, ...GRANTS])].filter((type) => !AMENDING.includes(type))

export const courseSince = (since: string): readonly Lack[] => [...STEPS, ...termsSince(since)]
