// One clock and one asker's signal as a single signal whose reason is the Fault to report. Whoever makes a limit
// clears it, so that neither timer nor listener stays with someone else's signal.

import { Fault } from './fault.ts'

export interface Limit {
  readonly signal: AbortSignal
  clear(): void
}

export function limited(asker: AbortSignal, ms: number, late: () => Fault): Limit {
  const controller = new AbortController()
  const give = () => controller.abort(new Fault('network', 'aborted', 'the asking was given up'))
  const timer = setTimeout(() => controller.abort(late()), ms)
  if (asker.aborted) give()
  else asker.addEventListener('abort', give, { once: true })
  const clear = () => {
    clearTimeout(timer)
    asker.removeEventListener('abort', give)
  }
  return { signal: controller.signal, clear }
}

/** The limit's own reason where it was raised, for the other side's words are then only an echo of it. */
export const reasonOf = (signal: AbortSignal): Fault | null =>
  signal.aborted && signal.reason instanceof Fault ? signal.reason : null

export const outOfTime = (ms: number): Fault =>
  new Fault('timeout', null, `no answer within ${Math.round(ms)} ms`)
