import { describe, expect, it } from 'vitest'
import { ExchangeRun } from '../../test/support/exchange-run.ts'
import { plainScript, terms } from '../../test/support/exchange-script.ts'
import { CALL_STARTED } from '../ledger/calls.ts'
import { sha256 } from '../stores/digest.ts'
import type { AuditWritten, RoundOpened } from './events.ts'
import { termsHash } from './terms.ts'

const said = (run: ExchangeRun): readonly string[] => run.types().filter((type) => type !== CALL_STARTED)
const opened = (run: ExchangeRun): readonly RoundOpened[] =>
  run.events
    .filter(({ type }) => type === 'round_opened')
    .map(({ payload }) => payload as unknown as RoundOpened)

describe('the rhythm of an exchange', () => {
  it('EXC-POOL-1 EXC-AUD-1 has N-1 rounds of the pool, then an audit with both roles, then continues', () => {
    const run = ExchangeRun.open(terms({ auditor: { every: 3 } })).rounds(4)
    const pool = ['round_opened', 'mind_wrote', 'messages_embedded']
    const audit = ['round_opened', 'audit_written', 'role_reported', 'role_reported', 'messages_embedded']
    expect(said(run)).toEqual(['exchange_opened', 'continued', ...pool, ...pool, ...audit, ...pool])
    expect(opened(run).map(({ kind }) => kind)).toEqual(['pool', 'pool', 'audit', 'pool'])
    const roles = run.events.filter(({ type }) => type === 'role_reported').map(({ payload }) => payload)
    expect(roles).toMatchObject([
      { role: 'auditor', text: 'Say what the pool converges on.' },
      { role: 'observer', text: 'I answer each audit; I honour a restart once.' },
    ])
    expect(run.inner.protocol.map(({ id, kind }) => `${id} ${kind}`)).toEqual([
      '3.p1 audit',
      '3.p2 auditor_role',
      '3.p3 observer_role',
    ])
  })

  it('runs no further than the observer granted, and names the person it waits for', () => {
    const run = ExchangeRun.open(terms())
    expect(run.run().inner.closed).toBe(0)
    expect(run.actions()).toMatchObject([
      { call: 'park', waitsFor: 'ana to grant more rounds after round 0' },
    ])
    expect(run.rounds(2).inner.closed).toBe(2)
    run.person('paused', { reason: 'lunch' })
    expect(run.actions()).toMatchObject([{ call: 'park', waitsFor: 'ana to continue: lunch' }])
    expect(() => run.person('paused', { reason: null })).toThrow('paused already')
    expect(run.rounds(3).inner.closed).toBe(3)
  })

  it('EXC-AUD-1 asks the observer after an audit in a chat, and not in a batch', () => {
    const chat = ExchangeRun.open(terms({ auditor: { every: 2 } })).rounds(6, 'chat')
    expect(chat.inner.closed).toBe(2)
    expect(chat.actions()).toMatchObject([
      { id: 'observe/2/1', waitsFor: 'ana to answer the audit of round 2' },
    ])
    chat.person('observer_spoke', { text: 'Go on.', audit: 2 })
    expect(chat.run().inner.closed).toBe(4)
    chat.person('observer_passed', { audit: 4 })
    expect(chat.run().inner.closed).toBe(6)
    expect(ExchangeRun.open(terms({ auditor: { every: 2 } })).rounds(6).inner.closed).toBe(6)
    expect(() => chat.person('observer_passed', { audit: 4 })).toThrow('no such audit')
    expect([chat.inner.mode, chat.rounds(7).inner.mode]).toEqual(['chat', 'run'])
  })

  it('lets models take turns, or write together and enter in the order of the terms at any speed', () => {
    const turns = ExchangeRun.open(terms({ auditor: { every: 3 } })).rounds(5)
    expect(turns.inner.pool.map(({ author }) => author)).toEqual([
      'claude',
      'claude',
      'local',
      'local',
      'claude',
      'claude',
      'local',
      'local',
    ])
    const together = terms({ pool: { parallel: true, minds: ['a', 'b', 'c'] }, auditor: { mind: 'a' } })
    const inOrder = ExchangeRun.open(together).rounds(6)
    const reversed = ExchangeRun.open(together)
    reversed.person('continued', { until: 6, mode: 'run' })
    reversed.run((actions) => actions.at(-1))
    expect(reversed.texts()).toEqual(inOrder.texts())
    expect(inOrder.inner.pool.slice(0, 6).map(({ id, author }) => `${id} ${author}`)).toEqual([
      '1.1 a',
      '1.2 a',
      '1.3 b',
      '1.4 b',
      '1.5 c',
      '1.6 c',
    ])
  })

  it('continues without a model that fails, and asks the observer if none has answered for three rounds', () => {
    const some = {
      ...plainScript,
      reply: (round: number, mind: string) => (mind === 'local' ? null : `---\n${round}`),
    }
    const run = ExchangeRun.open(terms(), some).rounds(4)
    expect(run.inner.totals).toMatchObject({ asked: 4, failed: 2, messages: 2 })
    const none = ExchangeRun.open(terms(), { reply: () => null }).rounds(9)
    expect(none.inner.closed).toBe(3)
    expect(none.actions()).toMatchObject([
      { call: 'park', waitsFor: 'ana to continue: no mind has answered for 3 rounds' },
    ])
    expect(none.rounds(9).inner.closed).toBe(7)
  })

  it('stops if there are no vectors, and makes them when it continues', () => {
    const run = ExchangeRun.open(terms())
    run.person('continued', { until: 2, mode: 'run' })
    const failing = run.run((actions) => actions.find(({ id }) => !id.startsWith('embed/')))
    const [embed] = failing.actions()
    if (!embed) throw new Error('no vectors are wanted')
    run.start(embed)
    const payload = { action: embed.id, round: 1, message: 'out of memory' }
    run.say({ type: 'embedding_failed', agent: 'clerk', role: 'clerk', payload })
    expect(run.actions()).toMatchObject([{ waitsFor: 'ana to continue: no vectors: out of memory' }])
    expect(run.rounds(2).inner).toMatchObject({ closed: 2, pending: [] })
    expect(run.actions().map(({ id }) => id)).not.toContain(embed.id)
  })

  it('EXC-LEG-1 names the terms of every round, and an amendment counts from the next one on', () => {
    const before = terms()
    const after = { ...before, auditor: { ...before.auditor, spec: 'Be brief.' } }
    const run = ExchangeRun.open(before).rounds(1)
    run.person('continued', { until: 3, mode: 'run' })
    run.run((actions) => actions.find(({ id }) => id.startsWith('round/')))
    run.person('terms_amended', { terms: after, reason: 'too long' })
    run.run()
    const hashes = [before, before, after].map((each) => termsHash(sha256, each))
    expect(opened(run).map((round) => round.terms)).toEqual(hashes)
    expect(() => run.person('terms_amended', { terms: after, reason: null })).toThrow('in force already')
    expect(() => run.person('terms_amended', { terms: { ...after, auditor: {} }, reason: null })).toThrow(
      'auditor lacks',
    )
  })

  it('halts permanently if the observer says so', () => {
    const run = ExchangeRun.open(terms()).rounds(2)
    run.person('exchange_halted', { reason: 'enough' })
    expect(run.actions()).toEqual([])
    expect(() => run.person('continued', { until: 9, mode: 'run' })).toThrow('has halted')
  })
})

describe('an audit', () => {
  const audit = (points: readonly object[]) => ({
    ...plainScript,
    cluster: (text: string) => (text.includes('claude') ? 'c1' : 'c2'),
    audit: () => ({ summary: 'Two themes.', points }) as never,
  })
  const written = (run: ExchangeRun): AuditWritten =>
    run.events.find(({ type }) => type === 'audit_written')?.payload as unknown as AuditWritten

  it('EXC-AUD-2 keeps only points that cite what the auditor was shown, and lists the clusters left out', () => {
    const run = ExchangeRun.open(
      terms(),
      audit([
        { text: 'Claude repeats itself.', cites: ['1.1', '99.1'], clusters: ['c1', 'c77'] },
        { text: 'Invented.', cites: ['42.1'], clusters: ['c2'] },
        { text: 'Cites nothing.', cites: [], clusters: [] },
      ]),
    ).rounds(5)
    expect(written(run)).toMatchObject({
      points: [{ text: 'Claude repeats itself.', cites: ['1.1'], clusters: ['c1'] }],
      rejected: [{ text: 'Invented.', cites: ['42.1'] }, { text: 'Cites nothing.' }],
      left_out: ['c2'],
    })
    expect(run.inner.protocol[0]?.text).toBe('Two themes.\n- Claude repeats itself. (1.1)')
  })

  it('EXC-AUD-2 is refused if it cites what does not exist, or hides what it left out', () => {
    const run = ExchangeRun.open(terms(), audit([{ text: 'Claude.', cites: ['1.1'], clusters: [] }]))
    run.person('continued', { until: 5, mode: 'run' })
    run.run((actions) => actions.find(({ id }) => !id.startsWith('audit/')))
    const [action] = run.actions()
    if (!action) throw new Error('no audit is due')
    run.start(action)
    const honest = {
      ...ExchangeRun.open(terms(), run.script)
        .rounds(5)
        .events.find(({ type }) => type === 'audit_written')?.payload,
    }
    const judged = (change: object): string | undefined =>
      run.judge({
        type: 'audit_written',
        agent: 'claude',
        role: 'auditor',
        payload: { ...honest, ...change },
      })?.message
    expect(judged({ points: [{ text: 'x', cites: ['77.1'], clusters: [] }] })).toContain('was not shown')
    expect(judged({ points: [{ text: 'x', cites: [], clusters: [] }] })).toContain('cites nothing')
    expect(judged({ left_out: [] })).toContain('left out')
  })

  it('EXC-AUD-1 that fails leaves the round to the roles, and an empty pool is not audited', () => {
    const failed = ExchangeRun.open(terms({ auditor: { every: 2 } }), {
      ...plainScript,
      audit: () => null,
    }).rounds(2)
    expect(said(failed).slice(-3)).toEqual(['audit_failed', 'role_reported', 'role_reported'])
    const empty = ExchangeRun.open(terms({ auditor: { every: 2 } }), {
      reply: () => 'nothing to say',
    }).rounds(2)
    expect(said(empty).slice(-3)).toEqual(['round_opened', 'role_reported', 'role_reported'])
  })
})
