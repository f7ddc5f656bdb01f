// The councils that a session heard are traces of their own; whoever gets the session should get them too.

import { readHeader, readPayload } from '../../ledger/event.ts'
import type { Store } from '../../stores/store.ts'

/** Those that exist here, in the order in which they were convened. */
export async function councilsOf(store: Store, trace: string): Promise<readonly string[]> {
  const named: string[] = []
  for await (const event of store.read(trace)) {
    const header = readHeader(event.header)
    if (typeof header === 'string' || header.type !== 'council_convened' || !event.payload) continue
    const payload = readPayload(event.payload)
    if (typeof payload === 'object' && typeof payload.trace === 'string') named.push(payload.trace)
  }
  const there = await Promise.all(named.map(async (one) => (await store.head(one)) !== null))
  return named.filter((_, at) => there[at])
}
