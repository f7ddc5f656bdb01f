// The pace that workers share, kept in the queue: what one of them is told, all of them heed. That the database is away
// for a moment keeps no one from asking: it hears the provider itself then. An asking may be held back for minutes, so that
// the worker makes sure right before it that its trace is still its own.

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
  {
    figures,
    confirm,
    trouble,
  }: {
    readonly figures: PaceFigures
    /** Rejects when others were told that this worker is gone. */
    confirm(): Promise<void>
    trouble(error: unknown): void
  },
): Pace {
  return {
    async heldMs(provider, transport) {
      const ms = await queue.heldMs(provider, transport).catch((error: unknown) => {
        trouble(error)
        return 0
      })
      figures.heldMs += ms
      if (ms <= 0) await confirm()
      return ms
    },
    async slowDown(provider, transport, ms) {
      figures.rateLimits++
      await queue.holdProvider({ provider, transport, worker }, ms).catch(trouble)
    },
  }
}
