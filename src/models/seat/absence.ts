// Whether a transport is available, checked within its time limit. An unavailable one is a failure like any
// other, with the reason and what to do in its text. A vendor's command that is silent for that long was
// found and started, and is only slow to print its version: it is available, and the call has its own time
// limit.

import { availabilityMs, type Time } from '../deadline.ts'
import { redact } from '../hide-secrets.ts'
import { type Availability, type Failure, failed, type Model, type Transport } from '../model.ts'

export const abortedFailure = (transport: Transport, latencyMs: number): Failure =>
  failed({ type: 'network', cause: 'aborted', message: 'given up by the asker' }, transport, latencyMs)

const sentence = (words: string): string => (/[.!?]$/.test(words) ? words : `${words}.`)

/** Null when it is ready. */
export async function whyUnavailable(mind: Model, asker: AbortSignal, time: Time): Promise<Failure | null> {
  const start = time.now()
  const within = availabilityMs(mind.transport)
  const limit = new AbortController()
  const giveUp = () => limit.abort()
  if (asker.aborted) return abortedFailure(mind.transport, 0)
  asker.addEventListener('abort', giveUp, { once: true })
  const slow = time.sleep(within, limit.signal).then(
    (): Availability => ({
      ready: mind.transport === 'cli',
      detail: `did not say within ${within} ms whether it is ready`,
      next: null,
    }),
  )
  const availability = await Promise.race([mind.available(limit.signal), slow]).catch(
    (error: unknown): Availability => ({ ready: false, detail: redact(String(error)), next: null }),
  )
  asker.removeEventListener('abort', giveUp)
  limit.abort()
  const took = time.now() - start
  if (asker.aborted) return abortedFailure(mind.transport, took)
  if (availability.ready) return null
  const message = [availability.detail, availability.next ?? '']
    .filter((words) => words !== '')
    .map(sentence)
    .join(' ')
  return failed({ type: 'network', cause: 'unavailable', message }, mind.transport, took)
}
