// The pace that workers share, kept in the queue: all of them observe what a provider told one of them. If
// the database is briefly unreachable, workers still ask: then each gets the provider's answer itself. A call
// may be held back for minutes, so that the worker checks right before it that the trace is still its own.

import type { Pace } from '../../models/pace.ts'
import type { Queue } from '../../stores/queue.ts'

export interface PaceFigures {
  /** How often a provider reported here that it gets too many requests. */
  rateLimits: number
  /** How long calls here were held back because of what others were told, in milliseconds. */
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
