// Ids of actions say the round, the seat and the part; and what a fork keeps of what its parent concluded.
import { describe, expect, it } from 'vitest'
import * as council from '../../test/support/all-of-council.ts'
import {
  policy,
  type Question,
  type ScriptedReply,
  Sitting,
  seat,
} from '../../test/support/council-sitting.ts'
import { FORKED } from '../ledger/fork.ts'
import { actionFor, readAction } from './actions.ts'
import { quorumGiven } from './policy.ts'

describe('the id of an action', () => {
  it('COU-R1-1 names the seat and the question, and is read back unchanged', () => {
    const plain = { part: null, isShort: false, completes: false }
    const ids = [
      actionFor('R1', 'ann', plain),
      actionFor('R1', 'ann', { ...plain, part: 2 }),
      actionFor('R1', 'ann', { part: 2, isShort: true, completes: true }),
      actionFor('R2', 'ann', { ...plain, completes: true }),
      actionFor('R2', 'ann', { ...plain, isShort: true }),
    ]
    expect(ids).toEqual([
      'opinion/ann',
      'opinion/ann/p2',
      'opinion/ann/p2/short/mend',
      'review/ann/mend',
      'review/ann/short',
    ])
    expect(ids.map((id) => readAction(`${id}/1`))).toEqual([
      { round: 'R1', subject: 'ann', part: null },
      { round: 'R1', subject: 'ann', part: 2 },
      { round: 'R1', subject: 'ann', part: 2 },
      { round: 'R2', subject: 'ann', part: null },
      { round: 'R2', subject: 'ann', part: null },
    ])
  })

  it('COU-R1-1 is not read from anything else', () => {
    for (const id of ['', 'opinion', 'opinion/ann', 'opinion//1', 'close/1', 'constructor/a/1'])
      expect([id, readAction(id)]).toEqual([id, null])
    expect(readAction('report/3/1')).toEqual({ round: 'R3', subject: '3', part: null })
    // A seat may be called like a part, and the last mark counts attempts.
    expect(readAction('opinion/p2/1')).toEqual({ round: 'R1', subject: 'p2', part: null })
    expect(readAction('opinion/ann/p2')).toEqual({ round: 'R1', subject: 'ann', part: null })
    expect(readAction('opinion/ann/p0/1')?.part).toBeNull()
  })
})

describe('a quorum', () => {
  it('COU-Q-1 is given under its own names or those of older settings', () => {
    expect(quorumGiven()).toEqual({})
    expect(quorumGiven({ r1_min_responses: 3 })).toEqual({ r1_min: 3 })
    expect(quorumGiven({ r2_min_responses: 2, allow_partial: false })).toEqual({
      r2_min: 2,
      allow_partial: false,
    })
    expect(quorumGiven({ r1_min_responses: 3, r1_min: 1 })).toEqual({ r1_min: 1 })
  })
})

describe('a fork', () => {
  const ending = (says?: (question: Question) => ScriptedReply | undefined) =>
    new Sitting(says ? { says } : {})
      .open()
      .run((one) => one.decide().some(({ id }) => id.startsWith('close')))
  const forked = (parent: Sitting, amend: council.Amendment): Sitting => {
    const child = new Sitting({ trace: '01KEC000000000000000000001' })
    child.state = parent.state
    const point = { trace: parent.trace, seq: 1, hash: 'ab'.repeat(32) }
    return child.say(FORKED, 'olga', council.CONVENER, { parent: point, amend })
  }

  it('COU-X-2 keeps the report of its parent unless the seats or the chair change', () => {
    const parent = ending()
    const same = forked(parent, {})
    expect([same.inner.reports.length, same.decide().map(({ id }) => id)]).toEqual([1, ['close/1']])
    const dearer = forked(parent, { policy: policy({ budget: { cost: 5 } }) })
    expect(dearer.inner.reports).toHaveLength(1)
    expect(dearer.inner.decisions).toEqual({ R1: null, R2: null })
    const chaired = forked(parent, { chairs: ['ann'] })
    expect(chaired.inner.reports).toEqual([])
    expect(chaired.inner.decisions.R1).not.toBeNull()
    expect(chaired.run().asked.map(({ round }) => round)).toEqual(['R3'])
  })

  it('COU-X-2 counts its own costs, and keeps all seats of its ancestors in order', () => {
    const parent = ending()
    const seats = [seat('dan'), seat('ben'), seat('ann')]
    const child = forked(parent, { seats })
    expect(child.inner.cost).toEqual({ known: 0, unknown: 0, calls: 0, lost: 0 })
    expect(child.inner.seats.map(({ seat: name }) => name)).toEqual(['ann', 'ben', 'cat', 'dan'])
    expect([...child.inner.seated]).toEqual(['dan', 'ben', 'ann'])
    expect(child.inner.scored).toBeNull()
    expect(child.decide().map(({ id }) => id)).toEqual(['opinion/dan/1'])
  })

  it('COU-X-2 asks another chair for a whole report if the last one was incomplete', () => {
    const says = ({ round }: Question): ScriptedReply | undefined =>
      round === 'R3' ? { raw: { text: '{}' } } : undefined
    const parent = new Sitting({ says }).open().run(({ inner }) => inner.reports.length === 1)
    expect(council.pendingOf(parent.inner, 'R3')).not.toBeNull()
    const child = forked(parent, { chairs: ['ann'] })
    expect(council.pendingOf(child.inner, 'R3')).toBeNull()
    const asked = child.run().asked.at(-1)
    expect(asked?.prompt.parts.some(({ name }) => name === 'complete')).toBe(false)
    expect(child.report).toMatchObject({ chair: 'ann' })
  })
})
