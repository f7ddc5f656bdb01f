// `witan replay`: runs a trace again from its own minutes and compares every decision. Nobody is asked, nothing is
// written; what it finds different says that the protocol, not the trace, has changed.

import { withHome } from '../../../app/home/home.ts'
import { PROTOCOLS } from '../../../app/protocols.ts'
import { findTrace } from '../../../app/traces/trace-name.ts'
import { replayTrace } from '../../../clerk/replay.ts'
import { WitanError } from '../../../ledger/errors.ts'
import { registryProtocol } from '../../../ledger/registry/registry.ts'
import type { Protocol } from '../../../protocol.ts'
import { plain } from '../../../render/plain.ts'
import type { Verb } from '../command.ts'
import { EXIT } from '../exit-codes.ts'

export const run: Verb = (call) =>
  withHome({ directory: call.home, mode: 'read', postgres: call.postgres }, async ({ store, ports }) => {
    const trace = await findTrace(store, call.args[0] ?? '')
    const id = (await store.head(trace))?.header.protocol
    const known = [...PROTOCOLS, registryProtocol(ports.sha256) as Protocol]
    const protocol = known.find((candidate) => candidate.id === id)
    if (!protocol) {
      throw new WitanError(
        'PROTOCOL_UNKNOWN',
        `this version does not know the protocol ${id}`,
        'Update Witan.',
      )
    }
    const replayed = await replayTrace({ store, sha256: ports.sha256 }, protocol, trace)
    const same = replayed.divergences.length === 0
    return {
      value: replayed,
      lines: [
        `${same ? call.paint.green('SAME') : call.paint.red('DIFFERENT')}  ${trace}`,
        `  events     ${replayed.events}`,
        `  decisions  ${replayed.decisions} calls decided anew, nobody asked`,
        `  digest     ${replayed.digest}`,
        ...replayed.divergences.map(({ event, action, what }) => `  ${event}  ${plain(action)}: ${what}`),
        ...replayed.next.map((action) => `  next       ${plain(action)}`),
      ],
      brief: [replayed.digest],
      exit: same ? EXIT.done : EXIT.verificationFailed,
    }
  })
