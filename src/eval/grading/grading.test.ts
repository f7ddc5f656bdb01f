import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Sha256 } from '../../ledger/bytes.ts'
import type { Item } from '../sets/item.ts'
import { countHits, f1, foundAll, isNear, placeOf, precision, recall, votedPlaces } from './findings.ts'
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
  it('COU-X-4 is the text behind the last mark, in any formatting', () => {
    expect(markedAnswer('Well.\nANSWER: 42')).toBe('42')
    expect(markedAnswer('**Answer:** *42*')).toBe('42')
    expect(markedAnswer('ANSWER: 1\nNo, wait.\n- Final answer: 2')).toBe('2')
    expect(markedAnswer('I count them. Answer: blue')).toBe('blue')
    expect(markedAnswer('no mark at all')).toBeNull()
    expect(markedAnswer('ANSWER: “**”')).toBeNull()
    expect(markedAnswer('Final  answer = `x` ')).toBe('x')
    expect(markedAnswer('The answer is: not marked')).toBeNull()
    expect(markedAnswer('So the answer: 4\nThat is all.')).toBeNull()
  })

  it('COU-X-4 is a number as people write it, the last one of several', () => {
    for (const [text, value] of [
      ['12', '12'],
      ['$1,234.50', '1234.5'],
      ['from 3 to -4', '-4'],
      ['50%', '50'],
      ['2.5e3', '2500'],
      ['about .5', '0.5'],
      ['−7', '-7'],
    ] as const)
      expect(answerKey(item('numeric', ['1']), text)).toBe(value)
    for (const text of ['none', '', '1e999']) expect(answerKey(item('numeric', ['1']), text)).toBeNull()
  })

  it('COU-X-4 of a choice is an existing letter: alone, in brackets, or by its text', () => {
    const key = (text: string) => answerKey(item('choice', ['B'], ['red', 'deep blue', 'none']), text)
    for (const [text, letter] of [
      ['c', 'C'],
      ['  (a) red', 'A'],
      ['B: deep blue', 'B'],
      ['B. Or rather', 'B'],
      ['The Deep Blue!', 'B'],
      ['I looked at (A) and then at (C)', 'C'],
      ['Option B: it is blue', 'B'],
    ] as const)
      expect(key(text)).toBe(letter)
    for (const text of ['D', '(D)', 'bright', 'Between A and B', 'nothing']) expect(key(text)).toBeNull()
  })

  it('COU-X-4 in words is compared without case, articles, marks and ends, up to 160 characters', () => {
    const key = (text: string) => answerKey(item('exact', ['x']), text)
    for (const text of [
      'The  moon.',
      'a MOON!',
      '“Moon”',
      '(moon)',
      'an moon;',
      '**moon**',
      ' moon ',
      'ｍｏｏｎ',
    ])
      expect(key(text)).toBe('moon')
    expect(key('theory')).toBe('theory')
    expect(key('...')).toBeNull()
    expect(key('x'.repeat(500))).toHaveLength(160)
    expect(key(`${'x'.repeat(159)}😀`)?.isWellFormed()).toBe(true)
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
    ['regex', ['^no$', '^yes$'], 'ANSWER: Yes', true],
    ['exact', ['Rome', 'Paris'], 'The city is not named here', false],
    ['exact', ['Rome', 'Paris'], 'Paris', true],
    ['contains', ['lock', 'mutex'], 'a mutex', true],
    ['numeric', ['3', '4'], 'ANSWER: 4', true],
    ['numeric', ['4'], 'four', false],
    ['numeric', ['2000000000'], 'ANSWER: 2000001000', true],
    ['numeric', ['2000000000'], 'ANSWER: 2000003000', false],
    ['numeric', ['0.001'], 'ANSWER: 0.0010005', true],
    ['numeric', ['0.001'], 'ANSWER: 0.00101', false],
    ['numeric', ['-3000000'], 'ANSWER: -3000002', true],
    ['findings', ['a.ts:1'], 'a.ts:1', false],
  ] as const)('COU-X-4 %s %j of "%s" is %s', (grader, target, text, right) => {
    expect(gradeText(item(grader, target), text)).toBe(right)
  })

  it('COU-X-4 a choice is right by its letter', () => {
    const choice = item('choice', ['B', 'C'], ['red', 'blue', 'green'])
    expect(['A', 'B', 'C', 'green', 'no idea'].map((text) => gradeText(choice, `ANSWER: ${text}`))).toEqual([
      false,
      true,
      true,
      true,
      false,
    ])
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

  it('COU-X-4 name the fault that they are nearest to, and leave the other for the next', () => {
    const found = [12, 8].map((line) => ({ file: 'a', line }))
    expect(countHits(['a:10', 'a:13'], found).hit).toBe(2)
    expect(countHits(['a:13', 'a:10'], found).hit).toBe(2)
    expect(countHits(['a:11', 'a:14'], [{ file: 'a', line: 12 }]).hit).toBe(1)
    const around = [7, 13].map((line) => ({ file: 'a', line }))
    expect(countHits(['a:10'], around)).toEqual({ hit: 1, planted: 1, reported: 2 })
  })

  it('COU-X-4 are near within three lines of the same file, however its path begins', () => {
    const at = (file: string, line: number) => ({ file, line })
    expect([6, 7, 10, 13, 14].map((line) => isNear(at('a', 10), at('a', line)))).toEqual([
      false,
      true,
      true,
      true,
      false,
    ])
    for (const path of ['./src/x.ts', 'a/src/x.ts', 'b/src/x.ts', ' src/x.ts '])
      expect(isNear(at(path, 1), at('src/x.ts', 1))).toBe(true)
    expect(isNear(at('src/y.ts', 1), at('src/x.ts', 1))).toBe(false)
    expect(placeOf('./src/a:b.ts:12')).toEqual(at('src/a:b.ts', 12))
  })

  it('COU-X-4 have no precision without findings, and no recall without planted faults', () => {
    expect(precision({ hit: 0, planted: 2, reported: 0 })).toBeNull()
    expect(recall({ hit: 0, planted: 0, reported: 2 })).toBeNull()
    expect(recall({ hit: 1, planted: 4, reported: 2 })).toBe(0.25)
    expect(f1({ hit: 0, planted: 0, reported: 0 })).toBeNull()
    expect(f1({ hit: 0, planted: 2, reported: 0 })).toBe(0)
  })

  it('a vote keeps what more than half report', () => {
    const at = (line: number) => ({ file: 'a', line })
    expect(votedPlaces([[at(1), at(20)], [at(2)], [at(50)]])).toEqual([at(1)])
    expect(votedPlaces([[at(1)], [at(2)], [at(50)], []])).toEqual([])
    expect(votedPlaces([])).toEqual([])
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

  it('COU-X-4 that is tied goes to the smallest hash of rule 5 in spec/eval.md, as computed independently', () => {
    const won = (seed: string) => pluralityKey(sha256, seed, ['a', 'b', 'c', 'b', 'a', 'c', 'd', null])
    expect(['s0', 's1', 's2'].map(won)).toEqual(['c', 'b', 'a'])
    expect(pluralityKey(sha256, 's', [])).toBeNull()
    expect(pluralityKey(sha256, 's', ['a'])).toBe('a')
  })
})
