// The pace that workers share, kept in the queue: what one of them is told, all of them heed. That the database is away
// for a moment keeps nobody from asking: whoever asks then hears the provider itself.

import type { Pace } from '../../models/pace.ts'
import type { Queue } from '../../stores/queue.ts'

export interface PaceFigures {
  /** How often a provider said here that it is asked too much. */
  rateLimits: number
  /** How long askings here were held back by what others were told, in milliseconds. */
  heldMs: number
}

export function sharedPace(
  queue: Pick<Queue, 'heldMs' | 'holdProvider'>,
  worker: string,
  figures: PaceFigures,
  trouble: (error: unknown) => void,
): Pace {
  return {
    async heldMs(provider, transport) {
      try {
        const ms = await queue.heldMs(provider, transport)
        figures.heldMs += ms
        return ms
      } catch (error) {
        trouble(error)
        return 0
      }
    },
    async slowDown(provider, transport, ms) {
      figures.rateLimits++
      await queue.holdProvider({ provider, transport, worker }, ms).catch(trouble)
    },
  }
}
