// A fork point is a trace, a number and a hash, or it is none.

import { describe, expect, it } from 'vitest'
import type { Payload } from './event.ts'
import { forkPointOf } from './fork.ts'

const parent = { trace: '01KE0000000000000000000001', seq: 3, hash: 'a'.repeat(64) }

describe('a fork point', () => {
  it('LED-15 is read from the payload and holds nothing more', () => {
    expect(forkPointOf({ parent })).toEqual(parent)
    expect(forkPointOf({ parent: { ...parent, seq: 0, why: 'x' }, note: 'y' })).toEqual({ ...parent, seq: 0 })
  })

  it('LED-15 is not read if anything is missing or malformed', () => {
    const bad: (Payload | null)[] = [
      null,
      {},
      { parent: null },
      { parent: [] },
      { parent: 'x' },
      { parent: { ...parent, trace: 'x' } },
      { parent: { ...parent, trace: null } },
      { parent: { ...parent, seq: -1 } },
      { parent: { ...parent, seq: 1.5 } },
      { parent: { ...parent, seq: '3' } },
      { parent: { ...parent, hash: 'A'.repeat(64) } },
      { parent: { trace: parent.trace, seq: 3 } },
    ]
    for (const payload of bad) expect(forkPointOf(payload), JSON.stringify(payload)).toBe(null)
  })
})
