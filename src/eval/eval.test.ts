// What an evaluation does next, played to its end without models: order, limits, forks, samples and judgements.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { play, protocol, type Script, ScriptedEval } from '../../test/support/scripted-eval.ts'
import { council, numbered } from '../../test/support/scripted-eval-parts.ts'

const ids = (run: ScriptedEval): readonly string[] => protocol.decide(run.state).map(({ id }) => id)
const typesOf = (run: ScriptedEval): readonly string[] => run.events.map(({ type }) => type)
const heldBy = (run: ScriptedEval): readonly string[] =>
  run.events.flatMap(({ type, payload }) =>
    type === 'item_held' ? [`${String(payload?.item)} ${String(payload?.variant)}`] : [],
  )

describe('an evaluation', () => {
  it('COU-X-4 runs the council of each item, grades it, and closes with the results of the arms', () => {
    const wrong = { ada: 'ANSWER: 9', ben: 'ANSWER: 9', cyd: 'ANSWER: 2' }
    const run = play(
      numbered(2),
      {},
      {
        holds: ({ item }) =>
          item === 0 ? council({ all: 'ANSWER: 1' }) : council({ opinions: wrong, report: 'ANSWER: 2' }),
      },
    )
    expect(typesOf(run)).toEqual([
      'eval_opened',
      'item_held',
      'item_graded',
      'item_held',
      'item_graded',
      'eval_closed',
    ])
    expect(run.inner.closed).toMatchObject({
      status: 'completed',
      arms: [
        { arm: 'council', n: 2, right: 2 },
        { arm: 'vote', n: 2, right: 1 },
      ],
      primary: { n: 2, only_first: 1, only_second: 0, difference: 0.5, method: 'mcnemar', clusters: 2 },
      verdict: 'no difference found',
    })
    expect(protocol.finished(run.state)).toBe(true)
    expect(ids(run)).toEqual([])
  })

  it('COU-X-4 works on as many units at once as it may, in order, each repetition one', () => {
    const run = new ScriptedEval(numbered(3)).open({ concurrency: 2, repeat: 2 })
    expect(ids(run)).toEqual(['hold/0/1/main/1', 'hold/0/2/main/1'])
    run.say(run.outcome(run.until('hold/0/1')))
    expect(ids(run)).toEqual(['grade/0/1/1', 'hold/0/2/main/1'])
    run.say(run.outcome(run.until('grade/0/1')))
    expect(ids(run)).toEqual(['hold/0/2/main/1', 'hold/1/1/main/1'])
    run.drive()
    expect(run.inner.closed?.arms[0]).toEqual({ arm: 'council', n: 6, right: 6 })
  })

  it('COU-X-4 gives the same grades and the same closing for any order of answers', () => {
    const items = numbered(2)
    const opened = { concurrency: 3, repeat: 2, arms: ['council', 'vote', 'vote:benx2', 'council-no-r2'] }
    const script: Script = {
      holds: ({ item, rep, variant }) =>
        council({ all: `ANSWER: ${item + 1}`, report: `ANSWER: ${variant === 'main' ? item + rep : 1}` }),
      samples: ({ item, n }) => (n === 2 ? null : `ANSWER: ${item + n}`),
    }
    const inOrder = play(items, opened, script)
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat()), (chances) => {
        const picks: Script['picks'] = (actions) =>
          actions[(chances.next().value ?? 0) % Math.max(1, actions.length)]
        const run = play(items, opened, { ...script, picks })
        expect(run.inner.closed).toEqual(inOrder.inner.closed)
        const grades = [...run.inner.units].sort(([a], [b]) => a - b).map(([, { graded }]) => graded)
        expect(grades).toEqual([...inOrder.inner.units.values()].map(({ graded }) => graded))
      }),
      { numRuns: 8 },
    )
  })

  it('COU-X-4 begins no further item once the budget is reached, finishes what it began, and says so', () => {
    // Four calls a council, a cent each: reached with the first, when the second has been begun.
    const opened = { budget_usd: 0.04, concurrency: 2 }
    const run = play(numbered(5), opened)
    expect(heldBy(run)).toEqual(['0 main', '1 main'])
    expect(run.inner.closed).toMatchObject({ status: 'over_budget', primary: { n: 2 } })
    expect(run.inner.spent).toEqual({ usd: 0.08, unknown: 0 })
    const enough = play(numbered(5), { ...opened, budget_usd: 1 })
    expect(enough.inner.closed?.status).toBe('completed')
  })

  it('COU-X-4 counts the cost of councils, samples and judgements, and the unknown costs', () => {
    const [first] = numbered(1, () => ({ grader: 'model:cyd' }))
    const run = play(
      first ? [first] : [],
      { arms: ['council', 'vote', 'vote:benx2'] },
      {
        samples: ({ n }) => ({ text: 'ANSWER: 1', usd: n === 1 ? 0.5 : null }),
        judges: (one) => ({ text: '{"reason":"","verdict":"same"}', usd: one === '1' ? 0.25 : null }),
      },
    )
    // The council 0.04, one sample 0.50, the one distinct text judged in two orders 0.25.
    expect(run.inner.spent.usd).toBeCloseTo(0.79, 12)
    expect(run.inner.spent.unknown).toBe(2)
    const poor = play(
      numbered(1),
      {},
      {
        holds: () =>
          council({ all: 'ANSWER: 1' }, { spent: { usd: null, unknown: 4, calls: 4, tokens: null } }),
      },
    )
    expect(poor.inner.spent).toEqual({ usd: 0, unknown: 4 })
  })
})

describe('councils besides the main one', () => {
  const opened = { arms: ['council', 'vote', 'council-no-r2', 'council-short', 'council:benx3'] }

  it('COU-X-4 that continue from its first round wait for it, and a short one runs if a round would be skipped', () => {
    const run = new ScriptedEval(numbered(1), {
      holds: ({ variant }) => council({ all: 'ANSWER: 1' }, variant === 'main' ? { skips: ['R2'] } : {}),
    }).open(opened)
    expect(ids(run)).toEqual(['hold/0/1/main/1', 'hold/0/1/solo.ben/1'])
    run.say(run.outcome(run.until('hold/0/1/main')))
    expect(ids(run)).toEqual(['hold/0/1/no-r2/1', 'hold/0/1/short/1', 'hold/0/1/solo.ben/1'])
    expect(heldBy(run.drive())).toEqual(['0 main', '0 no-r2', '0 short', '0 solo.ben'])
  })

  it.each([
    ['no report', council({ all: 'ANSWER: 1', report: null })],
    ['one opinion', council({ opinions: { ada: 'ANSWER: 1' }, report: 'ANSWER: 1' })],
  ])('COU-X-4 are not forked from one that ended with %s', (_, main) => {
    const run = play(numbered(1), opened, { holds: () => ({ ...main, skips: ['R2'] }) })
    expect(heldBy(run)).toEqual(['0 main', '0 solo.ben'])
  })

  it('COU-X-4 are not run short if no round would be skipped: then the council is the short council', () => {
    const run = play(
      numbered(1),
      { arms: ['council', 'vote', 'council-short'] },
      {
        holds: () => council({ all: 'ANSWER: 7', report: 'ANSWER: 1' }),
      },
    )
    expect(heldBy(run)).toEqual(['0 main'])
    expect(run.inner.closed?.arms.map(({ right }) => right)).toEqual([1, 0, 1])
  })

  it('COU-X-4 are repeated only for the first items, as many as stability asks for', () => {
    const run = play(numbered(3), { stability: 2 })
    expect(heldBy(run)).toEqual(['0 main', '0 again', '1 main', '1 again', '2 main'])
    expect(heldBy(play(numbered(1)))).toEqual(['0 main'])
  })
})

describe('answers of one seat alone', () => {
  it('COU-X-4 are asked once, then as often as the cost of the council buys', () => {
    const run = new ScriptedEval(numbered(1)).open({ arms: ['council', 'vote', 'vote:ben'] })
    expect(ids(run)).toEqual(['hold/0/1/main/1', 'sample/0/1/ben/1/1'])
    run.say(run.outcome(run.until('hold/')))
    run.say(run.outcome(run.until('sample/')))
    // The council took four calls of a cent.
    expect(ids(run)).toEqual(['sample/0/1/ben/2/1', 'sample/0/1/ben/3/1', 'sample/0/1/ben/4/1'])
    expect(typesOf(run.drive()).filter((type) => type === 'sample_given')).toHaveLength(4)
  })

  it('COU-X-4 are asked as often as the arm says, once for all arms of a seat', () => {
    const run = play(numbered(1), { arms: ['council', 'vote', 'vote:benx3', 'plain:ben', 'plain:cyd'] })
    const asked = run.events.flatMap(({ type, payload }) =>
      type === 'sample_given' ? [`${String(payload?.seat)} ${String(payload?.n)}`] : [],
    )
    expect(asked).toEqual(['ben 1', 'ben 2', 'ben 3', 'cyd 1'])
  })

  it('COU-X-4 that fail are not asked for again, and count as wrong', () => {
    const run = play(
      numbered(1),
      { arms: ['council', 'vote', 'vote:benx2', 'plain:cyd'] },
      {
        samples: ({ seat, n }) => (seat === 'cyd' || n === 1 ? null : 'ANSWER: 1'),
      },
    )
    expect(typesOf(run).filter((type) => type === 'sample_failed')).toHaveLength(2)
    expect(run.inner.closed?.arms.slice(2)).toEqual([
      { arm: 'vote:benx2', n: 1, right: 1 },
      { arm: 'plain:cyd', n: 1, right: 0 },
    ])
  })
})

describe('a model that grades', () => {
  const items = numbered(1, () => ({ grader: 'model:cyd' }))
  const same = (one: string, two: string): string =>
    JSON.stringify({
      reason: 'compared',
      verdict: one.includes(two) || two.includes(one) ? 'same' : 'different',
    })

  it('COU-X-4 is asked once all answers are there, in both orders for each distinct text', () => {
    const run = new ScriptedEval(items, {
      judges: same,
      holds: () =>
        council({ opinions: { ada: 'ANSWER: 1', ben: 'ANSWER: 4', cyd: '' }, report: 'ANSWER: 4' }),
    }).open()
    run.say(run.outcome(run.until('hold/')))
    expect(ids(run)).toEqual([
      'judge/0/1/0/first/1',
      'judge/0/1/0/second/1',
      'judge/0/1/1/first/1',
      'judge/0/1/1/second/1',
    ])
    run.drive()
    const grades = run.inner.units.get(0)?.graded?.grades.map(({ voice, grade }) => [voice, grade])
    expect(Object.fromEntries(grades ?? [])).toMatchObject({
      'single:ada': true,
      'single:ben': false,
      'single:cyd': false,
      council: false,
    })
  })

  it('COU-X-4 that fails, or depends on the order, leaves the answer ungraded', () => {
    for (const judges of [() => null, () => 'I could not say.', (one: string) => same(one, '1')]) {
      const run = play(items, {}, { judges, holds: () => council({ all: 'ANSWER: one' }) })
      expect(run.inner.closed).toMatchObject({ arms: [{ n: 0 }, { n: 0 }], primary: { n: 0, p: 1 } })
    }
  })
})
