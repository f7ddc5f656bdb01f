// The councils that a session heard are traces of their own; whoever gets the session should get them too.

import { readHeader, readPayload } from '../../ledger/event.ts'
import type { Vault } from '../../vaults/vault.ts'

/** Those that exist here, in the order in which they were convened. */
export async function councilsOf(vault: Vault, trace: string): Promise<readonly string[]> {
  const named: string[] = []
  for await (const event of vault.read(trace)) {
    const header = readHeader(event.header)
    if (typeof header === 'string' || header.type !== 'council_convened' || !event.payload) continue
    const payload = readPayload(event.payload)
    if (typeof payload === 'object' && typeof payload.trace === 'string') named.push(payload.trace)
  }
  const there = await Promise.all(named.map(async (one) => (await vault.head(one)) !== null))
  return named.filter((_, at) => there[at])
}
