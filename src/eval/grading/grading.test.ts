import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Sha256 } from '../../ledger/bytes.ts'
import type { Item } from '../sets/item.ts'
import { countHits, f1, foundAll, precision, recall, votedPlaces } from './findings.ts'
import { gradeJudged, gradeText } from './grade.ts'
import { answerKey, markedAnswer } from './read-final-answer.ts'
import { pluralityKey } from './vote.ts'

const item = (grader: string, target: readonly string[], choices: readonly string[] = []): Item => ({
  id: 'x',
  input: 'q',
  target,
  choices,
  grader,
  cluster: null,
  mode: 'ask',
  files: [],
})

const sha256: Sha256 = (...parts) => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return new Uint8Array(hash.digest())
}

describe('the final answer', () => {
  it('COU-X-4 is what stands behind the last mark, in any dress', () => {
    expect(markedAnswer('Well.\nANSWER: 42')).toBe('42')
    expect(markedAnswer('**Answer:** *42*')).toBe('42')
    expect(markedAnswer('ANSWER: 1\nNo, wait.\n- Final answer: 2')).toBe('2')
    expect(markedAnswer('I count them. Answer: blue')).toBe('blue')
    expect(markedAnswer('no mark at all')).toBeNull()
  })

  it('COU-X-4 is the same key for the same answer said differently', () => {
    const choice = item('choice', ['B'], ['red', 'deep blue'])
    for (const said of [
      'ANSWER: B',
      'ANSWER: (b)',
      'ANSWER: B) deep blue',
      'ANSWER: deep blue',
      'It is (B).',
    ])
      expect(answerKey(choice, said)).toBe('B')
    const numeric = item('numeric', ['1200'])
    for (const said of ['ANSWER: 1,200', 'ANSWER: $1200.00', 'so it is 7 and then 1200'])
      expect(answerKey(numeric, said)).toBe('1200')
    expect(answerKey(item('exact', ['x']), 'ANSWER: The Moon.')).toBe('moon')
    expect(answerKey(numeric, 'I cannot say.')).toBeNull()
  })
})

describe('graders', () => {
  it.each([
    ['exact', ['Paris'], 'ANSWER: paris.', true],
    ['exact', ['Paris'], 'ANSWER: London', false],
    ['numeric', ['0.3333333'], 'ANSWER: 0.33333333', true],
    ['numeric', ['-5'], 'ANSWER: −5', true],
    ['numeric', ['5'], 'ANSWER: 50', false],
    ['contains', ['mutex'], 'ANSWER: a Mutex around it', true],
    ['contains', ['mutex'], 'We talked of a mutex.\nANSWER: nothing', false],
    ['regex', ['^4[0-9]$'], 'ANSWER: 42', true],
    ['regex', ['^4[0-9]$'], 'ANSWER: 421', false],
  ] as const)('COU-X-4 %s %j of "%s" is %s', (grader, target, text, right) => {
    expect(gradeText(item(grader, target), text)).toBe(right)
  })

  it('COU-X-4 no answer is a wrong answer', () => {
    expect(gradeText(item('exact', ['a']), null)).toBe(false)
    expect(gradeText(item('contains', ['a']), ' ')).toBe(false)
  })

  it('COU-X-4 a model that changes its mind with the order grades nothing', () => {
    expect(gradeJudged('same', 'same')).toBe(true)
    expect(gradeJudged('different', 'different')).toBe(false)
    expect(gradeJudged('same', 'different')).toBeNull()
    expect(gradeJudged('unsure', 'unsure')).toBeNull()
    expect(gradeJudged('same', null)).toBeNull()
  })
})

describe('findings', () => {
  const planted = ['src/a.ts:10', 'src/b.ts:4']

  it('COU-X-4 count by file and nearby line, each fault once', () => {
    const hits = countHits(planted, [
      { file: 'src/a.ts', line: 12 },
      { file: './src/a.ts', line: 9 },
      { file: 'src/a.ts', line: 40 },
      { file: 'src/b.ts', line: 4 },
    ])
    expect(hits).toEqual({ hit: 2, planted: 2, reported: 3 })
    expect(foundAll(hits)).toBe(true)
    expect(precision(hits)).toBeCloseTo(2 / 3)
    expect(recall(hits)).toBe(1)
    expect(f1(hits)).toBeCloseTo(0.8)
    expect(foundAll(countHits(planted, [{ file: 'src/a.ts', line: 10 }]))).toBe(false)
  })

  it('a vote keeps what more than half report', () => {
    const at = (line: number) => ({ file: 'a', line })
    expect(votedPlaces([[at(1), at(20)], [at(2)], [at(50)]])).toEqual([at(1)])
  })
})

describe('a vote', () => {
  it('COU-X-4 takes the plurality, and breaks ties by the seed without favour', () => {
    expect(pluralityKey(sha256, 's', ['a', 'b', 'a'])).toBe('a')
    expect(pluralityKey(sha256, 's', [null, null])).toBeNull()
    const won = Array.from({ length: 400 }, (_, i) => pluralityKey(sha256, `seed ${i}`, ['a', 'b', null]))
    const first = won.filter((key) => key === 'a').length
    expect(first).toBeGreaterThan(150)
    expect(first).toBeLessThan(250)
  })
})
