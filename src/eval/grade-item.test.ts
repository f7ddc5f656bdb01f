// Every arm and every stage of one item, graded from what was recorded.
import { describe, expect, it } from 'vitest'
import { play, type Script } from '../../test/support/scripted-eval.ts'
import { council, item, numbered } from '../../test/support/scripted-eval-parts.ts'
import type { EvalOpened, Grade } from './events.ts'
import type { Item } from './sets/item.ts'

function gradesOf(
  items: readonly Item[],
  opened: Partial<EvalOpened>,
  script: Script,
): Readonly<Record<string, Grade>> {
  const { inner } = play(items, opened, script)
  return Object.fromEntries((inner.units.get(0)?.graded?.grades ?? []).map((one) => [one.voice, one]))
}

const marks = (grades: Readonly<Record<string, Grade>>): Readonly<Record<string, boolean | null>> =>
  Object.fromEntries(Object.entries(grades).map(([voice, { grade }]) => [voice, grade]))

describe('the grades of an item', () => {
  it('COU-X-4 are those of each member alone, after review, by vote, and of the council', () => {
    const grades = gradesOf(
      numbered(1),
      { arms: ['council', 'vote', 'single:ada', 'best-single'] },
      {
        holds: () =>
          council({
            opinions: { ada: 'ANSWER: 1', ben: 'ANSWER: 5', cyd: 'ANSWER: 5' },
            reviews: { ada: 'ANSWER: 1', ben: 'ANSWER: 1', cyd: 'ANSWER: 5' },
            report: 'ANSWER: 5',
          }),
      },
    )
    expect(marks(grades)).toEqual({
      'single:ada': true,
      'after:ada': true,
      'single:ben': false,
      'after:ben': true,
      'single:cyd': false,
      'after:cyd': false,
      council: false,
      vote: false,
      'after-vote': true,
    })
    expect(grades.vote).toEqual({ voice: 'vote', grade: false, key: '5', hits: null })
    expect(grades['after-vote']?.key).toBe('1')
  })

  it('COU-X-4 know no stage after review where there was none', () => {
    const grades = gradesOf(numbered(1), {}, {})
    expect(Object.keys(grades)).toEqual(['single:ada', 'single:ben', 'single:cyd', 'council', 'vote'])
  })

  it('COU-X-4 are wrong, not missing, for a member, a council or a vote that gave no answer', () => {
    const grades = gradesOf(
      numbered(1),
      {},
      { holds: () => council({ opinions: { ada: '', ben: 'I cannot say.' }, report: null }) },
    )
    expect(Object.values(grades).map(({ grade, key }) => [grade, key])).toEqual(
      Array.from({ length: 5 }, () => [false, null]),
    )
  })

  it('COU-X-4 leave out those who sit there as chair alone', () => {
    const seats = ['ada', 'ben'].map((seat, i) => ({
      seat,
      provider: seat,
      vendor: seat,
      model: null,
      roles: [i === 0 ? ('participant' as const) : ('chair' as const)],
      prompt_chars: null,
    }))
    const grades = gradesOf(
      numbered(1),
      { seats },
      { holds: () => council({ opinions: { ada: 'ANSWER: 1', ben: 'ANSWER: 2' }, report: 'ANSWER: 2' }) },
    )
    expect(marks(grades)).toEqual({ 'single:ada': true, council: false, vote: true })
  })

  it('COU-X-4 of other councils are their own, and that of a repeated one is a stage', () => {
    const grades = gradesOf(
      numbered(1),
      { arms: ['council', 'vote', 'council-no-r2', 'council-short', 'council:benx3'], stability: 1 },
      {
        holds: ({ variant }) =>
          council(
            { all: 'ANSWER: 1', report: ['no-r2', 'again'].includes(variant) ? 'ANSWER: 1' : 'ANSWER: 6' },
            { skips: ['R2'] },
          ),
      },
    )
    expect(marks(grades)).toMatchObject({
      council: false,
      'council-no-r2': true,
      'council-short': false,
      'council:benx3': false,
      'council-again': true,
    })
  })

  it('COU-X-4 of samples are the vote of as many samples as the arm has', () => {
    const said = ['ANSWER: 9', 'ANSWER: 1', 'ANSWER: 1', 'ANSWER: 9']
    const grades = gradesOf(
      numbered(1),
      { arms: ['council', 'vote', 'plain:ben', 'vote:benx3', 'vote:ben'] },
      { samples: ({ n }) => said[n - 1] ?? null },
    )
    // Four calls of the council buy four answers, which are tied.
    expect(marks(grades)).toMatchObject({ 'plain:ben': false, 'vote:benx3': true })
    expect(['1', '9']).toContain(grades['vote:ben']?.key)
    expect(Object.keys(grades).filter((voice) => voice.startsWith('sample:'))).toEqual([])
  })

  it('COU-X-4 break a tie by seed, item, repetition and purpose, so that no place is favoured', () => {
    const opinions = { ada: 'ANSWER: 1', ben: 'ANSWER: 100' }
    const { inner } = play(
      numbered(8, () => ({ target: '1' })),
      { repeat: 2, concurrency: 16 },
      { holds: () => council({ opinions, reviews: opinions, report: 'ANSWER: 1' }) },
    )
    const right = (voice: string) =>
      [...inner.units.values()].map(
        ({ graded }) => graded?.grades.find((one) => one.voice === voice)?.grade ?? null,
      )
    for (const voice of ['vote', 'after-vote']) {
      const count = right(voice).filter(Boolean).length
      expect(count).toBeGreaterThan(3)
      expect(count).toBeLessThan(13)
    }
    expect(right('vote')).not.toEqual(right('after-vote'))
    const firsts = right('vote').filter((_, i) => i % 2 === 0)
    expect(firsts).not.toEqual(right('vote').filter((_, i) => i % 2 === 1))
  })
})

describe('the grades of a review', () => {
  const files = { 'a.ts': 'x\n'.repeat(60) }
  const reviewed = item({ input: 'Find it.', target: ['a.ts:10', 'a.ts:40'], grader: 'findings', files })
  const at = (...lines: readonly number[]) => lines.map((line) => ({ file: 'a.ts', line }))

  it('COU-X-4 count the planted faults that were found, and a vote keeps what most report', () => {
    const grades = gradesOf(
      [reviewed],
      {},
      {
        holds: () =>
          council({
            all: 'see the findings',
            reviews: { ada: 'kept', ben: 'kept', cyd: 'kept' },
            findings: { ada: at(10, 40, 55), ben: at(11), cyd: at(38, 25), council: at(10, 41) },
          }),
      },
    )
    const hits = (hit: number, reported: number) => ({ key: null, hits: { hit, planted: 2, reported } })
    expect(grades['single:ada']).toMatchObject({ grade: true, ...hits(2, 3) })
    expect(grades['single:ben']).toMatchObject({ grade: false, ...hits(1, 1) })
    expect(grades['single:cyd']).toMatchObject({ grade: false, ...hits(1, 2) })
    expect(grades.council).toMatchObject({ grade: true, ...hits(2, 2) })
    expect(grades.vote).toMatchObject({ grade: true, ...hits(2, 2) })
    expect(grades['after-vote']).toBeUndefined()
  })
})
