import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openExchangeHome, recordRun, verified } from '../../test/support/exchange-home.ts'
import { ExchangeRun, newTrace } from '../../test/support/exchange-run.ts'
import { plainScript, type Script, terms } from '../../test/support/exchange-script.ts'
import type { BranchOrder, Carry, RoundOpened } from './events.ts'
import type { ExchangeState } from './state.ts'

/** What a mind says depends on all that it is shown, so that any difference in a sample shows in every later text. */
const attentive: Script = {
  ...plainScript,
  reply: (round, mind, request) => {
    const heard = request.parts.filter(({ name }) => name.startsWith('message/'))
    const sum = [...heard.map(({ name }) => name).join()].reduce(
      (s, c) => (s * 31 + c.charCodeAt(0)) % 9973,
      7,
    )
    return `private\n---\n${mind} ${round} ${sum}\n---\nheard ${heard.map(({ name }) => name.slice(8)).join(' ')}`
  },
}

const tagged = (tag: string): Script => ({
  ...plainScript,
  reply: (round, mind) => `---\n${tag} ${mind} ${round}\n---\n${tag} again`,
})

const samples = (run: ExchangeRun): readonly (readonly string[])[] =>
  run.events.flatMap(({ type, payload }) => {
    if (type !== 'round_opened') return []
    return (payload as unknown as RoundOpened).samples.map(({ messages }) => messages)
  })
const shownIn = (run: ExchangeRun): readonly string[] => samples(run).flat()

/** Everything of a state but the names of traces and the counts of what was paid. */
function comparable(state: ExchangeState): unknown {
  const { ends: _, trace: __, totals: ___, stops: ____, byPolicy: _____, termsSince, ...rest } = state
  return JSON.parse(
    JSON.stringify(rest)
      .replaceAll(/01KE0{6}\d{16}\/\d+/g, 'event')
      .replaceAll(termsSince, 'terms'),
  )
}

describe('a branch', () => {
  it('EXC-BR-1 sees the messages of its parent up to its round and no later one', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9 }), fc.nat({ max: 99 }), (round, seed) => {
        const parent = ExchangeRun.open(
          terms({ pool: { seed }, auditor: { every: 4 } }),
          tagged('parent'),
        ).rounds(9)
        const child = parent.branch({ round }, tagged('child')).rounds(15)
        const inherited = child.inner.pool.filter(({ text }) => text.startsWith('parent'))
        expect(inherited.every((message) => message.round <= round)).toBe(true)
        for (const { text, round: at } of child.inner.pool) {
          expect(text.startsWith(at <= round ? 'parent' : 'child')).toBe(true)
        }
        const shown = JSON.stringify(
          [...child.kept.content.values()].map((bytes) => Buffer.from(bytes).toString()),
        )
        expect(child.events.length).toBeGreaterThan(0)
        expect(shown).toContain('child')
        for (const id of shownIn(child)) expect(Number(id.split('.')[0])).toBeLessThanOrEqual(15)
        expect(parent.rounds(12).inner.pool.every(({ text }) => !text.startsWith('child'))).toBe(true)
      }),
      { numRuns: 6 },
    )
  })

  it('EXC-BR-1 never sees another branch of the same parent, wherever and in any order they go on', () => {
    const rounds = fc.integer({ min: 0, max: 5 })
    fc.assert(
      fc.property(rounds, rounds, fc.array(fc.boolean(), { maxLength: 6 }), (first, second, order) => {
        const parent = ExchangeRun.open(terms({ auditor: { every: 4 } }), tagged('parent')).rounds(5)
        const one = parent.branch({ round: first }, tagged('eastern'))
        const other = parent.branch({ round: second }, tagged('western'))
        for (const isOne of [...order, true, false]) {
          const going = isOne ? one : other
          going.rounds(going.inner.closed + 1)
        }
        // The words shown to minds, not only those that came of them.
        const newly = ({ kept }: ExchangeRun): string =>
          [...kept.content]
            .filter(([hash]) => !parent.kept.content.has(hash))
            .map(([, bytes]) => Buffer.from(bytes).toString())
            .join()
        expect(newly(one)).not.toContain('western')
        expect(newly(other)).not.toContain('eastern')
        const shared = Math.min(first, second)
        const past = (run: ExchangeRun) => run.inner.pool.filter(({ round }) => round <= shared)
        expect(past(one)).toEqual(past(other))
      }),
      { numRuns: 6 },
    )
  })

  it('with the same terms and the same replies holds the same messages as its parent', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 7 }), fc.nat({ max: 99 }), (round, seed) => {
        const under = terms({ pool: { seed, window: 9 }, auditor: { every: 4 } })
        const parent = ExchangeRun.open(under, attentive).rounds(12)
        const child = parent.branch({ round }).rounds(12)
        expect(child.texts()).toEqual(parent.texts())
        expect(ExchangeRun.open(under, attentive).rounds(12).texts()).toEqual(parent.texts())
      }),
      { numRuns: 6 },
    )
  })

  it('EXC-BR-1 that becomes current is a rollback: it continues like any branch, and the parent stays whole', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 6 }),
        fc.constantFrom<Carry>('window', 'audit', 'none'),
        (round, carry) => {
          const under = terms({ auditor: { every: 3 } })
          const parents = [0, 1].map(() => ExchangeRun.open(under, attentive).rounds(7)) as [
            ExchangeRun,
            ExchangeRun,
          ]
          const before = [...parents[0].events]
          const rolledBack = parents[0].branch({ round, carry, current: true }).rounds(12)
          const branched = parents[1].branch({ round, carry }).rounds(12)
          expect(comparable(rolledBack.inner)).toEqual(comparable(branched.inner))
          expect(parents[0].events.slice(0, before.length)).toEqual(before)
          expect([parents[0].inner.movedTo, parents[1].inner.movedTo]).toEqual([rolledBack.trace, null])
          // The observer may come back to where the exchange was left.
          expect(parents[0].rounds(9).inner).toMatchObject({ closed: 9, movedTo: null })
        },
      ),
      { numRuns: 6 },
    )
  })

  it('EXC-BR-1 carries the window, the last audit or nothing, and pins always', () => {
    const parent = ExchangeRun.open(terms({ auditor: { every: 3 } })).rounds(7)
    parent.person('pinned', { message: '1.2' })
    const carried = (carry: Carry) => {
      const { pool, protocol, pins, scored } = parent.branch({ round: 7, carry }).inner
      return [
        pool.length,
        protocol.map(({ kind }) => kind).join(),
        pins.map(({ id }) => id).join(),
        scored.length,
      ]
    }
    expect(carried('window')).toEqual([10, 'audit,audit,auditor_role,observer_role', '1.2', 10])
    expect(carried('audit')).toEqual([0, 'audit', '1.2', 0])
    expect(carried('none')).toEqual([0, '', '1.2', 0])
    const child = parent.branch({ round: 7, carry: 'none' })
    child.rounds(8)
    expect(shownIn(child)).toEqual(['1.2'])
  })

  it('EXC-BR-1 keeps pins beyond the window until they are removed', () => {
    const run = ExchangeRun.open(terms({ pool: { window: 4, sample: 9 } })).rounds(2)
    run.person('pinned', { message: '1.1' })
    expect(() => run.person('pinned', { message: '1.1' })).toThrow('pinned already')
    expect(() => run.person('pinned', { message: '77.1' })).toThrow('no such message')
    run.rounds(8)
    expect(samples(run).at(-1)).toContain('1.1')
    run.person('unpinned', { message: '1.1' })
    run.rounds(9)
    expect(samples(run).at(-1)).not.toContain('1.1')
    expect(() => run.person('unpinned', { message: '1.1' })).toThrow('not pinned')
  })

  it('EXC-BR-1 of a branch can reach back into the trace that it came from', () => {
    const grandparent = ExchangeRun.open(terms(), tagged('first')).rounds(6)
    const parent = grandparent.branch({ round: 4 }, tagged('second')).rounds(8)
    const child = parent.branch({ round: 2 }, tagged('third')).rounds(4)
    expect(child.inner.pool.map(({ text }) => text.split(' ')[0])).toEqual([
      'first',
      'first',
      'first',
      'first',
      'third',
      'third',
      'third',
      'third',
    ])
    expect(child.prefix.at(-1)?.trace).toBe(grandparent.trace)
  })

  it('cannot start inside a round, after an unfinished round, or as another trace', () => {
    const run = ExchangeRun.open(terms()).rounds(3)
    const order = (given: Partial<BranchOrder>) => () => run.branch({ round: 3, ...given })
    expect(order({ round: 4 })).toThrow('round 4 is not over')
    expect(order({ into: run.trace })).toThrow('a trace of its own')
    expect(order({ terms: { ...terms(), pool: {} } as never })).toThrow('pool lacks')
    run.person('continued', { until: 4, mode: 'run' })
    run.run((actions) => actions.find(({ id }) => id.startsWith('round/')))
    const child = run.branch({ round: 3 })
    expect([child.inner.round, child.inner.closed]).toEqual([null, 3])
    const into = newTrace()
    const stray = new ExchangeRun(plainScript, into, run.events)
    const branch = {
      into,
      round: 3,
      carry: 'window',
      terms: null,
      current: false,
      order: 'x',
      signal: null,
      by_policy: 0,
    }
    const said = { type: 'trace_forked', agent: 'ana', role: 'observer', payload: { branch, parent: {} } }
    expect(stray.judge(said)?.message).toContain('between rounds')
    const byMind = stray.judge({ ...said, agent: 'local', role: 'mind' })
    expect(byMind?.code).toBe('ROLE_POLICY_VIOLATION')
  })

  it('EXC-BR-1 verifies together with its parent', async () => {
    const home = await openExchangeHome()
    const parent = ExchangeRun.open(terms(), attentive).rounds(6)
    const amended = { ...terms(), pool: { ...terms().pool, prompt: 'Think about seas.' } }
    const child = parent.branch({ round: 4, carry: 'audit', terms: amended, current: true }).rounds(9)
    await recordRun(home, parent)
    await recordRun(home, child)
    for (const { trace } of [parent, child]) expect((await verified(home, trace)).failures).toEqual([])
  })
})
