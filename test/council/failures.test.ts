import { beforeAll, describe, expect, it } from 'vitest'
import type { Act } from '../contracts/scenarios.ts'
import { type Doing, opinion, type Round, report, type Script } from '../fakes/council.ts'
import { runCouncil, THREE, verdictOn } from '../support/council-run.ts'

/** For the one who falls silent; everyone else has the time they need. */
const quick = (model: string, round: Round, failure: string) =>
  failure === 'timeout' ? { [model]: { [round]: 400 } } : {}

/** Each failure that the source names, as the other side causes it, and what the minutes must call it. */
const FAILURES: readonly (readonly [name: string, doing: Doing, type: string])[] = [
  ['timeout', { act: 'silence' }, 'timeout'],
  ['auth', { act: 'error', kind: 'auth', message: 'wrong key' }, 'auth'],
  ['rate_limit', { act: 'error', kind: 'rate_limit', message: 'slow down' }, 'rate_limit'],
  ['network', { act: 'reset', text: '{"stance"' }, 'network'],
  ['parse_error', { act: 'answer', text: 'I think so.', usage: null }, 'parse_error'],
  ['an empty opinion', opinion({ summary: ' ', details: blankDetails() }), 'parse_error'],
]

function blankDetails(): object {
  return { understanding: '', key_considerations: [], recommendation: ' ', rationale: '' }
}

// The one who is asked first also waits for what a mind loads; no one's time is to be up by that.
beforeAll(() => runCouncil({ models: THREE }))

const failing = (round: Round, doing: Doing): Script => ({ [round]: [doing] })

async function expectSound(held: Awaited<ReturnType<typeof runCouncil>>): Promise<void> {
  const report = await verdictOn(held.storage, held.result.trace)
  expect(report.failures).toEqual([])
  expect(report.status).toBe('pass')
  expect(held.result.metrics.calls_lost).toBe(0)
}

describe('a provider that fails', () => {
  it.each(FAILURES)(
    'COU-R1-3 COU-T-1 in round one is noted and does not block the others: %s',
    async (name, doing, type) => {
      const held = await runCouncil({
        models: { ...THREE, c: failing('R1', doing) },
        timeouts: quick('c', 'R1', name),
      })
      const { result } = held
      expect(result).toMatchObject({ status: 'reported', degraded: false })
      expect(result.rounds[0].opinions.map(({ seat }) => seat)).toEqual(['a', 'b'])
      expect(result.rounds[0].failed_providers).toMatchObject([
        { provider: 'c', round: 'R1', error_type: type, fallback_used: false },
      ])
      expect(result.transparency.failures).toHaveLength(1)
      const asked = held.server.calls().filter((call) => call === 'R1 c').length
      // Again after what passes, and for what is missing.
      expect(asked).toBe(name === 'auth' ? 1 : 2)
      expect(held.server.calls()).not.toContain('R2 c')
      await expectSound(held)
    },
  )

  it.each(FAILURES.slice(0, 5))(
    'COU-R2-4 in round two leaves the others to review: %s',
    async (name, doing, type) => {
      const held = await runCouncil({
        models: { ...THREE, b: failing('R2', doing) },
        timeouts: quick('b', 'R2', name),
      })
      expect(held.result).toMatchObject({ status: 'reported', degraded: false })
      expect(held.result.rounds[1].reviews.map(({ seat }) => seat)).toEqual(['a', 'c'])
      expect(held.result.rounds[1].failed_providers).toMatchObject([
        { provider: 'b', round: 'R2', error_type: type },
      ])
      await expectSound(held)
    },
  )

  it.each(FAILURES.slice(0, 5))(
    'COU-R3-3 in the chair is asked once by the council, then the most complete opinion is shown: %s',
    async (name, doing, type) => {
      const best = opinion({
        summary: 'The longest.',
        questions: ['Who pays?'],
        assumptions: ['x', 'y', 'z'],
      })
      const models = { ...THREE, a: failing('R3', doing), b: { R1: [best] } }
      const held = await runCouncil({ models, timeouts: quick('a', 'R3', name) })
      expect(held.result).toMatchObject({
        status: 'degraded',
        degraded: true,
        report: {
          synthesis: 'fallback',
          chair: null,
          shown_opinion: 'op-2',
          summary: 'The longest.',
          notices: ['Chair synthesis failed; showing best individual opinion'],
        },
      })
      expect(held.result.transparency.failures).toMatchObject([
        { provider: 'a', round: 'R3', error_type: type },
      ])
      await expectSound(held)
    },
  )

  it('COU-R3-3 VOX-4 in the chair is asked a second time by its seat, where that can help', async () => {
    const hiccup: Act = { act: 'error', kind: 'server', message: 'a hiccup' }
    const held = await runCouncil({ models: { ...THREE, a: { R3: [hiccup, report()] } } })
    expect(held.result).toMatchObject({ status: 'reported', report: { synthesis: 'chair' } })
    expect(held.server.calls().filter((call) => call === 'R3 a')).toHaveLength(2)
    await expectSound(held)
  })

  it('COU-R3-3 in the chair leaves it to the next chair', async () => {
    const gone: Act = { act: 'error', kind: 'auth', message: 'wrong key' }
    const options = { chairs: ['a', 'b'] }
    const held = await runCouncil({ models: { ...THREE, a: { R3: [gone] } }, options })
    expect(held.result).toMatchObject({ status: 'reported', report: { synthesis: 'chair', chair: 'b' } })
    expect(held.server.calls().filter((call) => call.startsWith('R3'))).toEqual(['R3 a', 'R3 b'])
    await expectSound(held)
  })
})

describe('several that fail', () => {
  const gone: Doing = { act: 'error', kind: 'auth', message: 'wrong key' }

  it('COU-Q-1 COU-R1-3 two of three in round one end it with what there is', async () => {
    const held = await runCouncil({ models: { a: {}, b: { R1: [gone] }, c: { R1: [gone] } } })
    expect(held.result).toMatchObject({ status: 'quorum_failed', report: null, degraded: false })
    expect(held.result.rounds[0].opinions).toHaveLength(1)
    expect(held.result.rounds[0].failed_providers).toHaveLength(2)
    expect(held.server.calls().some((call) => call.startsWith('R2'))).toBe(false)
    await expectSound(held)
  })

  it('COU-Q-1 all three in round one end it with nothing but the reasons', async () => {
    const held = await runCouncil({ models: { a: { R1: [gone] }, b: { R1: [gone] }, c: { R1: [gone] } } })
    expect(held.result).toMatchObject({ status: 'quorum_failed', report: null })
    expect(held.result.transparency.failures?.map(({ error_message }) => error_message)).toEqual([
      expect.stringContaining('wrong key'),
      expect.stringContaining('wrong key'),
      expect.stringContaining('wrong key'),
    ])
    await expectSound(held)
  })

  it('COU-R2-4 COU-Q-1 all reviewers end it with the opinions', async () => {
    const held = await runCouncil({ models: { a: { R2: [gone] }, b: { R2: [gone] }, c: { R2: [gone] } } })
    expect(held.result).toMatchObject({ status: 'quorum_failed', report: null })
    expect(held.result.rounds[0].opinions).toHaveLength(3)
    expect(held.result.rounds[1]).toMatchObject({ reviews: [], failed_providers: [{}, {}, {}] })
    await expectSound(held)
  })

  it('COU-Q-1 one in each round and the chair still leave a report, marked', async () => {
    const held = await runCouncil({ models: { a: { R3: [gone] }, b: { R2: [gone] }, c: { R1: [gone] } } })
    expect(held.result).toMatchObject({ status: 'degraded', report: { synthesis: 'fallback' } })
    expect(held.result.transparency.failures?.map(({ round }) => round)).toEqual(['R1', 'R2', 'R3'])
    await expectSound(held)
  })

  it('COU-Q-1 end the run at the first failure where partial results are not allowed', async () => {
    const options = { policy: { quorum: { allow_partial: false } } }
    const first = await runCouncil({ models: { ...THREE, c: { R1: [gone] } }, options })
    expect(first.result).toMatchObject({ status: 'failed', report: null })
    expect(first.server.calls().some((call) => call.startsWith('R2'))).toBe(false)
    await expectSound(first)
    const second = await runCouncil({ models: { ...THREE, c: { R2: [gone] } }, options })
    expect(second.result).toMatchObject({ status: 'failed', report: null })
    const third = await runCouncil({ models: { ...THREE, a: { R3: [gone] } }, options })
    expect(third.result).toMatchObject({ status: 'failed', report: null })
    expect(third.result.rounds[1].reviews).toHaveLength(3)
  })

  it('COU-T-1 a round that lasts too long is closed and goes on with who answered', async () => {
    const options = { policy: { timeouts: { r1_round: 2_000 } } }
    const held = await runCouncil({ models: { ...THREE, c: { R1: [{ act: 'silence' }] } }, options })
    expect(held.result.status).toBe('reported')
    expect(held.result.rounds[0].failed_providers).toMatchObject([
      { provider: 'c', error_type: 'timeout', error_message: 'the round was closed before an answer came' },
    ])
    expect(held.events.map(({ type }) => type)).toContain('round_closed')
    await expectSound(held)
  })
})
