// The arms in addition to council, single and vote, graders that are models, repetitions and budgets: over the wire.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { EvalReport } from '../../src/eval/report.ts'
import { type CouncilServer, playCouncil, USAGE } from '../fakes/council.ts'
import type { Seen } from '../fakes/scripted-server.ts'
import { wordsIn } from '../fakes/scripted-server.ts'
import { type Simulated, scriptsOf, simulate, simulatedSet } from '../fakes/simulated-members.ts'
import { type EvalHeld, evaluate } from '../support/eval-run.ts'
import { projectRoot } from '../support/sources.ts'

const NAMES = ['ada', 'ben', 'cyd']
let server: CouncilServer | null = null
afterEach(async () => {
  await server?.close()
  server = null
})

async function worth(
  simulated: Simulated,
  items: number,
  wish: Parameters<typeof evaluate>[3],
  clusters = 0,
): Promise<EvalHeld> {
  server = await simulate(simulated)
  return evaluate(server.url, NAMES, simulatedSet(items, clusters), wish)
}

const knowing = (knows: (item: number) => number): Simulated['members'] =>
  Object.fromEntries(NAMES.map((name) => [name, { knows }]))

const armOf = ({ arms }: EvalReport, name: string) => arms.find(({ arm }) => arm === name)

describe('arms', () => {
  it('COU-X-4 asks one seat as often as the council’s cost buys, and says by which measure', async () => {
    const members = {
      ...knowing((item) => item),
      ada: {
        knows: (item: number) => item,
        alone: (item: number, nth: number) => (nth % 3 === 0 ? item : -item),
      },
    }
    const { report } = await worth({ members, chair: (item) => item, bill: 0.001 }, 4, {
      arms: ['council', 'vote'],
      primary: 'council:vote:ada',
    })
    // Seven calls of one price buy seven answers, of which two are right.
    expect(report.equal_cost).toEqual([{ arm: 'vote:ada', mean: 7, by: ['cost'] }])
    expect(armOf(report, 'vote:ada')).toMatchObject({ n: 4, right: 0, usd: 0.007, cost_unknown: 0 })
    expect(armOf(report, 'council')).toMatchObject({ right: 4, usd: 0.007 })
    expect(armOf(report, 'single:ada')).toBeUndefined()
    expect(server?.heard).toHaveLength(4 * 14)
  })

  it('COU-X-4 goes by tokens where no price is known, and says that the cost is unknown', async () => {
    const { report } = await worth({ members: knowing((item) => item), chair: (item) => item }, 2, {
      arms: ['council', 'vote:ben'],
      primary: 'council:vote:ben',
    })
    expect(report.equal_cost).toEqual([{ arm: 'vote:ben', mean: 7, by: ['tokens'] }])
    expect(armOf(report, 'council')).toMatchObject({ usd: null })
  })

  it('COU-X-4 holds a council without reviews, a short one and one of a single model, each from what it shares', async () => {
    const { report, evaluation } = await worth(
      { members: knowing((item) => item), chair: (item) => item },
      3,
      {
        arms: ['council', 'vote', 'council-no-r2', 'council-short', 'council:benx3'],
        stability: 2,
      },
    )
    for (const arm of ['council', 'council-no-r2', 'council-short', 'council:benx3'])
      expect(armOf(report, arm)).toMatchObject({ n: 3, right: 3 })
    const [item] = report.items
    const variants = item?.councils.map(({ variant }) => variant) ?? []
    expect([...variants].sort()).toEqual(expect.arrayContaining(['again', 'main', 'no-r2', 'solo.ben']))
    const schema = JSON.parse(await readFile(join(projectRoot, 'spec/eval-report.schema.json'), 'utf8'))
    expect(z.fromJSONSchema(schema).safeParse(JSON.parse(JSON.stringify(report))).error).toBeUndefined()
    expect(z.fromJSONSchema(schema).safeParse({ ...report, items: [{}] }).success).toBe(false)
    expect(report.insights.stability).toEqual({ n: 2, same_grade: 2, same_answer: 2, differing: [] })
    // 7 for the council, 1 chair without reviews, 7 for the one of ben alone, 7 more for each of two held again.
    const short = evaluation.state.units.get(0)?.held.has('short') ? 3 : 0
    expect(server?.heard).toHaveLength(3 * 15 + 2 * 7 + short)
  })

  it('COU-X-4 goes on from where the recorded short circuit would have: after round one, after round two, or not at all', async () => {
    const STAKES = { 1: 'low', 2: 'medium', 3: 'high' } as const
    const stakes = (item: number) => STAKES[item as 1 | 2 | 3]
    // Of the second item they do not say the same in round one, hold to it, and no review objects.
    const other = (item: number) => (item === 2 ? 5_000 : item)
    const member = { knows: (item: number) => item, stakes, stays: (item: number) => item === 2 }
    const members = Object.fromEntries(NAMES.map((name) => [name, member]))
    members[NAMES[2] ?? ''] = { ...member, knows: other }
    const { report, evaluation } = await worth({ members, chair: (item) => -item }, 3, {
      arms: ['council', 'vote', 'council-short'],
    })
    const heldAt = (unit: number) => evaluation.state.units.get(unit)?.held
    expect([0, 1, 2].map((unit) => heldAt(unit)?.get('main')?.skips)).toEqual([['R2'], ['R3'], []])
    // Without reviews the chair is asked once more; without a chair no one is; where nothing is skipped there is no fork.
    const calls = [0, 1, 2].map((unit) => heldAt(unit)?.get('short')?.spent.calls ?? null)
    expect(calls).toEqual([1, 0, null])
    expect(server?.heard).toHaveLength(3 * 7 + 1)
    const right = report.items.map(({ grades }) => grades.find(({ arm }) => arm === 'council-short')?.grade)
    // Only where the chair is skipped does what it spoils stay as it was.
    expect(right).toEqual([false, true, false])
    expect(armOf(report, 'council')).toMatchObject({ right: 0 })
    for (const [at, { councils }] of report.items.entries())
      expect(councils.map(({ variant }) => variant)).toEqual(at === 2 ? ['main'] : ['main', 'short'])
  })

  it('COU-X-4 counts repetitions of an item and items of a cluster as one piece of evidence', async () => {
    const members = knowing((item) => (item % 2 === 0 ? item : -item))
    const { report } = await worth({ members, chair: (item) => item }, 6, { repeat: 2 })
    expect(report.primary).toMatchObject({ n: 12, method: 'clusters', clusters: 6 })
    await server?.close()
    const clustered = await worth({ members, chair: (item) => item }, 6, {}, 3)
    expect(clustered.report.primary).toMatchObject({ n: 6, method: 'clusters', clusters: 3 })
  })

  it('COU-X-4 begins no further item at the budget, finishes what it began, and says so', async () => {
    const { report } = await worth(
      { members: knowing((item) => item), chair: (item) => item, bill: 0.01 },
      20,
      {
        budget: 0.2,
        concurrency: 2,
      },
    )
    expect(report.status).toBe('over_budget')
    expect(report.graded).toBeGreaterThanOrEqual(3)
    expect(report.graded).toBeLessThanOrEqual(5)
    expect(report.spent.usd).toBeCloseTo(report.graded * 0.07, 6)
  })
})

describe('a model that grades', () => {
  /** Finds answers the same by a rule of its own; `fickle` goes by which stands first. */
  async function graded(fickle: boolean): Promise<{ held: EvalHeld; asked: readonly string[] }> {
    const scripts = scriptsOf({ members: knowing((item) => (item === 2 ? -2 : item)), chair: (item) => item })
    const judge = (request: Seen): object => {
      const words = wordsIn(request.body)
      const [first = '', second = ''] = [
        ...words.matchAll(/label="(?:first|second) answer">\n([\s\S]*?)\n<\/answer/g),
      ].map((m) => m[1] ?? '')
      const number = (text: string): string => /-?\d+$/.exec(text.trim())?.[0] ?? ''
      const isSame = fickle ? /^-?\d+$/.test(first.trim()) : number(first) === number(second)
      return {
        act: 'answer',
        text: JSON.stringify({ reason: 'compared', verdict: isSame ? 'same' : 'different' }),
        usage: USAGE,
      }
    }
    const usual = scripts.cyd?.R1?.[0]
    const asks = (request: Seen): boolean => wordsIn(request.body).includes('You compare two answers')
    const cyd = {
      ...scripts.cyd,
      R1: [
        (request: Seen) => (asks(request) || typeof usual !== 'function' ? judge(request) : usual(request)),
      ],
    }
    server = await playCouncil({ ...scripts, cyd })
    const set = simulatedSet(3)
      .split('\n')
      .map((line) => JSON.stringify({ ...JSON.parse(line), grader: 'model:cyd' }))
      .join('\n')
    const held = await evaluate(server.url, NAMES, set, {})
    const asked = server.heard
      .filter(({ words }) => words.includes('You compare two answers'))
      .map(({ words }) => words)
    return { held, asked }
  }

  it('COU-X-4 is asked in both orders, once for each distinct answer, and never learns the arm', async () => {
    const { held, asked } = await graded(false)
    expect(armOf(held.report, 'vote')).toMatchObject({ n: 3, right: 2, ungraded: 0 })
    expect(armOf(held.report, 'council')).toMatchObject({ n: 3, right: 3 })
    // Singles, positions after review and the report differ in their words: three texts an item, two orders each.
    expect(asked.length).toBe(3 * 3 * 2)
    for (const words of asked) expect(words).not.toMatch(/\b(?:council|single|vote|reference|ada|ben)\b/i)
    const turned = asked.filter((words) => /label="first answer">\n\d+\n/.test(words)).length
    expect(turned).toBe(asked.length / 2)
  })

  it('COU-X-4 that goes by the order grades nothing, and the report says how much is ungraded', async () => {
    const { held } = await graded(true)
    expect(armOf(held.report, 'council')).toMatchObject({ n: 0, ungraded: 3 })
    expect(held.report.primary.words).toMatch(/cannot be compared/)
  })
})
