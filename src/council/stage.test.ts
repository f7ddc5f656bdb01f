// What comes next in a council that is cut short, overspends, or whose chairs falter: no one is asked without need, and what
// is recorded says why it ended.
import { describe, expect, it } from 'vitest'
import * as council from '../../test/support/all-of-council.ts'
import { reportAnswer } from '../../test/support/council-answers.ts'
import {
  policy,
  type Question,
  type ScriptedReply,
  Sitting,
  seat,
  sit,
} from '../../test/support/council-sitting.ts'
import { CLERK } from '../ledger/calls.ts'

const wants = (kind: string) => (sitting: Sitting) => sitting.decide().some(({ id }) => id.startsWith(kind))
const requestClose = (sitting: Sitting): Sitting =>
  sitting.say(council.CLOSE_REQUESTED, 'olga', council.CONVENER, { reason: 'enough' })
const typesAfter = (sitting: Sitting, from: number): readonly string[] =>
  sitting.spoken.slice(from).map(({ type }) => type)
const chairs = (sitting: Sitting) =>
  sitting.asked
    .filter(({ round }) => round === 'R3')
    .map(({ seat: name, mend }) => `${name}${mend ? ' mends' : ''}`)
const CHAIRED = {
  seats: [seat('ann'), seat('ben', { roles: ['participant', 'chair'] }), seat('cat')],
  chairs: ['ann', 'ben'],
} as const
const LACKING: ScriptedReply = { raw: { text: '{}' } }
const isCompleting = ({ prompt }: Question) => prompt.parts.some(({ name }) => name === 'complete')

describe('a council that its convener closes', () => {
  it.each([
    ['before anybody answered', 'opinion/', ['close_requested', 'council_closed'], 'closed_early'],
    [
      'after round one',
      'short_circuit/R1',
      ['close_requested', 'report_assembled', 'council_closed'],
      'closed_early',
    ],
    [
      'before the reviews',
      'review/',
      ['close_requested', 'report_assembled', 'council_closed'],
      'closed_early',
    ],
    [
      'after the reviews',
      'short_circuit/R2',
      ['close_requested', 'report_assembled', 'council_closed'],
      'closed_early',
    ],
    [
      'before a chair is asked',
      'report/',
      ['close_requested', 'report_assembled', 'council_closed'],
      'closed_early',
    ],
  ])('COU-X-3 %s decides and asks no more questions', (_, kind, types, status) => {
    const sitting = new Sitting()
      .open({ policy: policy({ short_circuit: { embeddings: true } }) })
      .run(wants(kind))
    const from = sitting.spoken.length
    requestClose(sitting).run()
    expect([typesAfter(sitting, from), sitting.closed?.status]).toEqual([types, status])
  })

  it('COU-X-3 while the chair writes accepts its report, and no correction of it', () => {
    const says = ({ round }: Question): ScriptedReply | undefined =>
      round === 'R3' ? reportAnswer(['op-9']) : undefined
    const sitting = new Sitting({ says }).open().run(wants('report/'))
    const [action] = sitting.decide()
    if (!action) throw new Error('a chair is asked')
    requestClose(sitting.start(action)).speak(sitting.outcome(action)).run()
    expect(sitting.closed?.status).toBe('reported')
    expect(chairs(sitting)).toEqual(['ann'])
    expect(sitting.report?.unsupported.length).toBeGreaterThan(0)
  })

  it('COU-X-3 keeps partial results also if the policy requires all', () => {
    const strict = policy({ quorum: { allow_partial: false } })
    const sitting = new Sitting().open({ policy: strict })
    const [ann, ben, cat] = sitting.decide()
    if (!ann || !ben || !cat) throw new Error('three are asked')
    sitting.start(ann).start(ben).start(cat).speak(sitting.outcome(ann)).speak(sitting.outcome(ben))
    requestClose(sitting).lose(cat).run()
    expect(sitting.closed).toMatchObject({ status: 'closed_early', report: expect.stringContaining('/') })
    expect(council.r1Result(sitting.inner).failed_providers).toMatchObject([
      { provider: 'cat', error_message: 'the council was closed before an answer came', cause: 'aborted' },
    ])
  })
})

describe('a budget', () => {
  it('COU-S-2 that is used up in round one records the seats that were not asked, with the reason', () => {
    const sitting = new Sitting().open({ policy: policy({ budget: { cost: 0.01 }, quorum: { r1_min: 1 } }) })
    const [ann] = sitting.decide()
    if (!ann) throw new Error('somebody is asked')
    sitting.start(ann).speak(sitting.outcome(ann)).run()
    expect(sitting.asked).toHaveLength(1)
    expect(sitting.closed?.status).toBe('over_budget')
    expect(
      council.r1Result(sitting.inner).failed_providers.map(({ error_message }) => error_message),
    ).toEqual([
      'the budget was used up before an answer came',
      'the budget was used up before an answer came',
    ])
  })

  it('COU-S-2 that the chair itself uses up does not affect its report, and allows no correction', () => {
    const says = ({ round }: Question): ScriptedReply | undefined =>
      round === 'R3' ? reportAnswer(['op-9']) : undefined
    const sitting = sit({ policy: policy({ budget: { cost: 0.07 } }) }, { says })
    expect([sitting.closed?.status, chairs(sitting)]).toEqual(['reported', ['ann']])
  })

  it('COU-S-2 is not used up before the first question, and is used up exactly at its limit', () => {
    expect(sit({ policy: policy({ budget: { cost: 0 } }) }).asked.length).toBe(3)
    expect(sit({ policy: policy({ budget: { cost: 0.06 } }) }).closed?.status).toBe('over_budget')
    expect(sit({ policy: policy({ budget: { cost: 0.0601 } }) }).closed?.status).toBe('reported')
  })
})

describe('chairs', () => {
  it('COU-R3-3 COU-R3-4 are asked in turn, and the author of a report completes and corrects it', () => {
    const says = (question: Question): ScriptedReply | undefined => {
      if (question.round !== 'R3') return undefined
      if (question.seat === 'ann') return { fails: 'auth' }
      if (!question.mend) return reportAnswer(['op-9'])
      return isCompleting(question) ? reportAnswer(['op-1']) : LACKING
    }
    const sitting = sit(CHAIRED, { says })
    expect(chairs(sitting)).toEqual(['ann', 'ben', 'ben mends', 'ben mends'])
    expect(sitting.report).toMatchObject({ chair: 'ben', unsupported: [] })
    expect(sitting.closed?.status).toBe('reported')
  })

  it('COU-R3-3 fail one after the other, also if an answer was incomplete twice', () => {
    const lacking = sit(CHAIRED, { says: ({ round }) => (round === 'R3' ? LACKING : undefined) })
    expect(chairs(lacking)).toEqual(['ann', 'ann', 'ben', 'ben'])
    expect(lacking.closed?.status).toBe('degraded')
    const first = sit(
      { ...CHAIRED, edition: 1 },
      { says: ({ round }) => (round === 'R3' ? { fails: 'auth' } : undefined) },
    )
    expect(chairs(first)).toEqual(['ann', 'ben'])
    const alone = sit(
      { edition: 1 },
      { says: ({ round }) => (round === 'R3' ? { fails: 'auth' } : undefined) },
    )
    expect(chairs(alone)).toEqual(['ann', 'ann'])
    const optional = sit(
      { edition: 1, policy: policy({ quorum: { r3_required: false } }) },
      { says: ({ round }) => (round === 'R3' ? { fails: 'auth' } : undefined) },
    )
    expect(chairs(optional)).toEqual(['ann'])
  })

  it('COU-T-1 are not awaited after their round is closed: the best opinion is shown', () => {
    const sitting = new Sitting().open().run(wants('report/'))
    const [action] = sitting.decide()
    if (!action) throw new Error('a chair is asked')
    sitting
      .start(action)
      .say(council.ROUND_CLOSED, CLERK, CLERK, { round: 'R3', reason: 'timeout' })
      .lose(action)
    expect(sitting.decide().map(({ id, input }) => [id, input])).toEqual([
      ['assemble/1', { synthesis: 'fallback' }],
    ])
    sitting.run()
    expect([sitting.closed?.status, sitting.report?.synthesis]).toEqual(['degraded', 'fallback'])
  })
})

describe('a round', () => {
  it('COU-S-2 begins only once it was decided whether to skip it', () => {
    const begins = (kind: string, action: string) =>
      new Sitting()
        .open()
        .run(wants(kind))
        .refusal({
          ...{ type: 'call_started', agent: CLERK, role: CLERK },
          payload: { action, call: 'ask', clerk: 'C', input: '' },
        })
    expect(begins('short_circuit/R1', 'review/ann/1')).toBe(
      'R2 begins before it was decided whether to skip it',
    )
    expect(begins('short_circuit/R2', 'report/1/1')).toBe(
      'R3 begins before it was decided whether to skip it',
    )
    expect([begins('review/', 'review/ann/1'), begins('report/', 'report/1/1')]).toEqual([null, null])
  })
})

describe('reviews', () => {
  it('COU-R2-4 are not asked for if there is only one opinion, and the chair is next', () => {
    const says = ({ round, seat: name }: Question): ScriptedReply | undefined =>
      round === 'R1' && name !== 'ann' ? { fails: 'auth' } : undefined
    const sitting = sit({ policy: policy({ quorum: { r1_min: 1 } }) }, { says })
    expect(sitting.asked.map(({ round }) => round)).toEqual(['R1', 'R1', 'R1', 'R3'])
    expect(sitting.inner.decisions.R1).toMatchObject({ impossible: ['R2'], triggered: false })
    expect(sitting.closed?.status).toBe('reported')
  })

  it('COU-R2-4 that are incomplete are asked for once more, and count once they are complete', () => {
    const says = (question: Question): ScriptedReply | undefined =>
      question.round === 'R2' && !isCompleting(question) ? LACKING : undefined
    const sitting = sit({}, { says })
    expect(sitting.asked.filter(({ round }) => round === 'R2')).toHaveLength(6)
    expect(sitting.closed).toMatchObject({ status: 'reported', metrics: { rounds_completed: 3 } })
    const never = sit({}, { says: ({ round }) => (round === 'R2' ? LACKING : undefined) })
    expect(never.closed).toMatchObject({ status: 'quorum_failed', reason: '0 of at least 1 reviews in R2' })
  })
})
