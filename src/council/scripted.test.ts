import { describe, expect, it } from 'vitest'
import { seat, sit } from '../../test/support/council-sitting.ts'
import type { CouncilOpened } from './events.ts'
import { refuseOpening } from './refuse-opening.ts'

const openedBy = (more: Partial<CouncilOpened>): CouncilOpened => {
  const { opened } = sit().state.inner
  if (!opened) throw new Error('nothing was opened')
  return { ...opened, ...more }
}

const scripted = (name: string) => seat(name, { provider: 'scripted' })

describe('APP-1 a scripted council', () => {
  it('has scripted seats only: no report that says "no model was asked" rests on a model', () => {
    const chairs = ['ann']
    const all = ['ann', 'bob', 'cat'].map(scripted)
    expect(refuseOpening(openedBy({ scripted: true, seats: all, chairs }))).toBeNull()
    const mixed = [...all.slice(1), seat('ann')]
    expect(refuseOpening(openedBy({ scripted: true, seats: mixed, chairs }))).toMatchObject({
      code: 'SCHEMA_INVALID',
      message: 'a seat of a scripted demo is not scripted',
    })
  })

  it('does not exist in edition 1', () => {
    const { edition: _, ...first } = openedBy({ scripted: true, seats: ['ann', 'bob', 'cat'].map(scripted) })
    expect(refuseOpening({ ...first, edition: 1 })).toMatchObject({
      message: 'scripted is not of this edition',
    })
  })
})
