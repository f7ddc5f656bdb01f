// The protocols whose rules this installation can replay, each loaded when a trace names it: loading all
// rules takes longer than checking most traces. The verifier contains the registry's rules; a trace of an
// unknown protocol fails and never passes unchecked.

import type { Bundle } from '../ledger/bundle/bundle.ts'
import { readHeader } from '../ledger/event.ts'
import type { Protocol } from '../protocol.ts'
import { sha256 } from '../stores/digest.ts'

const LOADED: Readonly<Record<string, () => Promise<Protocol>>> = {
  'agents/1': async () => (await import('../agents/agents.ts')).agentsProtocol(sha256) as Protocol,
  'council/1': async () => (await import('../council/council.ts')).councilProtocol(sha256) as Protocol,
  'eval/1': async () => (await import('../eval/eval.ts')).evalProtocol(sha256) as Protocol,
  'exchange/1': async () => (await import('../exchange/exchange.ts')).exchangeProtocol(sha256) as Protocol,
}

/** Null for one that this version does not know. */
export const protocolNamed = async (id: string): Promise<Protocol | null> =>
  (Object.hasOwn(LOADED, id) ? await LOADED[id]?.() : null) ?? null

/** Every protocol that an event of the sections names, once. */
function namedIn(sections: readonly Bundle['main'][]): ReadonlySet<string> {
  const names = new Set<string>()
  // Nearly all events name the same protocol as the one before: this is detected without parsing their headers.
  let last: Buffer | null = null
  for (const { events } of sections) {
    for (const { event } of events) {
      const { buffer, byteOffset, byteLength } = event.header
      if (last !== null && Buffer.from(buffer, byteOffset, byteLength).includes(last)) continue
      const header = readHeader(event.header)
      if (typeof header === 'string') continue
      names.add(header.protocol)
      last = Buffer.from(`,"protocol":"${header.protocol}",`)
    }
  }
  return names
}

/** The protocols of the traces of a bundle. */
export async function loadProtocols({ ancestors, main }: Bundle): Promise<readonly Protocol[]> {
  const protocols = await Promise.all([...namedIn([...ancestors, main])].map(protocolNamed))
  return protocols.filter((protocol) => protocol !== null)
}
