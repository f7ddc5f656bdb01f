// A long trace of events that no one signed, straight into a store: for what only reads and counts them.

import { withHome } from '../../src/app/home/home.ts'
import { utf8 } from '../../src/ledger/bytes.ts'
import { canonicalize } from '../../src/ledger/canonical.ts'
import { GENESIS, type SealedEvent } from '../../src/ledger/event.ts'

const TRACE = '01J00000000000000000000009'
const LOT = 500
const hashOf = (n: number): string => n.toString(16).padStart(64, '0')

function event(seq: number): SealedEvent {
  const header = {
    v: 1,
    protocol: 'council/1',
    trace: TRACE,
    seq,
    at: new Date(1.7e12 + seq * 1000).toISOString(),
    type: 'opinion_given',
    actor: { agent: 'clerk', role: 'clerk', key: hashOf(1) },
    prev: seq === 0 ? GENESIS : hashOf(1_000_000 + seq - 1),
    payload_hash: hashOf(2),
    registry: { size: 1, hash: hashOf(3) },
  }
  return {
    header: utf8(canonicalize(header)),
    hash: hashOf(1_000_000 + seq),
    signature: new Uint8Array(64),
    payload: utf8(canonicalize({ seat: `s${seq % 7}`, text: `said for the ${seq}th time` })),
    salt: new Uint8Array(16),
  }
}

/** Its name. */
export const recordMany = (home: string, count: number): Promise<string> =>
  withHome({ directory: home, mode: 'write' }, async ({ store }) => {
    for (let size = 0; size < count; size += LOT) {
      const events = Array.from({ length: Math.min(LOT, count - size) }, (_, i) => event(size + i))
      const hash = size === 0 ? GENESIS : hashOf(1_000_000 + size - 1)
      await store.append(TRACE, { size, hash }, events)
    }
    return TRACE
  })
