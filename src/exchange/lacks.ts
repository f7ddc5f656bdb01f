// What a guard may have missed where a payload was erased: for each thing that is folded, the events that tell of it.
// A guard names the narrowest of these, so that erasing one word leaves every other violation what it is.

/** In which edition of our words minds are asked. */
export const EDITION = 'exchange_opened'

/** Which terms are in force. */
export const TERMS = [EDITION, 'terms_amended', 'signal_answered', 'branch_ordered']

/** Which rounds were opened, and whether they are over. */
export const ROUNDS = [
  EDITION,
  'round_opened',
  'mind_wrote',
  'mind_failed',
  'messages_embedded',
  'embedding_failed',
  'audit_written',
  'audit_failed',
  'role_reported',
]

/** Which messages there are and which can be sampled. */
export const POOL = [...ROUNDS, 'injected', 'observer_spoke', 'pinned', 'unpinned', 'reembedded']

/** Whether a signal is raised, waits or is answered, and what phase came of it. */
export const SIGNALS = ['signal_raised', 'signal_cleared', 'signal_answered', 'phase_changed']

/** How far the exchange may go on, and where. */
export const GRANTS = ['continued', 'paused', 'observer_passed', 'branch_ordered', 'branched']

/** What the next round, its samples and its prompts follow from. */
export const COURSE = [...new Set([...TERMS, ...POOL, ...SIGNALS, ...GRANTS])]
