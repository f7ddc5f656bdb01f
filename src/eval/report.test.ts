// The report of an evaluation against what was played: shares, costs, times, comparisons, and the item behind each number.
import { describe, expect, it } from 'vitest'
import { play, type Script, ScriptedEval } from '../../test/support/scripted-eval.ts'
import { council, item, numbered } from '../../test/support/scripted-eval-parts.ts'
import { type ArmReport, type EvalReport, reportOf } from './report.ts'

const armOf = ({ arms }: EvalReport, name: string): ArmReport | undefined =>
  arms.find(({ arm }) => arm === name)

describe('the report of an evaluation', () => {
  it('COU-X-4 says of each arm how many it got right, with an interval, and what is ungraded', () => {
    const items = numbered(4, (i) => (i === 3 ? { grader: 'model:cyd' } : {}))
    const report = reportOf(
      play(
        items,
        { arms: ['council', 'vote', 'single:ben'] },
        {
          judges: () => null,
          holds: ({ item: at }) =>
            council({ all: `ANSWER: ${at + 1}`, report: at === 0 ? 'ANSWER: 9' : `ANSWER: ${at + 1}` }),
        },
      ).inner,
    )
    expect(report).toMatchObject({
      schema: 'witan-eval/1',
      trace: '01KEC0000000000000000000EV',
      status: 'completed',
      graded: 4,
      units: 4,
      set: { name: 'a set', items: 4 },
      seats: [{ seat: 'ada', model: 'ada-1', vendor: 'ada inc' }, { seat: 'ben' }, { seat: 'cyd' }],
    })
    expect(armOf(report, 'council')).toMatchObject({ n: 3, right: 2, share: 0.6667, ungraded: 1 })
    // Wilson's interval of 2 of 3.
    expect(armOf(report, 'council')?.low).toBeCloseTo(0.2077, 4)
    expect(armOf(report, 'council')?.high).toBeCloseTo(0.9385, 4)
    expect(armOf(report, 'single:ben')).toMatchObject({ n: 3, right: 3, share: 1, ungraded: 1 })
  })

  it('COU-X-4 that is asked for before anything was graded claims nothing', () => {
    const report = reportOf(
      new ScriptedEval(numbered(2)).open({ arms: ['council', 'vote', 'vote:ben'] }).inner,
    )
    expect(report.equal_cost).toEqual([])
    expect(report).toMatchObject({ status: 'open', graded: 0, units: 2, items: [], smallest_effect: 1 })
    expect(report.primary).toMatchObject({ n: 0, verdict: 'no difference found' })
    expect(armOf(report, 'council')).toMatchObject({
      n: 0,
      share: 0,
      low: 0,
      high: 1,
      usd: null,
      seconds: 0,
      findings: null,
    })
  })

  it('COU-X-4 shows the cost and the time of each arm for one item, shared parts included', () => {
    const arms = [
      ...['council', 'vote', 'single:ada', 'best-single', 'council-no-r2', 'council-short', 'council:benx3'],
      ...['plain:ben', 'vote:benx2'],
    ]
    const took: Readonly<Record<string, { usd: number; ms: number }>> = {
      main: { usd: 0.5, ms: 9_000 },
      'no-r2': { usd: 0.02, ms: 2_000 },
      'solo.ben': { usd: 0.6, ms: 8_000 },
    }
    const script: Script = {
      holds: ({ variant }) => {
        const { usd, ms } = took[variant] ?? { usd: 0, ms: 0 }
        const given = council({ all: 'ANSWER: 1' }, { ms, spent: { usd, unknown: 0, calls: 4, tokens: 400 } })
        // Opinions of 1, 2 and 3 seconds, and of 1, 2 and 3 cents.
        const opinions = given.opinions.map((one, i) => ({
          ...one,
          ms: 1_000 * (i + 1),
          usd: 0.01 * (i + 1),
        }))
        return { ...given, opinions }
      },
      samples: ({ n }) => ({ text: 'ANSWER: 1', usd: 0.1 * n }),
    }
    const report = reportOf(play(numbered(2), { arms, concurrency: 2 }, script).inner)
    const told = Object.fromEntries(report.arms.map(({ arm, usd, seconds }) => [arm, [usd, seconds]]))
    const expected: Readonly<Record<string, readonly [number, number]>> = {
      council: [0.5, 9],
      // All members at once: the costs of three, the time of the slowest.
      vote: [0.06, 3],
      'single:ada': [0.01, 1],
      // Who is best is known only afterwards: the mean of asking one of them.
      'best-single': [0.02, 2],
      // Round one, then the chair.
      'council-no-r2': [0.08, 5],
      // Nothing was skipped: the council itself.
      'council-short': [0.5, 9],
      'council:benx3': [0.6, 8],
      'plain:ben': [0.1, 1.5],
      'vote:benx2': [0.3, 1.5],
    }
    expect(Object.keys(told)).toEqual(Object.keys(expected))
    for (const [arm, [usd, seconds]] of Object.entries(expected)) {
      expect(told[arm]?.[0]).toBeCloseTo(usd, 9)
      expect(told[arm]?.[1]).toBe(seconds)
    }
    expect(report.spent.usd).toBeCloseTo(2 * (0.5 + 0.02 + 0.6 + 0.3), 9)
  })

  it('COU-X-4 says where a cost is unknown, and shows no sum if none is known', () => {
    const holds = (usd: number | null, unknown: number) => () =>
      council({ all: 'ANSWER: 1' }, { spent: { usd, unknown, calls: 4, tokens: null } })
    const some = reportOf(play(numbered(1), {}, { holds: holds(0.03, 1) }).inner)
    expect(armOf(some, 'council')).toMatchObject({ usd: 0.03, cost_unknown: 1 })
    const none = reportOf(play(numbered(1), {}, { holds: holds(null, 4) }).inner)
    expect(armOf(none, 'council')).toMatchObject({ usd: null, cost_unknown: 4 })
    const unknown = reportOf(
      play(
        numbered(1),
        { arms: ['council', 'vote', 'vote:benx2'] },
        { samples: () => ({ text: 'x', usd: null }) },
      ).inner,
    )
    expect(armOf(unknown, 'vote:benx2')).toMatchObject({ usd: null, cost_unknown: 2 })
  })

  it('COU-X-4 says how many answers of a seat the council buys, on average, and by which measure', () => {
    const script: Script = {
      holds: ({ item: at }) =>
        council(
          { all: 'ANSWER: 1' },
          {
            spent: { usd: at === 0 ? 0.29 : null, unknown: at * 4, calls: 4, tokens: at === 1 ? 640 : null },
          },
        ),
      samples: () => ({ text: 'ANSWER: 1', usd: 0.1, tokens: 100 }),
    }
    const opened = { arms: ['council', 'vote', 'vote:ben', 'vote:benx2'] }
    const report = reportOf(play(numbered(3), opened, script).inner)
    // By cost 2, by tokens 6, by calls 4.
    expect(report.equal_cost).toEqual([{ arm: 'vote:ben', mean: 4, by: ['calls', 'cost', 'tokens'] }])
  })

  it('COU-X-4 compares the first arm with every other, and adjusts the tests if there are several', () => {
    // The council is right on all of 12; ben on none, cyd on 6, so that alone each would count as worse.
    const report = reportOf(
      play(
        numbered(12),
        { arms: ['council', 'vote', 'single:ben', 'single:cyd'], concurrency: 12 },
        {
          holds: ({ item: at }) =>
            council({
              opinions: {
                ada: `ANSWER: ${at + 1}`,
                ben: 'ANSWER: 99',
                cyd: at < 7 ? `ANSWER: ${at + 1}` : 'ANSWER: 98',
              },
              report: `ANSWER: ${at + 1}`,
            }),
        },
      ).inner,
    )
    expect(report.others.map(({ arm, against }) => [arm, against])).toEqual([
      ['council', 'single:ben'],
      ['council', 'single:cyd'],
    ])
    const [ben, cyd] = report.others
    // Mid-p of 12 against 0 is 1/4096, of 5 against 0 is 1/32; the smaller is doubled.
    expect(ben).toMatchObject({ p: 0.0002, p_adjusted: 0.0004, verdict: 'better' })
    expect(cyd).toMatchObject({ p: 0.0313, p_adjusted: 0.0313, verdict: 'better' })
    expect(report.primary.p_adjusted).toBe(report.primary.p)
    expect(ben?.words).toMatch(/^council is better than single:ben by 100\.0 points/)
  })

  it('COU-X-4 uses as the best single model the one that is best on other items', () => {
    const report = reportOf(
      play(
        numbered(6),
        { arms: ['council', 'vote', 'best-single'], concurrency: 6 },
        {
          holds: ({ item: at }) =>
            council({
              opinions: { ada: 'ANSWER: 99', ben: `ANSWER: ${at + 1}`, cyd: 'ANSWER: 98' },
              report: 'ANSWER: 99',
            }),
        },
      ).inner,
    )
    expect(armOf(report, 'best-single')).toMatchObject({ n: 6, right: 6 })
    expect(report.items.every(({ grades }) => grades[2]?.grade)).toBe(true)
  })

  it('COU-X-4 does not call an arm better that only seemed so among several comparisons', () => {
    const names = ['single:ada', 'single:ben', 'single:cyd']
    const report = reportOf(
      play(
        numbered(12),
        { arms: ['council', 'vote', ...names], concurrency: 12 },
        {
          holds: ({ item: at }) =>
            council({
              opinions: Object.fromEntries(
                ['ada', 'ben', 'cyd'].map((name, i) => [
                  name,
                  at % 3 === i && at < 12 ? 'ANSWER: 99' : `ANSWER: ${at + 1}`,
                ]),
              ),
              report: `ANSWER: ${at + 1}`,
            }),
        },
      ).inner,
    )
    // 4 against 0: mid-p 1/16 alone, and three times that together.
    for (const other of report.others)
      expect(other).toMatchObject({ p: 0.0625, p_adjusted: 0.1875, verdict: 'no difference found' })
  })

  it('COU-X-4 gives precision and recall of reviews as means over items', () => {
    const files = { 'a.ts': 'x\n'.repeat(60) }
    const of = (id: string) =>
      item({ id, input: 'Find it.', target: ['a.ts:10', 'a.ts:40'], grader: 'findings', files })
    const at = (...lines: readonly number[]) => lines.map((line) => ({ file: 'a.ts', line }))
    const found = [at(10, 40), at(10, 25), at()]
    const report = reportOf(
      play(
        ['a', 'b', 'c'].map(of),
        {},
        { holds: ({ item: nth }) => council({ all: 'x', findings: { council: found[nth] ?? [] } }) },
      ).inner,
    )
    // The third reported nothing, of which no share can be right.
    expect(armOf(report, 'council')?.findings).toEqual({ precision: 0.75, recall: 0.5, f1: 0.5 })
    expect(armOf(report, 'vote')?.findings).toEqual({ precision: null, recall: 0, f1: 0 })
  })

  it('COU-X-4 leads from each number to the item, its councils and its grades', () => {
    const report = reportOf(
      play(numbered(2), {
        arms: ['council', 'vote', 'single:ada', 'best-single', 'council:benx3'],
        repeat: 2,
      }).inner,
    )
    expect(report.items.map(({ unit, item: at, rep, id }) => [unit, at, rep, id])).toEqual([
      [0, 0, 1, 'i1'],
      [1, 0, 2, 'i1'],
      [2, 1, 1, 'i2'],
      [3, 1, 2, 'i2'],
    ])
    const [first] = report.items
    expect(first?.grader).toBe('numeric')
    expect(first?.councils.map(({ variant, hash }) => [variant, hash])).toEqual([
      ['main', 'ef'.repeat(32)],
      ['solo.ben', 'ef'.repeat(32)],
    ])
    expect(new Set(report.items.flatMap(({ councils }) => councils.map(({ trace }) => trace))).size).toBe(8)
    expect(first?.grades).toEqual([
      { arm: 'council', grade: true, key: '1' },
      { arm: 'vote', grade: true, key: '1' },
      { arm: 'single:ada', grade: true, key: '1' },
      { arm: 'best-single', grade: true, key: null },
      { arm: 'council:benx3', grade: true, key: '1' },
    ])
  })

  it('COU-X-4 says which effect this number of independent groups could show', () => {
    const clustered = numbered(12, (i) => ({ cluster: `c${i % 3}` }))
    const holds: Script['holds'] = ({ item: at }) =>
      council({ all: `ANSWER: ${at + 1}`, report: at < 6 ? 'ANSWER: 99' : `ANSWER: ${at + 1}` })
    const alone = reportOf(play(numbered(12), {}, { holds }).inner)
    const grouped = reportOf(play(clustered, {}, { holds }).inner)
    expect(grouped.primary).toMatchObject({ method: 'clusters', clusters: 3 })
    // Half of the pairs differ: (1.96 √.5 + .8416 √(.5 − e²)) / √12.
    const e = alone.smallest_effect
    expect(e).toBeCloseTo((1.96 * Math.sqrt(0.5) + 0.8416 * Math.sqrt(0.5 - e * e)) / Math.sqrt(12), 3)
    expect(grouped.smallest_effect).toBeGreaterThan(e)
  })
})
