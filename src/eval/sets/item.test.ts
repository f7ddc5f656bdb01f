// What a file may say of one item, and what is wrong with it else.
import { describe, expect, it } from 'vitest'
import { type GivenItem, gradingSeat, type Item, letterOf, patternFault, readItem } from './item.ts'

const GIVEN = { input: 'Which?', target: 'Paris' }
const read = (more: GivenItem, grader?: string): Item | string =>
  readItem({ ...GIVEN, ...more }, 7, { grader: grader ?? null })
const itemOf = (more: GivenItem): Item => {
  const found = read(more)
  if (typeof found === 'string') throw new Error(found)
  return found
}

describe('an item', () => {
  it('COU-X-4 has its own values, and defaults for the others', () => {
    expect(read({})).toEqual({
      id: '7',
      input: 'Which?',
      target: ['Paris'],
      choices: [],
      grader: 'exact',
      cluster: null,
      mode: 'ask',
      files: [],
    })
    expect(itemOf({ id: ' a ', cluster: 'c', mode: 'architecture' })).toMatchObject({
      id: 'a',
      cluster: 'c',
      mode: 'architecture',
    })
    expect(itemOf({ id: 12, cluster: 3, input: 5, target: 4 })).toMatchObject({
      id: '12',
      cluster: '3',
      input: '5',
      target: ['4'],
    })
  })

  it.each<[string, GivenItem, string]>([
    ['no input', { input: undefined }, 'input is missing, empty or too long'],
    ['a blank input', { input: '  ' }, 'input is missing, empty or too long'],
    ['an input of 100,001 characters', { input: 'x'.repeat(100_001) }, 'input is missing, empty or too long'],
    ['an empty chat', { input: [] }, 'input is missing, empty or too long'],
    [
      'a chat with a picture',
      { input: [{ content: 'a' }, { content: {} }] },
      'input is missing, empty or too long',
    ],
    ['a chat of bare words', { input: ['a'] }, 'input is missing, empty or too long'],
    ['no target', { target: null }, 'target is missing or no text'],
    ['a target that is no text', { target: [{}] }, 'target is missing or no text'],
    ['an endless number as target', { target: Number.POSITIVE_INFINITY }, 'target is missing or no text'],
    ['65 targets', { target: Array.from({ length: 65 }, () => 'a') }, 'target is missing or no text'],
    ['an empty target', { target: ['a', ' '] }, 'a target is empty or too long'],
    ['a target of 4,001 characters', { target: 'x'.repeat(4_001) }, 'a target is empty or too long'],
    ['one choice', { choices: ['Paris'] }, 'choices is no list of two or more texts'],
    [
      '27 choices',
      { choices: Array.from({ length: 27 }, (_, i) => i) },
      'choices is no list of two or more texts',
    ],
    ['choices that are no texts', { choices: ['a', null] }, 'choices is no list of two or more texts'],
    ['a list of files', { files: ['a.ts'] }, 'files is no object of texts by path'],
    ['one file as text', { files: 'a.ts' }, 'files is no object of texts by path'],
    ['a file that is no text', { files: { 'a.ts': {} } }, 'files is no object of texts by path'],
    ['a file without a name', { files: { ' ': 'x' } }, 'files is no object of texts by path'],
    [
      'a path of 401 characters',
      { files: { ['x'.repeat(401)]: 'x' } },
      'files is no object of texts by path',
    ],
    [
      'a grader of no name',
      { grader: 'model:' },
      'grader must be one of exact, choice, numeric, contains, regex, findings, model:SEAT',
    ],
    [
      'a grader that is no text',
      { grader: 5 },
      'grader must be one of exact, choice, numeric, contains, regex, findings, model:SEAT',
    ],
    ['an unknown mode', { mode: 'poem' }, 'mode must be one of ask, architecture, review'],
    ['a choice without choices', { grader: 'choice' }, 'the grader is choice and there are no choices'],
    ['a letter beyond the choices', { target: 'C', choices: ['a', 'b'] }, 'target names none of the choices'],
    [
      'one of two letters beyond them',
      { target: ['A', 'C'], choices: ['a', 'b'] },
      'target names none of the choices',
    ],
    ['a number that is none', { grader: 'numeric' }, 'the grader is numeric and the target is no number'],
    [
      'numbers of which one is none',
      { grader: 'numeric', target: ['1', 'x'] },
      'the grader is numeric and the target is no number',
    ],
    [
      'a pattern that is none',
      { grader: 'regex', target: ['a', '('] },
      'the pattern is no regular expression',
    ],
    [
      'findings without a line',
      { grader: 'findings', target: ['a.ts:1', 'a.ts'] },
      'a target of findings is no FILE:LINE',
    ],
    ['a blank id', { id: ' ' }, 'id is empty or too long'],
    ['an id of 201 characters', { id: 'x'.repeat(201) }, 'id is empty or too long'],
    ['a blank cluster', { cluster: '' }, 'cluster is empty or no text'],
    ['a cluster that is no text', { cluster: {} }, 'cluster is empty or no text'],
    ['a cluster of 201 characters', { cluster: 'x'.repeat(201) }, 'cluster is empty or no text'],
  ])('COU-X-4 with %s is refused in words', (_, more, words) => {
    expect(read(more)).toBe(words)
  })

  it('COU-X-4 may be as long as the limits say', () => {
    const path = 'x'.repeat(400)
    const most = {
      id: 'x'.repeat(200),
      input: 'x'.repeat(100_000),
      target: Array.from({ length: 64 }, () => 'x'.repeat(4_000)),
      cluster: 'x'.repeat(200),
      files: { [path]: '' },
    }
    expect(itemOf(most)).toMatchObject({ ...most, files: [{ path, text: '' }] })
    const choices = Array.from({ length: 26 }, (_, i) => `c${i}`)
    expect(itemOf({ target: 'Z', choices }).target).toEqual(['Z'])
    expect(patternFault('x'.repeat(300))).toBeNull()
    expect(patternFault('x'.repeat(301))).toBe('the pattern is longer than 300 characters')
  })

  it('COU-X-4 joins the messages of a chat, and holds no half of a character', () => {
    expect(itemOf({ input: [{ role: 'system', content: 'Be brief.' }, { content: 'Who?' }] }).input).toBe(
      'Be brief.\n\nWho?',
    )
    const { input, files } = itemOf({ input: 'a\uD800', files: { 'b\uD800': 'c\uD800' } })
    expect([input, files]).toEqual(['a\uFFFD', [{ path: 'b\uFFFD', text: 'c\uFFFD' }]])
  })

  it('COU-X-4 is graded by its target where it names no grader', () => {
    for (const target of ['7', '-1,200.5', '$3', '12%', '1e5', '.5'])
      expect(itemOf({ target }).grader).toBe('numeric')
    for (const target of ['seven', '7 of 9', ['7', 'x'], '1.2.3'])
      expect(itemOf({ target }).grader).toBe('exact')
    expect(itemOf({ target: 'A', choices: ['a', 'b'] }).grader).toBe('choice')
    expect(read({ grader: '' }, 'contains')).toMatchObject({ grader: 'exact' })
    expect(read({}, 'contains')).toMatchObject({ grader: 'contains' })
    expect(itemOf({ grader: 'model:a.b-c@d' }).grader).toBe('model:a.b-c@d')
    expect(itemOf({ grader: 'findings', target: 'a.ts:3' }).mode).toBe('review')
    expect(itemOf({ grader: 'findings', target: 'a.ts:3', mode: 'ask' }).mode).toBe('ask')
  })

  it('COU-X-4 names its choice by the letter, in any formatting, or by its exact words', () => {
    const choices = ['red', 'blue', 'A']
    for (const target of ['B', ' b ', '(B)', 'b.', ' blue '])
      expect(itemOf({ target, choices }).target).toEqual(['B'])
    expect(itemOf({ target: ['C', 'red'], choices }).target).toEqual(['C', 'A'])
    expect(letterOf(0)).toBe('A')
    expect(letterOf(25)).toBe('Z')
  })

  it('COU-X-4 that a model grades names its seat', () => {
    expect(gradingSeat('model:claude')).toBe('claude')
    expect(gradingSeat('exact')).toBeNull()
    expect(gradingSeat('not model:x')).toBeNull()
  })
})
