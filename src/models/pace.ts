// How fast a provider may be asked, shared by all callers: one that got "too many requests" tells the others,
// and none of them asks that provider before the stated time has passed.

import type { Transport } from './model.ts'

/** How workers share one pace: a provider's limit for one of them applies to all. */
export interface Pace {
  /** For how many milliseconds the provider must not be asked this way; 0 when it may be asked now. */
  heldMs(provider: string, transport: Transport): Promise<number>
  /** The provider refused a call as one too many: it is not asked again for this long. */
  slowDown(provider: string, transport: Transport, ms: number): Promise<void>
}

/** For a single caller: it waits as long as the vendor states, by itself. */
export const OWN_PACE: Pace = {
  heldMs: async () => 0,
  slowDown: async () => undefined,
}
