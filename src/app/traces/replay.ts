// Runs a trace again from its own record and compares every decision. No model is asked, nothing is written;
// a difference means that the protocol, not the trace, has changed.

import { type Replayed, replayTrace } from '../../clerk/replay.ts'
import { WitanError } from '../../ledger/errors.ts'
import { REGISTRY_PROTOCOL } from '../../ledger/event.ts'
import { registryProtocol } from '../../ledger/registry/registry.ts'
import type { Protocol } from '../../protocol.ts'
import { type HomeLocation, withHome } from '../home/home.ts'
import { protocolNamed } from '../protocols.ts'
import { findTrace } from './trace-name.ts'

export type { Divergence, Replayed } from '../../clerk/replay.ts'

/** Makes every decision of a trace of a home again, and reports differences. */
export const replay = (location: HomeLocation, name: string): Promise<Replayed> =>
  withHome({ ...location, mode: 'read' }, async ({ store, ports }) => {
    const trace = await findTrace(store, name)
    const id = (await store.head(trace))?.header.protocol
    const protocol =
      id === REGISTRY_PROTOCOL ? (registryProtocol(ports.sha256) as Protocol) : await protocolNamed(id ?? '')
    if (!protocol) {
      const message = `this version does not know the protocol ${id}`
      throw new WitanError('PROTOCOL_UNKNOWN', message, 'Update Witan.')
    }
    return replayTrace({ store, sha256: ports.sha256 }, protocol, trace)
  })
