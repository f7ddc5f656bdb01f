// How fast a provider may be asked, known to all who ask it: one that was told "too many requests" tells the others, and
// no one asks that provider before the stated time has passed.

import type { Transport } from './model.ts'

/** How workers keep to one pace: what a provider told one of them holds for all. */
export interface Pace {
  /** For how many milliseconds the provider is not to be asked this way; 0 when it may be asked now. */
  heldMs(provider: string, transport: Transport): Promise<number>
  /** The provider refused an asking as one too many: it is not asked again for so long. */
  slowDown(provider: string, transport: Transport, ms: number): Promise<void>
}

/** For one who asks alone: what the vendor states is waited for by the caller that heard it. */
export const OWN_PACE: Pace = {
  heldMs: async () => 0,
  slowDown: async () => undefined,
}
