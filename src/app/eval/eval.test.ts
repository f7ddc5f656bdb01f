import { describe, expect, it } from 'vitest'
import { isStanceRight, readOutcome } from './outcome.ts'
import { planEval } from './plan-eval.ts'
import { readSetFile } from './set-file.ts'

const WISH = { arms: [], primary: null, repeat: 1, stability: 0, budget: null, concurrency: 4 }

const seat = (name: string) =>
  ({
    seat: name,
    provider: name,
    vendor: name,
    model: null,
    roles: ['participant'],
    embedded: false,
  }) as const

describe('the set that comes with Witan', () => {
  it('COU-X-4 has 60 items of our own: questions, architecture, reviews with planted faults', async () => {
    const { items, size, removed } = await readSetFile('data/eval/smoke.jsonl')
    expect([size, removed]).toEqual([60, 0])
    const count = (mode: string): number => items.filter((item) => item.mode === mode).length
    expect([count('ask'), count('architecture'), count('review')]).toEqual([30, 15, 15])
    for (const { target, files } of items.filter(({ grader }) => grader === 'findings')) {
      const [file = '', line = '0'] = target[0]?.split(':') ?? []
      const text = files.find(({ path }) => path === file)?.text ?? ''
      expect(text.split('\n')[Number(line) - 1]?.trim()).toBeTruthy()
    }
  })

  it('COU-X-4 draws the same items for the same number, over the whole set', async () => {
    const [once, again] = await Promise.all(
      [1, 2].map(() => readSetFile('data/eval/smoke.jsonl', { limit: 10 })),
    )
    expect(once?.items).toEqual(again?.items)
    expect(once?.items).toHaveLength(10)
    expect(new Set(once?.items.map(({ mode }) => mode)).size).toBeGreaterThan(1)
  })
})

describe('a plan', () => {
  it('COU-X-4 includes both arms of the primary comparison, and every single model with the best of them', async () => {
    const set = await readSetFile('data/eval/smoke.jsonl', { limit: 5 })
    const records = [seat('ada'), seat('ben')]
    const plan = planEval(set, { ...WISH, primary: 'council:vote:ben' }, { records, panel: false })
    expect(plan.arms).toEqual(['council', 'single:ada', 'single:ben', 'best-single', 'vote', 'vote:ben'])
    expect(plan.primary).toEqual({ arm: 'council', against: 'vote:ben' })
    expect(() => planEval(set, WISH, { records, panel: true })).toThrow(/no model is ready/)
    expect(() => planEval(set, { ...WISH, arms: ['vote:zoe'] }, { records, panel: false })).toThrow(
      /no arm vote:zoe/,
    )
  })
})

describe('how a council turned out', () => {
  it('COU-X-4 is a word, a word with a note, or a note', () => {
    expect(readOutcome('right')).toEqual({ outcome: 'right', note: '' })
    expect(readOutcome('Wrong: it took a week')).toEqual({ outcome: 'wrong', note: 'it took a week' })
    expect(readOutcome('we never did it')).toEqual({ outcome: null, note: 'we never did it' })
    expect(readOutcome('rightly so')).toEqual({ outcome: null, note: 'rightly so' })
  })

  it('COU-X-4 shows the stance of a seat, not the decision of the council', () => {
    expect(isStanceRight('adopt', 'adopt', true)).toBe(true)
    expect(isStanceRight('reject', 'adopt', true)).toBe(false)
    expect(isStanceRight('reject', 'adopt', false)).toBe(true)
    expect(isStanceRight('need-info', 'adopt', false)).toBeNull()
    expect(isStanceRight('answer', 'answer', false)).toBe(false)
  })
})
