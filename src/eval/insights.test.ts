// What the grades teach in addition to the verdict, each with an evaluation in which the answer is known beforehand.
import { describe, expect, it } from 'vitest'
import { play, type Script } from '../../test/support/scripted-eval.ts'
import { council, numbered, seat } from '../../test/support/scripted-eval-parts.ts'
import type { EvalOpened, Held } from './events.ts'
import { type Insights, insightsOf } from './insights.ts'

const insights = (n: number, script: Script, opened: Partial<EvalOpened> = {}): Insights =>
  insightsOf(play(numbered(n), opened, script).inner)

/** Right where the table says so; else the wrong answer that it names. */
const answers = (table: readonly string[]): Script => ({
  holds: ({ item }) => {
    const said = (mark = '+'): string => `ANSWER: ${mark === '+' ? item + 1 : `${mark}000`}`
    const [ada, ben, cyd, report] = table[item] ?? ''
    return council({ opinions: { ada: said(ada), ben: said(ben), cyd: said(cyd) }, report: said(report) })
  },
})

describe('what members have in common', () => {
  it('COU-X-4 are the items that every member got wrong', () => {
    const { all_wrong } = insights(4, answers(['++++', '7788', '+7++', '777+']))
    expect(all_wrong).toMatchObject({ n: 4, wrong: 2, units: [1, 3] })
    expect(all_wrong.low).toBeCloseTo(0.15, 2)
    expect(all_wrong.high).toBeCloseTo(0.85, 2)
  })

  it('COU-X-4 are similar errors of each pair, and the same wrong answers', () => {
    const { pairs } = insights(4, answers(['++++', '778+', '+7++', '777+']))
    expect(pairs).toEqual([
      // ada +−+−, ben +−−−: (4·1 − 2·1) / √(2·2·1·3)
      { a: 'ada', b: 'ben', correlation: 0.5774, both_wrong: [1, 3], same_wrong: [1, 3] },
      { a: 'ada', b: 'cyd', correlation: 1, both_wrong: [1, 3], same_wrong: [3] },
      { a: 'ben', b: 'cyd', correlation: 0.5774, both_wrong: [1, 3], same_wrong: [3] },
    ])
    const never = insights(2, answers(['++++', '+7++'])).pairs[0]
    expect(never).toMatchObject({ correlation: null, both_wrong: [], same_wrong: [] })
  })

  it('COU-X-4 count a missing answer as wrong, and never as the same answer', () => {
    const { pairs, all_wrong } = insights(1, { holds: () => council({ all: 'I cannot say.' }) })
    expect(pairs[0]).toMatchObject({ both_wrong: [0], same_wrong: [] })
    expect(all_wrong.units).toEqual([0])
  })
})

describe('the stages at which answers changed', () => {
  it('COU-X-4 are shown for each member through the reviews, for the votes, and for the chair', () => {
    const said = (item: number, isRight: boolean): string => `ANSWER: ${isRight ? item + 1 : 900}`
    const { flips } = insights(3, {
      holds: ({ item }) => {
        const all = (isRight: boolean) =>
          Object.fromEntries(['ada', 'ben', 'cyd'].map((name) => [name, said(item, isRight)]))
        // 0: the reviews mend it; 1: they spoil it, and the chair mends it; 2: the chair spoils it.
        return council({
          opinions: { ...all(item !== 0), ada: said(item, true) },
          reviews: all(item !== 1),
          report: said(item, item !== 2),
        })
      },
    })
    const turned = flips.map(({ from, to, n, ...units }) => [from, to, n, ...Object.values(units)])
    expect(turned).toEqual([
      ['single:ada', 'after:ada', 3, [1], []],
      ['single:ben', 'after:ben', 3, [1], [0]],
      ['single:cyd', 'after:cyd', 3, [1], [0]],
      ['vote', 'after-vote', 3, [1], [0]],
      ['after-vote', 'council', 3, [2], [1]],
      ['vote', 'council', 3, [2], [0]],
    ])
  })

  it('COU-X-4 are shown only from vote to council if there were no reviews', () => {
    const { flips } = insights(2, answers(['77++', '+++7']))
    expect(flips).toEqual([{ from: 'vote', to: 'council', n: 2, right_to_wrong: [1], wrong_to_right: [0] }])
  })

  it('COU-X-4 leave out ungraded answers', () => {
    const items = numbered(1, () => ({ grader: 'model:cyd' }))
    const { inner } = play(items, {}, { judges: () => null })
    const { flips, calibration, pairs, all_wrong } = insightsOf(inner)
    expect(flips[0]).toMatchObject({ n: 0, right_to_wrong: [], wrong_to_right: [] })
    expect(calibration).toEqual([])
    expect(pairs[0]?.both_wrong).toEqual([])
    expect(all_wrong).toMatchObject({ n: 0, wrong: 0, units: [] })
  })
})

describe('a stage that could not be graded', () => {
  it('COU-X-4 is no change from or to another', () => {
    const items = numbered(1, () => ({ grader: 'model:cyd' }))
    const judges = (one: string, two: string) =>
      `${one}${two}`.includes('unclear') ? null : '{"reason":"","verdict":"same"}'
    for (const [all, report] of [
      ['unclear', 'one'],
      ['one', 'unclear'],
    ] as const) {
      const { flips } = insightsOf(play(items, {}, { judges, holds: () => council({ all, report }) }).inner)
      expect(flips).toEqual([{ from: 'vote', to: 'council', n: 0, right_to_wrong: [], wrong_to_right: [] }])
    }
  })
})

describe('stated confidence', () => {
  it('COU-X-4 is compared with how often it was right, for each seat and for the council', () => {
    const { calibration } = insights(3, {
      holds: ({ item }) =>
        council({
          opinions: { ada: `ANSWER: ${item + 1}`, ben: item === 0 ? 'ANSWER: 1' : 'ANSWER: 900' },
          report: item === 2 ? null : `ANSWER: ${item + 1}`,
          confidence: { ada: 'high', ben: item === 1 ? 'low' : 'medium', council: 'high' },
        }),
    })
    const told = calibration.map(({ who, stated, n, right, units }) => [who, stated, n, right, units])
    expect(told).toEqual([
      ['ada', 'high', 3, 3, [0, 1, 2]],
      ['ben', 'medium', 2, 1, [0, 2]],
      ['ben', 'low', 1, 0, [1]],
      ['council', 'high', 2, 2, [0, 1]],
    ])
    const [ada] = calibration
    // Wilson's bound for three of three: n / (n + z²).
    expect(ada?.low).toBeCloseTo(3 / (3 + 1.959964 ** 2), 6)
    expect(ada?.high).toBe(1)
  })
})

describe('reviewers', () => {
  const target = (name: string, place: number, chars: number, critiques: number) => ({
    seat: name,
    place,
    chars,
    critiques,
    severe: 0,
  })
  const reviewing = (...reviews: readonly Held['reviews'][number]['targets'][]): Script => ({
    holds: () => {
      const names = Object.fromEntries(reviews.map((_, i) => [`r${i}`, 'ANSWER: 1']))
      const given = council({ all: 'ANSWER: 1', reviews: names })
      return { ...given, reviews: given.reviews.map((one, i) => ({ ...one, targets: reviews[i] ?? [] })) }
    },
  })

  it('COU-X-4 are checked for preferring a place or a length', () => {
    const { reviewers } = insights(
      2,
      reviewing(
        [target('ben', 2, 100, 1), target('cyd', 1, 900, 4), target('dan', 3, 500, 2)],
        [target('ada', 1, 300, 3), target('cyd', 2, 200, 0)],
        // Of one length: nothing can be told from it.
        [target('ada', 1, 300, 5), target('ben', 2, 300, 0)],
      ),
    )
    expect(reviewers).toEqual({
      reviews: 6,
      by_place: [
        { place: 1, n: 6, critiques: 24 },
        { place: 2, n: 6, critiques: 2 },
        { place: 3, n: 2, critiques: 4 },
      ],
      longer: { n: 4, critiques: 14 },
      shorter: { n: 4, critiques: 2 },
    })
  })
})

describe('stability', () => {
  it('COU-X-4 is how often a second council gave the same grade and the same answer', () => {
    const said: Readonly<Record<string, readonly string[]>> = {
      main: ['ANSWER: 1', 'ANSWER: 800', 'ANSWER: 3', 'no idea', 'ANSWER: 5'],
      again: ['ANSWER: 1', 'ANSWER: 900', 'ANSWER: 900', 'no idea', 'ANSWER: 5'],
    }
    const { stability } = insights(
      5,
      { holds: ({ item, variant }) => council({ all: 'x', report: said[variant]?.[item] ?? '' }) },
      { stability: 4 },
    )
    // 0 agrees; 1 has the same grade and another answer; 2 has another grade; 3 has no answer to compare.
    expect(stability).toEqual({ n: 4, same_grade: 3, same_answer: 1, differing: [1, 2, 3] })
    expect(insights(1, {}).stability).toEqual({ n: 0, same_grade: 0, same_answer: 0, differing: [] })
  })

  it('COU-X-4 counts only what could be graded both times', () => {
    const items = numbered(1, () => ({ grader: 'model:cyd' }))
    const run = play(
      items,
      { stability: 1, seats: ['ada', 'cyd'].map((name) => seat(name)), chairs: [] },
      {
        holds: ({ variant }) => council({ all: variant }),
        judges: (one, two) => (`${one}${two}`.includes('again') ? null : '{"reason":"","verdict":"same"}'),
      },
    )
    expect(insightsOf(run.inner).stability.n).toBe(0)
  })
})
