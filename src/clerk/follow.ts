// What happens in a trace, as it is recorded, no matter who records it. It reads the store and nothing else, so it sees a
// colleague's events like its own clerk's and can be left at any moment.

import type { Sha256 } from '../ledger/bytes.ts'
import { GENESIS } from '../ledger/event.ts'
import type { Occurrence } from '../protocol.ts'
import type { Store } from '../stores/store.ts'
import { readStored } from './stored-events.ts'

/** From where a trace is followed, and until when. */
export interface Following {
  /** Ends it; what was recorded by then is still told. */
  readonly signal: AbortSignal
  /** The first event to be told of. */
  readonly from?: number
}

/** The events of a trace, those recorded from now on too, by whomever. */
export async function* followTrace(
  { store, sha256 }: { readonly store: Store; readonly sha256: Sha256 },
  trace: string,
  { signal, from = 0 }: Following,
): AsyncGenerator<Occurrence> {
  let hash = from === 0 ? GENESIS : ((await store.hashes(trace, from - 1, from))[0] ?? GENESIS)
  for (let size = from; ; ) {
    // Looked at before the reading: what is recorded while the signal is given is read once more.
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
 * Does the work and tells of every event meanwhile, to the last that it recorded. When both fail, as they do with a
 * store that is gone, the fault of the work is the one to be told.
 */
export async function tellingOf<Result>(
  ports: { readonly store: Store; readonly sha256: Sha256 },
  trace: string,
  { tell, from = 0 }: { readonly tell: (event: Occurrence) => unknown; readonly from?: number },
  work: () => Promise<Result>,
): Promise<Result> {
  const over = new AbortController()
  const telling = (async () => {
    for await (const event of followTrace(ports, trace, { signal: over.signal, from })) await tell(event)
  })()
  // Met below, once the work is over.
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
