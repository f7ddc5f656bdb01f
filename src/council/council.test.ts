// The rounds of a council as a person would tell them, run under the real protocol with scripted models.
import { describe, expect, it } from 'vitest'
import {
  opening,
  policy,
  type Question,
  type ScriptedReply,
  Sitting,
  seat,
  sit,
} from '../../test/support/council-sitting.ts'
import { editionNumbered } from './editions.ts'
import { failuresOf } from './stage.ts'

const fails = (fails: 'timeout' | 'auth' = 'timeout'): ScriptedReply => ({ fails })

describe('a council', () => {
  it('COU-R1-1 COU-R2-1 COU-R3-1 asks all seats at once, then lets them review each other, then asks the chair', () => {
    const sitting = new Sitting().open()
    expect(sitting.decide().map(({ id }) => id)).toEqual(['opinion/ann/1', 'opinion/ben/1', 'opinion/cat/1'])
    sitting.step()
    expect(sitting.decide().map(({ id }) => id)).toEqual(['short_circuit/R1/1'])
    sitting.step()
    expect(sitting.decide().map(({ id }) => id)).toEqual(['review/ann/1', 'review/ben/1', 'review/cat/1'])
    sitting.step()
    sitting.step()
    expect(sitting.decide()).toMatchObject([{ id: 'report/1/1' }])
    expect(sitting.decide()[0]?.input).toEqual({ round: 'R3', seat: 'ann', n: 1, mend: false })
    sitting.run()
    expect(sitting.closed).toMatchObject({ status: 'reported', metrics: { rounds_completed: 3, calls: 7 } })
  })

  it('COU-R1-3 continues after a failed provider and records it', () => {
    const sitting = sit(
      {},
      { says: ({ seat: name, round }) => (name === 'ben' && round === 'R1' ? fails() : undefined) },
    )
    expect(sitting.closed?.status).toBe('reported')
    expect(sitting.asked.filter(({ round }) => round === 'R2').map(({ seat: name }) => name)).toEqual([
      'ann',
      'cat',
    ])
    expect(sitting.report?.majority.counts).toEqual({ adopt: 2 })
  })

  it('COU-R1-3 ends without a report when fewer than two answer', () => {
    const sitting = sit({}, { says: ({ seat: name }) => (name === 'ann' ? undefined : fails('auth')) })
    expect(sitting.closed).toMatchObject({
      status: 'quorum_failed',
      report: null,
      reason: '1 of at least 2 opinions in R1',
    })
    expect(sitting.report).toBeNull()
  })

  it('is opened once, by a convener only', () => {
    const sitting = new Sitting()
    expect(
      sitting.refusal({ type: 'council_opened', agent: 'eve', role: 'clerk', payload: opening() as never }),
    ).toContain('only a convener')
    sitting.open()
    expect(
      sitting.refusal({
        type: 'council_opened',
        agent: 'eve',
        role: 'convener',
        payload: opening() as never,
      }),
    ).toContain('opened once')
  })

  it('refuses seats that cannot form a council', () => {
    const refusal = (more: Parameters<typeof opening>[0]) =>
      new Sitting().refusal({
        type: 'council_opened',
        agent: 'o',
        role: 'convener',
        payload: opening(more) as never,
      })
    expect(refusal({})).toBeNull()
    expect(refusal({ seats: [seat('ann'), seat('ann')] })).toBe('two seats have one name')
    expect(refusal({ chairs: ['ben'] })).toBe('a chair is no seat that may chair')
    expect(refusal({ chairs: [] })).toBe('there is no chair')
    expect(refusal({ chairs: [], policy: policy({ quorum: { r3_required: false } }) })).toBeNull()
    expect(refusal({ seats: [seat('ann')] })).toBe('the table is smaller than the quorum of R1')
    expect(refusal({ seed: 'AB'.repeat(32) })).toBe('the seed is not 32 bytes in hex')
    expect(refusal({ seats: [seat('ann'), seat('b/c')] })).toBe(
      'the name of a seat is not a valid agent name',
    )
  })

  it('VER-3 knows no event by a name that every object inherits, and no edition that it does not list', () => {
    const sitting = new Sitting().open()
    for (const type of ['constructor', 'toString', '__proto__'])
      expect(
        sitting.refusal({ type, agent: 'clerk', role: 'clerk', payload: { reading: null } as never }),
      ).toContain(type)
    expect(() => editionNumbered(3)).toThrow('there is no edition 3 of council/1')
  })

  it('COU-X-1 names the seats that failed in each round, with the recorded reason or why no seat was asked', () => {
    const says = ({ seat: name, round }: Question): ScriptedReply | undefined =>
      (name === 'ben' && round === 'R1') || (name === 'cat' && round === 'R2') ? fails() : undefined
    const { inner } = sit({}, { says })
    const told = (round: 'R1' | 'R2') =>
      failuresOf(inner, round).map(({ seat: name, error_type, cause }) => [name, error_type, cause])
    expect([told('R1'), told('R2')]).toEqual([[['ben', 'timeout', null]], [['cat', 'timeout', null]]])
    const early = new Sitting().open().say('close_requested', 'olga', 'convener', { reason: 'enough' })
    expect(failuresOf(early.inner, 'R1').map(({ seat: name, cause }) => [name, cause])).toEqual([
      ...['ann', 'ben', 'cat'].map((name) => [name, 'aborted']),
    ])
  })
})
