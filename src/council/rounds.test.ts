// Quorum, degradation, timeouts, losses and budgets: how a council continues, and how it ends.
import { describe, expect, it } from 'vitest'
import * as council from '../../test/support/all-of-council.ts'
import {
  critique,
  opinionAnswer,
  reportAnswer,
  reviewAnswer,
  target,
} from '../../test/support/council-answers.ts'
import {
  policy,
  type Question,
  type ScriptedReply,
  Sitting,
  seat,
  sit,
} from '../../test/support/council-sitting.ts'
import { CLERK } from '../ledger/calls.ts'

const FAILS: ScriptedReply = { fails: 'network' }
const failing =
  (...whom: readonly string[]) =>
  ({ round, seat: name }: Question): ScriptedReply | undefined =>
    whom.includes(`${round} ${name}`) ? FAILS : undefined

const rounds = (sitting: Sitting) => sitting.asked.map(({ round, seat: name }) => `${round} ${name}`)

describe('the quorum', () => {
  it('COU-R2-4 needs one review and continues with one', () => {
    const one = sit({}, { says: failing('R2 ann', 'R2 ben') })
    expect(one.closed?.status).toBe('reported')
    expect(council.r2Result(one.inner)).toMatchObject({
      reviews: [{ id: 'rv-3', seat: 'cat' }],
      failed_providers: [{ provider: 'ann', round: 'R2', error_type: 'network' }, { provider: 'ben' }],
    })
    const none = sit({}, { says: failing('R2 ann', 'R2 ben', 'R2 cat') })
    expect(none.closed).toMatchObject({ status: 'quorum_failed', report: null })
    expect(council.r1Result(none.inner).opinions).toHaveLength(3)
    expect(council.r2Result(none.inner).round_duration_ms).toBe(5000)
  })

  it('COU-Q-1 ends at any failure when partial results are not allowed', () => {
    const strict = policy({ quorum: { allow_partial: false } })
    const status = (...whom: readonly string[]) => sit({ policy: strict }, { says: failing(...whom) }).closed
    expect(status('R1 ben')).toMatchObject({ status: 'failed', reason: 'ben failed in R1', report: null })
    expect(status('R2 ben')).toMatchObject({ status: 'failed', reason: 'ben failed in R2', report: null })
    expect(status('R3 ann')).toMatchObject({ status: 'failed', reason: 'every chair failed in R3' })
    expect(status()).toMatchObject({ status: 'reported' })
  })

  it('COU-Q-1 is the number of opinions and reviews that the policy sets', () => {
    const needs = (quorum: Partial<council.QuorumPolicy>, ...whom: readonly string[]) =>
      sit({ policy: policy({ quorum }) }, { says: failing(...whom) })
    expect(needs({ r1_min: 3 }, 'R1 ben').closed).toMatchObject({
      status: 'quorum_failed',
      reason: '2 of at least 3 opinions in R1',
    })
    expect(needs({ r1_min: 1 }, 'R1 ben').closed?.status).toBe('reported')
    expect(needs({ r2_min: 2 }, 'R2 ann', 'R2 ben').closed?.status).toBe('quorum_failed')
    expect(needs({ r2_min: 2 }, 'R2 ann').closed?.status).toBe('reported')
    const chairs = (sitting: Sitting) => rounds(sitting).filter((each) => each.startsWith('R3'))
    expect(chairs(needs({}, 'R3 ann'))).toEqual(['R3 ann'])
    const optional = needs({ r3_required: false }, 'R3 ann')
    expect([chairs(optional), optional.report?.synthesis]).toEqual([['R3 ann'], 'fallback'])
    const unchaired = sit({ chairs: [], policy: policy({ quorum: { r3_required: false } }) })
    expect([chairs(unchaired), unchaired.closed?.status, unchaired.report?.synthesis]).toEqual([
      [],
      'reported',
      'none',
    ])
  })

  it('COU-Q-1 counts no checks among models, and needs only the panel where there are only checks', () => {
    const checks = seat('panel', { embedded: true, vendor: 'witan', model: null })
    const seats = [seat('ann'), seat('ben'), checks]
    const mixed = sit({ seats }, { says: failing('R1 ben') })
    expect(mixed.closed?.status).toBe('quorum_failed')
    expect(rounds(sit({ seats }))).toEqual(['R1 ann', 'R1 ben', 'R1 panel', 'R2 ann', 'R2 ben', 'R3 ann'])
    const alone = sit({ seats: [checks], chairs: [] })
    expect(alone.closed?.status).toBe('reported')
    expect(rounds(alone)).toEqual(['R1 panel'])
    expect(alone.report).toMatchObject({
      synthesis: 'none',
      decision: 'need-info',
      notices: ['Checks only: no language model was asked.'],
      rounds_completed: ['R1'],
    })
  })
})

describe('the chair', () => {
  it('COU-R3-3 is asked once by the protocol, then the most complete opinion is shown with the disclaimer', () => {
    const says = (question: Question): ScriptedReply | undefined => {
      if (question.round === 'R3') return FAILS
      if (question.round === 'R1' && question.seat === 'ben')
        return opinionAnswer('ask', { risks: [], assumptions: [], questions: [] })
      return question.round === 'R1' && question.seat === 'cat'
        ? opinionAnswer('ask', { summary: 'No.', stance: 'reject', confidence: 'low' })
        : undefined
    }
    const sitting = sit({}, { says })
    expect(rounds(sitting).filter((each) => each.startsWith('R3'))).toEqual(['R3 ann'])
    expect(sitting.closed?.status).toBe('degraded')
    expect(sitting.report).toMatchObject({
      synthesis: 'fallback',
      shown_opinion: 'op-1',
      chair: null,
      decision: 'adopt',
      notices: ['Chair synthesis failed; showing best individual opinion'],
    })
  })

  it('COU-R3-3 is followed by the next chair of the list', () => {
    const ben = seat('ben', { roles: ['participant', 'chair'] })
    const seats = [seat('ann'), ben, seat('cat')]
    const sitting = sit({ seats, chairs: ['ann', 'ben'] }, { says: failing('R3 ann') })
    expect(rounds(sitting).slice(-2)).toEqual(['R3 ann', 'R3 ben'])
    expect(sitting.closed?.status).toBe('reported')
    expect(sitting.report?.chair).toBe('ben')
    expect(council.r3Result(sitting.inner)?.chair_provider).toBe('ben')
  })

  it('COU-R3-4 is asked again once about ids that do not exist, which are then listed as unsupported', () => {
    const stubborn = sit(
      {},
      { says: ({ round }) => (round === 'R3' ? reportAnswer(['op-1', 'op-9']) : undefined) },
    )
    const asked = stubborn.asked.filter(({ round }) => round === 'R3')
    expect(asked.map(({ mend }) => mend)).toEqual([false, true])
    const told = asked[1]?.prompt.parts.find(({ name }) => name === 'unknown')?.text ?? ''
    expect(told).toContain('op-9')
    expect(stubborn.report?.unsupported).toEqual([
      { place: 'rationale[0]', cited: ['op-9'] },
      { place: 'risks[0]', cited: ['op-9'] },
    ])
    const willing = sit(
      {},
      { says: ({ round, mend }) => (round === 'R3' ? reportAnswer([mend ? 'op-1' : 'op-9']) : undefined) },
    )
    expect(willing.report?.unsupported).toEqual([])
    const groundless = sit({}, { says: ({ round }) => (round === 'R3' ? reportAnswer([]) : undefined) })
    expect(groundless.report?.unsupported).toEqual([{ place: 'rationale[0]', cited: [] }])
  })

  it('COU-R3-4 keeps the first report if the correction fails', () => {
    const sitting = sit(
      {},
      { says: ({ round, mend }) => (round === 'R3' ? (mend ? FAILS : reportAnswer(['op-9'])) : undefined) },
    )
    expect(sitting.closed?.status).toBe('reported')
    expect(sitting.report?.unsupported[0]).toEqual({ place: 'rationale[0]', cited: ['op-9'] })
  })

  it('COU-R3-4 answers every severe critique or lists it as unresolved', () => {
    const severe = critique({ severity: 'critical', description: 'loses writes' })
    const says = ({ round, seat: name, labels }: Question): ScriptedReply | undefined => {
      if (round === 'R2' && name === 'ben')
        return reviewAnswer(labels, 'ask', {
          targets: labels.map((label) => target(label, 'ask', { critiques: [severe] })),
        })
      if (round !== 'R3') return undefined
      return reportAnswer(['op-1', 'rv-2'], 'ask', {
        answered_critiques: [{ critique: 'rv-2.c1', answer: 'writes bypass the cache' }],
      })
    }
    const { report } = sit({}, { says })
    expect(report?.unresolved).toEqual([{ id: 'rv-2.c2', severity: 'critical', description: 'loses writes' }])
  })

  it('COU-X-6 is compared with the majority of round one, with the seats that changed position', () => {
    const says = ({ round, seat: name, labels }: Question): ScriptedReply | undefined => {
      if (round === 'R1' && name === 'cat') return opinionAnswer('ask', { stance: 'reject' })
      if (round === 'R2' && name === 'ben')
        return reviewAnswer(labels, 'ask', { stance_after: 'reject', why: 'writes are lost' })
      return round === 'R3' ? reportAnswer(['op-3'], 'ask', { decision: 'reject' }) : undefined
    }
    const { report } = sit({}, { says })
    expect(report?.majority).toEqual({ stance: 'adopt', counts: { adopt: 2, reject: 1 }, departed: true })
    expect(report?.position_changes).toEqual([
      { seat: 'ben', before: 'adopt', after: 'reject', why: 'writes are lost' },
      { seat: 'cat', before: 'reject', after: 'adopt', why: 'nothing speaks against it' },
    ])
  })
})

describe('a council in trouble', () => {
  it('COU-X-1 asks lost questions again, under the next attempt, and no answered question', () => {
    const sitting = new Sitting().open()
    const [ann, ben, cat] = sitting.decide()
    if (!ann || !ben || !cat) throw new Error('three are asked')
    sitting.start(ann).start(ben).start(cat).speak(sitting.outcome(ann)).lose(ben).lose(cat)
    expect(sitting.decide().map(({ id }) => id)).toEqual(['opinion/ben/2', 'opinion/cat/2'])
    sitting.run()
    expect(sitting.closed).toMatchObject({
      status: 'reported',
      metrics: { calls: 9, calls_lost: 2, cost_unknown_calls: 2 },
    })
  })

  it('COU-T-1 closes a round in time and continues with the answers it has', () => {
    const sitting = new Sitting().open()
    const [ann, ben, cat] = sitting.decide()
    if (!ann || !ben || !cat) throw new Error('three are asked')
    sitting.start(ann).start(ben).start(cat).speak(sitting.outcome(ann)).speak(sitting.outcome(ben))
    sitting.say(council.ROUND_CLOSED, CLERK, CLERK, { round: 'R1', reason: 'timeout' })
    expect(sitting.decide()).toEqual([])
    sitting.lose(cat)
    sitting.run()
    expect(sitting.closed?.status).toBe('reported')
    expect(council.r1Result(sitting.inner).failed_providers).toMatchObject([
      { provider: 'cat', error_type: 'timeout', error_message: 'the round was closed before an answer came' },
    ])
  })

  it('COU-T-1 takes an answer that comes while the round is being closed', () => {
    const sitting = new Sitting().open()
    const actions = sitting.decide()
    for (const action of actions) sitting.start(action)
    sitting.say(council.ROUND_CLOSED, CLERK, CLERK, { round: 'R1', reason: 'timeout' })
    for (const action of actions) sitting.speak(sitting.outcome(action))
    sitting.run()
    expect(sitting.closed?.status).toBe('reported')
  })

  it('closes with the answers it has if its convener asks, and asks no seat again', () => {
    const sitting = new Sitting().open()
    sitting.step()
    sitting.say(council.CLOSE_REQUESTED, 'olga', council.CONVENER, { reason: 'enough' })
    sitting.run()
    expect(sitting.asked).toHaveLength(3)
    expect(sitting.closed).toMatchObject({ status: 'closed_early', reason: 'enough' })
    expect(sitting.report).toMatchObject({ synthesis: 'none', decision: 'adopt' })
    const late = {
      type: council.CLOSE_REQUESTED,
      agent: 'olga',
      role: council.CONVENER,
      payload: { reason: '' },
    }
    expect(sitting.refusal(late)).toBe('the council is closed')
  })

  it('COU-S-2 stops before the next call when cost or time is used up', () => {
    const poor = sit({ policy: policy({ budget: { cost: 0.03 } }) })
    expect(rounds(poor)).toEqual(['R1 ann', 'R1 ben', 'R1 cat'])
    expect(poor.closed).toMatchObject({ status: 'over_budget', metrics: { total_cost_estimate: 0.03 } })
    const late = sit({ policy: policy({ budget: { minutes: 1 } }) }, { pace: 20_000 })
    expect(late.closed?.status).toBe('over_budget')
    const unknown = sit({ policy: policy({ budget: { cost: 0.03 } }) }, { usd: null })
    expect(unknown.closed).toMatchObject({
      status: 'reported',
      metrics: { total_cost_estimate: null, cost_unknown_calls: 7 },
    })
  })

  it('COU-S-2 does not count the pause of a council that was killed as time spent', () => {
    const sitting = new Sitting().open({ policy: policy({ budget: { minutes: 1 } }) })
    const [ann] = sitting.decide()
    if (!ann) throw new Error('somebody is asked')
    sitting.start(ann).wait(86_400_000).lose(ann).run()
    expect(sitting.closed?.status).toBe('reported')
  })
})
