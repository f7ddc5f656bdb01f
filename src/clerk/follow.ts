// The events of a trace as they are recorded, by any process. It only reads the store, so it sees another
// clerk's events like its own, and can be stopped at any moment.

import type { Sha256 } from '../ledger/bytes.ts'
import { GENESIS } from '../ledger/event.ts'
import type { Occurrence } from '../protocol.ts'
import type { Store } from '../stores/store.ts'
import { readStored } from './stored-events.ts'

/** From where a trace is followed, and until when. */
export interface Following {
  /** Ends it; events recorded by then are still delivered. */
  readonly signal: AbortSignal
  /** The first event to deliver. */
  readonly from?: number
}

/** The events of a trace, including future ones, recorded by any process. */
export async function* followTrace(
  { store, sha256 }: { readonly store: Store; readonly sha256: Sha256 },
  trace: string,
  { signal, from = 0 }: Following,
): AsyncGenerator<Occurrence> {
  let hash = from === 0 ? GENESIS : ((await store.hashes(trace, from - 1, from))[0] ?? GENESIS)
  for (let size = from; ; ) {
    // Checked before reading: what is recorded while the signal is aborted is read once more.
    const last = signal.aborted
    for await (const event of store.read(trace, size)) {
      yield readStored(sha256, event, { trace, size, hash }).occurrence
      size++
      hash = event.hash
    }
    if (last) return
    await store.watch(trace, size, signal)
  }
}

/**
 * Does the work and delivers every event meanwhile, up to the last that it recorded. When both fail, as with a
 * lost store, the error of the work is the one to report.
 */
export async function runAndTell<Result>(
  ports: { readonly store: Store; readonly sha256: Sha256 },
  trace: string,
  { tell, from = 0 }: { readonly tell: (event: Occurrence) => unknown; readonly from?: number },
  work: () => Promise<Result>,
): Promise<Result> {
  const over = new AbortController()
  const telling = (async () => {
    for await (const event of followTrace(ports, trace, { signal: over.signal, from })) await tell(event)
  })()
  // Handled below, once the work is over.
  telling.catch(() => undefined)
  let result: Result
  try {
    result = await work()
  } catch (error) {
    over.abort()
    await telling.catch(() => undefined)
    throw error
  }
  over.abort()
  await telling
  return result
}
