// First events of branches that no order, no parent or no terms allow, and orders that lead nowhere.

import { describe, expect, it } from 'vitest'
import { ExchangeRun, newTrace } from '../../test/support/exchange-run.ts'
import { plainScript, type Script, terms } from '../../test/support/exchange-script.ts'
import { FORKED } from '../ledger/fork.ts'
import type { Refusal } from '../protocol.ts'
import { branchPayload } from './branch.ts'
import type { Terms } from './terms.ts'

const restless: Script = {
  ...plainScript,
  reply: (round, mind) => `---\n[RESTART] ${mind} ${round}\n---\nagain`,
}

/** The first event of a branch of this run, as it may be there but for one change. */
function firstEvent(parent: ExchangeRun, into: string, payload: object, role = 'observer') {
  const child = new ExchangeRun(plainScript, into, [...parent.prefix, ...parent.events])
  const agent = role === 'observer' ? 'ana' : role
  return (change: object): Refusal | null =>
    child.judge({
      type: FORKED,
      agent,
      role,
      payload: { branch: { ...payload, ...change }, parent: {} } as never,
    })
}

const plain = (into: string) => ({
  ...{ into, round: 3, carry: 'window', terms: null, current: false, order: 'x/1', signal: null },
  by_policy: 0,
})

describe('EXC-BR-1 a trace is no branch', () => {
  const parent = ExchangeRun.open(terms()).rounds(3)
  const into = newTrace()
  const judge = firstEvent(parent, into, plain(into))

  it('if it was ordered as another trace, or after another round than its parent is at', () => {
    expect(judge({})).toBeNull()
    expect(judge({ into: newTrace() })?.message).toBe('the branch was ordered as another trace')
    expect(judge({ round: 2 })).toMatchObject({
      message: 'it starts after round 3, not 2',
      lacks: expect.arrayContaining(['round_opened']),
    })
  })

  it('if it has not the form of a branch, or its terms are invalid', () => {
    expect(judge({ carry: 'all' })?.message).toContain('this is no branch of an exchange: ')
    expect(judge({ terms: { ...terms(), pool: {} } })?.message).toContain(
      'the terms of the branch are not sound: ',
    )
    expect(judge({ terms: terms({ pool: { prompt: 'Lakes.' } }) })).toBeNull()
  })

  it('if it answers a signal that got another answer, or miscounts the acts of policies', () => {
    const signal = (answer: string) => ({ signal: { number: 1, answer, asked: [] } })
    for (const answer of ['acknowledge', 'halt'])
      expect(judge(signal(answer))?.message).toBe('that answer makes no branch')
    for (const answer of ['branch', 'rollback']) expect(judge(signal(answer))).toBeNull()
    expect(judge({ by_policy: 1 })?.message).toBe('the count of policies does not follow')
  })

  it('if no exchange was opened', () => {
    const nothing = firstEvent(new ExchangeRun(), into, { ...plain(into), round: 0 })
    expect(nothing({})?.message).toBe('the exchange is not open')
  })
})

describe('EXC-INT-2 a policy makes no branch', () => {
  const other = terms({ pool: { prompt: 'Clouds.' }, auditor: { every: 7 } })
  const parentUnder = (restart: object): ExchangeRun =>
    ExchangeRun.open(terms({ auditor: { every: 7 }, restart })).rounds(3)
  const order = (into: string, branch: Terms | null) => ({
    ...plain(into),
    terms: branch,
    by_policy: 1,
    signal: { number: 1, answer: 'branch', asked: [] },
  })
  const judgeUnder = (restart: object, branch: Terms | null) => {
    const into = newTrace()
    return firstEvent(parentUnder(restart), into, order(into, branch), 'policy')
  }

  it('that its terms do not order: without one, to other terms, without a signal, or with less than the window', () => {
    const judge = judgeUnder({ policy: { branch: other }, limit: 1 }, other)
    expect(judge({})).toBeNull()
    const words = 'a policy branches otherwise than its terms say'
    for (const change of [{ terms: null }, { terms: terms() }, { signal: null }, { carry: 'none' }])
      expect(judge(change)).toEqual({ code: 'ROLE_POLICY_VIOLATION', message: words })
    expect(judgeUnder({ policy: 'halt' }, null)({})?.message).toBe('these terms let no policy branch')
    expect(judgeUnder({ policy: { rollback: 'last-audit' } }, null)({})).toBeNull()
    expect(judgeUnder({ policy: { rollback: 'last-audit' } }, null)({ terms: other })?.message).toBe(words)
  })

  it('after it has branched as often as its terms allow', () => {
    const judge = judgeUnder({ policy: { branch: other }, limit: 2 }, other)
    expect(judge({ by_policy: 2 })).toBeNull()
    expect(judge({ by_policy: 3 })?.message).toBe('the policy has branched as often as its terms allow')
  })
})

describe('EXC-INT-2 a policy rolls back', () => {
  it('only to rounds under its own terms: otherwise the observer is asked', () => {
    const policy = { rollback: 'last-audit' }
    const run = ExchangeRun.open(terms({ auditor: { every: 7 } }), restless).rounds(9)
    const under = run.inner.terms as Terms
    run.person('terms_amended', {
      terms: { ...under, restart: { ...under.restart, policy } },
      reason: null,
    })
    run.rounds(13)
    expect(run.inner.lastAudit).toBe(7)
    expect(run.actions()).toMatchObject([{ call: 'park', id: expect.stringContaining('answer/1') }])
    const from = ExchangeRun.open(terms({ auditor: { every: 7 }, restart: { policy } }), restless).rounds(13)
    const [branch] = from.children.values()
    expect(branch?.inner.closed).toBe(7)
    expect(branch?.inner.byPolicy).toBe(1)
  })
})

describe('EXC-BR-1 an order', () => {
  it('may leave the exchange unmoved after it has moved, but not move it twice', () => {
    const run = ExchangeRun.open(terms()).rounds(4)
    run.branch({ round: 2, current: true })
    expect(() => run.branch({ round: 1, current: true })).toThrow('has gone on in')
    expect(run.branch({ round: 1 }).inner.closed).toBe(1)
  })

  it('may be for the round that has just ended, and not for one that is open', () => {
    const run = ExchangeRun.open(terms()).rounds(4)
    const now = run.branch({ round: 4 })
    expect(now.prefix.at(-1)?.type).toBe('branch_ordered')
    run.person('continued', { until: 5, mode: 'run' })
    run.run((actions) => actions.find(({ id }) => id.startsWith('round/')))
    expect(() => run.branch({ round: 5 })).toThrow('round 5 is not over')
    const before = run.branch({ round: 4 })
    expect(before.inner.closed).toBe(4)
    expect(before.prefix.at(-1)?.type).toBe('continued')
    expect(() => run.branch({ round: 4, into: 'no trace' })).toThrow('a trace of its own')
    const unsound = {
      into: newTrace(),
      round: 4,
      carry: 'window',
      terms: { ...terms(), pool: {} },
      current: false,
    }
    const payload = { branch: unsound, reason: null } as never
    expect(run.judge({ type: 'branch_ordered', agent: 'ana', role: 'observer', payload })?.message).toContain(
      'the terms of the branch are not sound: pool lacks',
    )
  })

  it('for a round whose opening was erased is refused, and the erasure is named as a possible reason', () => {
    const whole = ExchangeRun.open(terms()).rounds(4)
    const events = whole.events.map((event) =>
      event.type === 'round_opened' && event.payload?.round === 3 ? { ...event, payload: null } : event,
    )
    const run = new ExchangeRun(plainScript, whole.trace, events)
    run.events.push(...events)
    const branch = { into: newTrace(), round: 3, carry: 'window', terms: null, current: false }
    const said = { type: 'branch_ordered', agent: 'ana', role: 'observer', payload: { branch, reason: null } }
    expect(run.judge(said as never)).toMatchObject({ lacks: expect.arrayContaining(['round_opened']) })
  })
})

describe('EXC-BR-1 a branch', () => {
  it('starts without the open pauses, orders, audits and costs of its parent', () => {
    const run = ExchangeRun.open(terms({ auditor: { every: 2 } })).rounds(4, 'chat')
    run.person('paused', { reason: 'lunch' })
    const first = run.branch({ round: 2, current: true })
    expect(run.inner).toMatchObject({ stopped: 'lunch', movedTo: first.trace, unanswered: 2 })
    expect(first.inner).toMatchObject({ ...{ stopped: null, movedTo: null, unanswered: null, forks: [] } })
    expect(first.inner.totals).toMatchObject({ asked: 0, calls: 0, messages: 0, usd: 0 })
  })

  it('that answers a signal raises none for a rotation, counts on, and remembers the models that asked', () => {
    const run = ExchangeRun.open(terms({ auditor: { every: 7 } }), restless).rounds(40)
    const asked = run.inner.signal?.asked ?? []
    const branch = { into: newTrace(), round: run.inner.closed, carry: 'window', terms: null, current: true }
    run.person('signal_answered', { ...{ signal: 1, answer: 'branch', reason: null, terms: null }, branch })
    const pending = run.inner.forks[0]
    if (!pending) throw new Error('nothing was ordered')
    expect(branchPayload(run.inner, pending).branch).toMatchObject({
      ...{ order: pending.event, by_policy: 0, signal: { number: 1, answer: 'branch', asked } },
    })
    const child = run.fork(branch.into)
    expect(child.inner).toMatchObject({ signals: 1, signal: null, settling: null })
    expect(child.inner.level).toMatchObject({ raised: false, quietUntil: branch.round + 2 })
    expect(child.inner.phase).toMatchObject({ signal: 1, answer: 'branch', asked, changed: [] })
    child.rounds(branch.round + 6)
    expect(child.inner.signal?.number).toBe(2)
  })

  it('that takes nothing along starts with an empty pool, silent levels, and pins', () => {
    const run = ExchangeRun.open(terms({ auditor: { every: 3 } }), restless).rounds(7)
    run.person('injected', { text: 'Look here.' })
    const kept = run.branch({ round: 7 }).inner
    expect([kept.due.length, kept.pending.length, kept.level.level > 0]).toEqual([2, 1, true])
    const bare = run.branch({ round: 7, carry: 'none' }).inner
    expect(bare).toMatchObject({ pool: [], protocol: [], due: [], pending: [], scored: [], series: [] })
    expect([bare.clusters, bare.audited, bare.level.level, bare.tracks.tags.level]).toEqual([
      null,
      null,
      0,
      0,
    ])
    const audited = run.branch({ round: 7, carry: 'audit' }).inner
    expect(audited.protocol.map(({ id }) => id)).toEqual(['6.p1'])
    expect(audited.due.map(({ message, unseen }) => [message.id, unseen])).toEqual([
      ['6.p1', ['claude', 'local']],
    ])
  })
})
