// A fork starts a new trace from an event of another and changes nothing in that one. It takes over the
// parent's state there; the protocol says which of it counts in the fork.

import { WitanError } from '../ledger/errors.ts'
import type { Payload } from '../ledger/event.ts'
import { FORKED } from '../ledger/fork.ts'
import type { Actor, Protocol } from '../protocol.ts'
import type { Ports } from './ports.ts'
import { notFound } from './reliance/growing-trees.ts'
import { TraceLog } from './trace-log.ts'

/** Begins a trace from a point of another. */
export async function forkTrace<State>(
  ports: Ports,
  protocol: Protocol<State>,
  from: {
    readonly parent: string
    readonly seq: number /** The id of the fork; a new one when not given. */
    readonly into?: string
  },
  actor: Actor,
  payload: Payload = {},
): Promise<TraceLog<State>> {
  const { parent: trace, seq } = from
  const head = await ports.store.head(trace)
  if (!head) throw notFound(trace)
  const isNumber = Number.isSafeInteger(seq) && seq >= 0
  const [hash] = isNumber ? await ports.store.hashes(trace, seq, seq + 1) : []
  if (hash === undefined) {
    throw new WitanError(
      'EVENT_NOT_FOUND',
      `${trace} has ${head.size} events, there is no ${seq}`,
      `Name one from 0 to ${head.size - 1}.`,
    )
  }
  const log = new TraceLog(ports, protocol, from.into ?? ports.newTrace())
  await log.append([{ type: FORKED, actor, payload: { ...payload, parent: { trace, seq, hash } } }])
  return log
}
