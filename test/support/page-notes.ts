// A protocol without rules, for pages of many events; it runs in Node and in the browser alike.

import type { Protocol } from '../../src/protocol.ts'

export const notes: Protocol<null> = {
  id: 'notes/1',
  initial: null,
  evolve: () => null,
  refuse: () => null,
  decide: () => [],
  finished: () => false,
}
