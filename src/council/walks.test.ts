// Random councils: no matter what succeeds, fails, is lost, comes late or is cut short, in any order, a council comes to
// an end, its minutes verify, no one ever saw their own opinion under review, and arrival within a round changes nothing.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as council from '../../test/support/all-of-council.ts'
import { opinionAnswer, reportAnswer } from '../../test/support/council-answers.ts'
import {
  policy,
  type Question,
  type ScriptedReply,
  Sitting,
  seat,
} from '../../test/support/council-sitting.ts'
import { findings, verified } from '../../test/support/sealed-council.ts'
import { CLERK } from '../ledger/calls.ts'
import type { Action } from '../protocol.ts'

const NAMES = ['ann', 'ben', 'cat', 'dan']

interface Plan {
  readonly seats: number
  readonly mode: council.Mode
  readonly enabled: boolean
  readonly partial: boolean
  readonly embeddings: boolean
  readonly budget: number | null
  /** What happens to the calls, one after the other: fine, failed, lost, fine but a stance apart, citing nothing. */
  readonly fates: readonly ('fine' | 'fails' | 'lost' | 'apart' | 'strange')[]
  /** In which order outcomes arrive. */
  readonly order: readonly number[]
  /** Whether no chair ever answers. */
  readonly mute: boolean
  readonly closes: number | null
  readonly timeout: number | null
}

/** Trouble comes now and then: plans that are all cut off at once would never see a review or a chair. */
const seldom = <Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: 1, arbitrary })

const plans: fc.Arbitrary<Plan> = fc.record({
  seats: fc.integer({ min: 2, max: 4 }),
  mode: fc.constantFrom('ask', 'architecture', 'review'),
  enabled: fc.boolean(),
  partial: seldom(fc.constant(false)).map((partial) => partial ?? true),
  embeddings: fc.boolean(),
  budget: seldom(fc.double({ min: 0, max: 0.15, noNaN: true })),
  fates: fc.array(
    fc.oneof(
      { weight: 5, arbitrary: fc.constant('fine' as const) },
      {
        weight: 3,
        arbitrary: fc.constantFrom('fails' as const, 'lost' as const, 'apart' as const, 'strange' as const),
      },
    ),
    { maxLength: 30 },
  ),
  order: fc.array(fc.nat(7), { minLength: 1, maxLength: 20 }),
  mute: seldom(fc.constant(true)).map((mute) => mute ?? false),
  closes: seldom(fc.nat(12)),
  timeout: seldom(fc.nat(12)),
})

function saysOf(plan: Plan): (question: Question) => ScriptedReply | undefined {
  let turn = 0
  return ({ round, state }) => {
    const fate = plan.fates[turn++] ?? 'fine'
    if (fate === 'fails' || (plan.mute && round === 'R3')) return { fails: 'rate_limit' }
    if (fate === 'apart' && round === 'R1') return opinionAnswer(state.opened.mode, { stance: 'reject' })
    return fate === 'strange' && round === 'R3'
      ? reportAnswer(['op-99', '__proto__'], state.opened.mode)
      : undefined
  }
}

/** Plays the plan to the end; throws when the protocol refuses an honest step. */
function play(plan: Plan): Sitting {
  const sitting = new Sitting({ says: saysOf(plan) })
  const seats = NAMES.slice(0, plan.seats).map((name) => seat(name))
  sitting.open({
    seats,
    mode: plan.mode,
    policy: policy({
      quorum: { allow_partial: plan.partial },
      short_circuit: { enabled: plan.enabled, embeddings: plan.embeddings },
      budget: { cost: plan.budget },
    }),
  })
  let lost = 0
  for (let turn = 0; turn < 60 && !sitting.inner.isClosed; turn++) {
    const actions = sitting.decide()
    const asks = actions.filter(({ call }) => call === 'ask')
    for (const action of asks) sitting.start(action)
    if (plan.timeout === turn && asks.length > 0) closeRound(sitting, asks)
    if (plan.closes === turn) requestClose(sitting)
    const waiting = [...asks]
    for (let i = 0; waiting.length > 0; i++) {
      const [action] = waiting.splice((plan.order[i % plan.order.length] ?? 0) % waiting.length, 1)
      if (!action) break
      // A fate of its own for every third loss: else nothing would ever be answered.
      if ((plan.fates[turn + i] ?? 'fine') === 'lost' && lost++ < 3) sitting.lose(action)
      else sitting.speak(sitting.outcome(action))
    }
    for (const action of actions.filter(({ call }) => call === 'record')) {
      if (sitting.decide().some(({ id }) => id === action.id)) sitting.speak(sitting.bookkeeping(action))
    }
  }
  return sitting
}

function closeRound(sitting: Sitting, asks: readonly Action[]): void {
  const round = String(asks[0]?.input.round)
  const closing = {
    type: council.ROUND_CLOSED,
    agent: CLERK,
    role: CLERK,
    payload: { round, reason: 'timeout' },
  }
  if (sitting.refusal(closing) === null) sitting.speak(closing)
}

function requestClose(sitting: Sitting): void {
  const request = {
    type: council.CLOSE_REQUESTED,
    agent: 'olga',
    role: council.CONVENER,
    payload: { reason: 'late' },
  }
  if (sitting.refusal(request) === null) sitting.speak(request)
}

/** What each reviewer read, in the order in which it read it. */
const shownStances = ({ asked }: Sitting): readonly unknown[] =>
  asked
    .filter(({ round }) => round === 'R2')
    .map(({ prompt }) => prompt.parts.filter(({ name }) => name === 'opinions'))
    .map((parts) => parts.map(({ text }) => JSON.parse(text).stance))

describe('any council', () => {
  it('COU-T-1 COU-X-1 comes to an end, with a report exactly when its status promises one', () => {
    const reached = new Set<unknown>()
    fc.assert(
      fc.property(plans, (plan) => {
        const sitting = play(plan)
        expect(sitting.inner.isClosed).toBe(true)
        const status = sitting.closed?.status
        reached.add(status)
        const promises = status === 'reported' || status === 'degraded' || status === 'over_budget'
        if (promises) expect(sitting.report).not.toBeNull()
        if (status === 'quorum_failed' || status === 'failed') expect(sitting.report).toBeNull()
        expect(sitting.inner.open.size).toBe(0)
        expect(sitting.decide()).toEqual([])
        for (const { round } of sitting.asked) expect(['R1', 'R2', 'R3']).toContain(round)
      }),
      { numRuns: 120 },
    )
    // Plans that all end in one way would promise little.
    expect([...reached]).toEqual(expect.arrayContaining(['reported', 'degraded', 'quorum_failed']))
  })

  it('COU-R2-2 never shows a reviewer its own opinion, and never shows any opinion in round one', () => {
    const reviewed = { count: 0 }
    fc.assert(
      fc.property(plans, (plan) => {
        const sitting = play(plan)
        reviewed.count += sitting.asked.filter(({ round }) => round === 'R2').length
        for (const { round, seat: name, prompt } of sitting.asked) {
          const shown = prompt.parts
            .filter((part) => part.name === 'opinions')
            .map(({ quotes }) => quotes?.id)
          if (round === 'R1') expect(shown).toEqual([])
          if (round === 'R2') expect(shown).not.toContain(sitting.inner.opinions.get(name)?.took.event)
        }
      }),
      { numRuns: 60 },
    )
    expect(reviewed.count).toBeGreaterThan(60)
  })

  it('VER-1 leaves a trace that verifies', async () => {
    await fc.assert(
      fc.asyncProperty(plans, async (plan) => {
        expect(findings(await verified(play(plan)))).toEqual([])
      }),
      { numRuns: 12 },
    )
  }, 60_000)

  it('COU-R1-1 has the same result in any order of answers within a round', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([0, 1, 2], { minLength: 3 }), (order) => {
        const stances = ['adopt', 'reject', 'need-info']
        const says = ({ round, seat: name }: Question): ScriptedReply | undefined =>
          round === 'R1'
            ? opinionAnswer('ask', { stance: stances[NAMES.indexOf(name)] ?? 'adopt' })
            : undefined
        const sitting = new Sitting({ says, pace: 0 }).open()
        const actions = sitting.decide()
        for (const action of actions) sitting.start(action)
        for (const i of order) sitting.speak(sitting.outcome(actions[i] as Action))
        const told = council
          .opinionsOf(sitting.inner)
          .map(({ id, seat: name, stance }) => `${id} ${name} ${stance}`)
        expect(told).toEqual(['op-1 ann adopt', 'op-2 ben reject', 'op-3 cat need-info'])
        const { criteria } = council.decisionAfter(sitting.inner, 'R1')
        expect(criteria.agreement).toMatchObject({ stance: 0.3333, recommendation: 1 })
        expect(shownStances(sitting.run())).toEqual(shownStances(new Sitting({ says, pace: 0 }).open().run()))
      }),
      { numRuns: 6 },
    )
  })
})
