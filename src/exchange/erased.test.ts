// What an erased payload leaves: the fold continues by the header alone, and a guard that misses something says which
// events may have held it, so that an erasure limits a verdict and never turns it.

import { describe, expect, it } from 'vitest'
import { ExchangeRun } from '../../test/support/exchange-run.ts'
import { opening, plainScript, type Script, terms } from '../../test/support/exchange-script.ts'
import type { Lack, Occurrence } from '../protocol.ts'

/** The same trace, in which these events are erased. */
function erasing(run: ExchangeRun, isErased: (event: Occurrence) => boolean): ExchangeRun {
  const events = run.events.map((event) => (isErased(event) ? { ...event, payload: null } : event))
  const again = new ExchangeRun(plainScript, run.trace, events)
  again.events.push(...events)
  return again
}
const ofType = (type: string) => (event: Occurrence) => event.type === type
const only = (type: string, nth = 0) => {
  let seen = -1
  return (event: Occurrence) => event.type === type && ++seen === nth
}
const namesOf = (lacks: readonly Lack[] | undefined) =>
  (lacks ?? []).flatMap((lack) => (typeof lack === 'string' ? lack : lack.types))

describe('an erased event', () => {
  it('of a model still names the model, and its round ends without the text', () => {
    const run = erasing(ExchangeRun.open(terms()).rounds(2), only('mind_wrote', 1))
    expect(run.inner.pool.map(({ id }) => id)).toEqual(['1.1', '1.2'])
    expect(run.inner).toMatchObject({ barren: 0, totals: { asked: 2, failed: 0, messages: 2 } })
  })

  it('of the auditor ends the audit without one', () => {
    const run = erasing(ExchangeRun.open(terms({ auditor: { every: 2 } })).rounds(3), ofType('audit_written'))
    expect(run.inner.closed).toBe(3)
    expect(run.inner.protocol.map(({ kind }) => kind)).toEqual(['auditor_role', 'observer_role'])
    expect(run.inner.totals).toMatchObject({ asked: 3, failed: 1 })
  })

  it('of a judge leaves the judgement unknown, and the judge is not asked again at once', () => {
    const judging = {
      ...{ pool: { minds: ['local', 'birch', 'cedar'] }, auditor: { mind: 'claude', every: 4 } },
      restart: { judge: 'auditor' },
    }
    const whole = ExchangeRun.open(terms(judging)).rounds(4)
    const run = erasing(whole, ofType('restart_judged'))
    expect(whole.inner.scored.some(({ judged }) => judged !== undefined)).toBe(true)
    expect(run.inner.scored.some(({ judged }) => judged !== undefined)).toBe(false)
    expect(run.inner.judging).toBeNull()
    expect(run.inner.judgings).toMatchObject({ count: 1, round: 4, asked: 1, usd: 0 })
  })

  it('that opened the exchange cannot be replaced by another opening', () => {
    const run = erasing(ExchangeRun.open(terms()), ofType('exchange_opened'))
    const opened = { type: 'exchange_opened', agent: 'ana', role: 'observer', payload: opening(terms()) }
    expect(run.judge(opened)?.message).toBe('an exchange is opened once, by its first event')
  })

  it('of an audit round leaves its audit without a round, which can explain it', () => {
    const whole = ExchangeRun.open(terms({ auditor: { every: 2 } })).rounds(2)
    const at = whole.types().indexOf('audit_written')
    const before = new ExchangeRun(plainScript, whole.trace)
    before.events.push(...whole.events.slice(0, at))
    const run = erasing(before, only('round_opened', 1))
    const { actor, payload, type } = whole.events[at] as Occurrence
    const refusal = run.judge({ type, agent: actor.agent, role: actor.role, payload: payload ?? {} })
    expect(refusal?.message).toBe('no audit is due here')
    expect(namesOf(refusal?.lacks)).toContain('round_opened')
    const wrote = whole.types().indexOf('mind_wrote')
    const first = new ExchangeRun(plainScript, whole.trace)
    first.events.push(...whole.events.slice(0, wrote))
    const mind = whole.events[wrote] as Occurrence
    const unopened = erasing(first, ofType('round_opened')).judge({
      ...{ type: 'mind_wrote', agent: mind.actor.agent, role: 'mind', payload: mind.payload ?? {} },
    })
    expect(unopened?.message).toBe('no such round is open')
  })

  it('is not replaced by invalid terms: the fold keeps only valid ones', () => {
    const unsound = { ...terms(), pool: { ...terms().pool, minds: [] } }
    const fresh = new ExchangeRun()
    fresh.fold({ type: 'exchange_opened', agent: 'ana', role: 'observer', payload: opening(unsound) })
    expect(fresh.inner.terms).toBeNull()
    const run = ExchangeRun.open(terms())
    const amended = { terms: unsound, reason: null } as never
    run.fold({ type: 'terms_amended', agent: 'ana', role: 'observer', payload: amended })
    expect(run.inner.terms).toEqual(terms())
  })

  it('of a halt or a pause still stops the exchange', () => {
    const halted = ExchangeRun.open(terms()).rounds(1)
    halted.person('exchange_halted', { reason: 'enough' })
    const run = erasing(halted, ofType('exchange_halted'))
    expect([run.inner.halted, run.actions()]).toEqual([true, []])
    const paused = ExchangeRun.open(terms()).rounds(1)
    paused.person('paused', { reason: 'lunch' })
    expect(erasing(paused, ofType('paused')).inner.stopped).toBe('paused by the observer')
    const unsaid = ExchangeRun.open(terms()).rounds(1)
    unsaid.person('paused', { reason: null })
    expect(unsaid.inner.stopped).toBe('paused by the observer')
  })

  it('that opened the exchange leaves a trace without terms: no step is decided', () => {
    const run = erasing(ExchangeRun.open(terms()).rounds(2), ofType('exchange_opened'))
    expect([run.inner.trace, run.inner.terms, run.actions()]).toEqual([run.trace, null, []])
  })
})

describe('a guard that misses an erased event names the events that may explain it', () => {
  /** What is missed where the last event is judged again after others are erased. */
  function missed(whole: ExchangeRun, isErased: (event: Occurrence) => boolean) {
    const last = whole.events.at(-1) as Occurrence
    const before = new ExchangeRun(whole.script, whole.trace)
    before.events.push(...whole.events.slice(0, -1))
    const run = erasing(before, isErased)
    const { agent, role } = last.actor
    return run.judge({ type: last.type, agent, role, payload: last.payload ?? {} })
  }
  const spoken = (type: string, payload: object, given = {}): ExchangeRun => {
    const run = ExchangeRun.open(terms(given)).rounds(2)
    run.person(type, payload)
    return run
  }

  it.each([
    ['the opening', () => spoken('injected', { text: 'Go on.' }), 'exchange_opened'],
    ['the messages of a round', () => spoken('pinned', { message: '2.1' }), 'mind_wrote'],
    ['the audit', () => spoken('observer_passed', { audit: 2 }, { auditor: { every: 2 } }), 'round_opened'],
    [
      'the audit that is answered',
      () => spoken('observer_spoke', { text: 'Yes.', audit: 2 }, { auditor: { every: 2 } }),
      'round_opened',
    ],
  ])('%s', (_, make, type) => {
    const whole = make()
    expect(missed(whole, () => false)).toBeNull()
    const refusal = missed(whole, ofType(type))
    expect(namesOf(refusal?.lacks)).toContain(type)
  })

  it('what was pinned', () => {
    const run = spoken('pinned', { message: '1.1' })
    run.person('unpinned', { message: '1.1' })
    expect(namesOf(missed(run, ofType('pinned'))?.lacks)).toContain('pinned')
    // What can not be due to an erasure names nothing.
    const again = spoken('pinned', { message: '1.1' }).judge({
      ...{ type: 'pinned', agent: 'ana', role: 'observer', payload: { message: '1.1' } },
    })
    expect(again).toEqual({ code: 'ORDER_VIOLATION', message: 'it is pinned already' })
  })

  it('which branch was ordered', () => {
    const run = ExchangeRun.open(terms()).rounds(2)
    run.branch({ round: 1 })
    expect(run.types().at(-1)).toBe('branched')
    expect(namesOf(missed(run, ofType('branch_ordered'))?.lacks)).toEqual([
      'branch_ordered',
      'signal_answered',
    ])
  })

  it('which signal waits', () => {
    const restless: Script = {
      ...plainScript,
      reply: (round, mind) => `---\n[RESTART] ${mind} ${round}\n---\nx`,
    }
    const run = ExchangeRun.open(terms({ auditor: { every: 7 } }), restless).rounds(40)
    run.person('signal_answered', {
      signal: 1,
      answer: 'acknowledge',
      reason: null,
      terms: null,
      branch: null,
    })
    expect(namesOf(missed(run, ofType('signal_raised'))?.lacks)).toEqual(['signal_raised'])
    const other = { signal: 7, answer: 'acknowledge', reason: null, terms: null, branch: null }
    const waiting = ExchangeRun.open(terms({ auditor: { every: 7 } }), restless).rounds(40)
    const refusal = waiting.judge({ type: 'signal_answered', agent: 'ana', role: 'observer', payload: other })
    expect(refusal?.code).toBe('ORDER_VIOLATION')
  })

  it('a round: the terms where a role is reported, the course of it all where a round is opened', () => {
    const run = ExchangeRun.open(terms({ auditor: { every: 2 } }))
    run.person('continued', { until: 4, mode: 'run' })
    run.run((actions) => actions.find(({ id }) => !id.startsWith('role/')))
    const payload = { action: run.actions()[0]?.id ?? '', round: 2, role: 'auditor', text: 'Else.' }
    const role = run.judge({ type: 'role_reported', agent: 'clerk', role: 'clerk', payload })
    expect(role?.message).toContain('the role is not as the terms state it')
    expect(role?.lacks).toEqual([
      'exchange_opened',
      { types: ['terms_amended', 'signal_answered', 'branch_ordered'], since: run.events[0]?.hash },
    ])
    run.run((actions) => actions.find(({ id }) => !id.startsWith('round/')))
    const [action] = run.actions()
    const opened = { action: action?.id ?? '', ...action?.input, samples: [] }
    const round = run.judge({ type: 'round_opened', agent: 'clerk', role: 'clerk', payload: opened })
    expect(round?.message).toContain('it says something else')
    expect(namesOf(round?.lacks)).toEqual(
      expect.arrayContaining(['mind_wrote', 'pinned', 'paused', 'terms_amended']),
    )
  })
})
