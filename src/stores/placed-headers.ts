// Where events may be put is what their signed headers say, never what a caller says beside them. Every store holds
// its appends to this before its own constraints do.

import { WitanError } from '../ledger/errors.ts'
import { GENESIS, type Header, readHeader, type SealedEvent } from '../ledger/event.ts'
import type { End } from './store.ts'

/** The headers in order, each following the one before it and the first following the expected end. */
export function placedHeaders(
  trace: string,
  expected: End,
  events: readonly SealedEvent[],
): readonly Header[] {
  let prev = expected.size === 0 ? GENESIS : expected.hash
  return events.map((event, i) => {
    const header = readHeader(event.header)
    const place = `event ${expected.size + i} of trace ${trace}`
    if (typeof header === 'string') {
      throw new WitanError('HEADER_INVALID', `${place}: ${header}`, 'Nothing was appended; seal it again.')
    }
    if (header.trace !== trace || header.seq !== expected.size + i || header.prev !== prev) {
      throw new WitanError(
        'VAULT_REFUSED',
        `${place}: the header names ${header.trace}/${header.seq} after ${header.prev}, which is another place`,
        'Nothing was appended; seal the events on the head they are to follow.',
      )
    }
    prev = event.hash
    return header
  })
}
