import { describe, expect, it } from 'vitest'
import type { Occurrence, Protocol } from '../protocol.ts'
import { withEditions } from './editions.ts'
import { FORKED } from './fork.ts'

/** Keeps the payloads that it is told of. */
const keeping: Protocol<readonly unknown[]> = {
  id: 'notes/1',
  initial: [],
  evolve: (state, { payload }) => [...state, payload],
  refuse: (_, { type }) => (type === 'wrong' ? { code: 'ORDER_VIOLATION', message: 'not here' } : null),
  decide: () => [],
  finished: () => false,
  reads: ({ payload }) => (payload === null ? [] : ['hash']),
}
const protocol = withEditions(keeping, { opening: 'opened', known: [1, 2] })
const event = (type: string, payload: Occurrence['payload']): Occurrence => ({
  ...{ trace: 'T', seq: 0, at: '', hash: '', type, payload },
  actor: { agent: 'ana', role: 'clerk', key: '' },
})

describe('VER-3 a protocol of several editions', () => {
  it('refuses an opening of an edition that it does not know, and folds and reads nothing of it', () => {
    for (const edition of [3, 0, '2', null]) {
      const unknown = event('opened', { edition } as never)
      expect(protocol.refuse([], unknown)).toMatchObject({ code: 'SCHEMA_INVALID' })
      expect(protocol.unknownEdition?.(unknown)).toContain(
        `edition ${JSON.stringify(edition)} of notes/1 is not known to this release of Witan, which knows editions up to 2`,
      )
      expect([protocol.evolve([], unknown), protocol.reads?.(unknown)]).toEqual([[null], []])
    }
  })

  it('takes those that it knows, the first where none is named, and any event that opens nothing', () => {
    for (const known of [
      ...[event('opened', { edition: 1 }), event('opened', { edition: 2 }), event('opened', {})],
      event('said', { edition: 9 }),
    ]) {
      expect(protocol.refuse([], known)).toBeNull()
      expect(protocol.evolve([], known)).toEqual([known.payload])
      expect(protocol.reads?.(known)).toEqual(['hash'])
    }
    const erased = event('opened', null)
    expect([protocol.unknownEdition?.(erased), protocol.refuse([], erased)]).toEqual([null, null])
    expect(protocol.refuse([], event('wrong', {}))?.message).toBe('not here')
  })

  it('lets a fork keep the edition of its parent, and name none', () => {
    expect(protocol.refuse([], event(FORKED, { edition: 1 }))?.message).toContain(
      'keeps the edition of its parent',
    )
    expect(protocol.refuse([], event(FORKED, {}))).toBeNull()
    expect(protocol.refuse([], event(FORKED, null))).toBeNull()
  })
})
