import { describe, expect, it } from 'vitest'
import { patternFault } from './item.ts'
import { type ItemSet, readSet, type SetFault } from './read-set.ts'

const items = (text: string, grader?: string) => (readSet(text, { grader: grader ?? null }) as ItemSet).items
const fault = (text: string) => (readSet(text) as SetFault).fault

describe('sets', () => {
  it('COU-X-4 reads JSON Lines with the fields of Inspect and our own', () => {
    const lines = [
      { id: 'a', input: '2+2?', target: '4', metadata: { level: 1 } },
      { input: 'Which?', target: 'B', choices: ['red', 'blue'], cluster: 'colours' },
      { input: 'Which?', target: 'red', choices: ['red', 'blue'] },
      { input: 'Find it.', target: ['a.ts:3'], grader: 'findings', files: { 'a.ts': 'x\ny\nz' } },
      { input: [{ role: 'user', content: 'Who?' }], target: ['Ada', 'Lovelace'], grader: 'contains' },
      { input: 'Why?', target: 'Because.', grader: 'model:claude', mode: 'architecture' },
    ]
    const read = items(lines.map((line) => JSON.stringify(line)).join('\n'))
    expect(read.map(({ id, grader, mode }) => [id, grader, mode])).toEqual([
      ['a', 'numeric', 'ask'],
      ['2', 'choice', 'ask'],
      ['3', 'choice', 'ask'],
      ['4', 'findings', 'review'],
      ['5', 'contains', 'ask'],
      ['6', 'model:claude', 'architecture'],
    ])
    expect(read[2]?.target).toEqual(['A'])
    expect(read[1]?.cluster).toBe('colours')
    expect(read[3]?.files).toEqual([{ path: 'a.ts', text: 'x\ny\nz' }])
    expect(read[4]?.input).toBe('Who?')
  })

  it('COU-X-4 reads GSM8K as it comes', () => {
    const line = { question: 'How many clips?', answer: 'Half of 48 is 24.\n48+24 = <<48+24=72>>72\n#### 72' }
    const set = readSet(JSON.stringify(line)) as ItemSet
    expect(set.format).toBe('gsm8k')
    expect(set.items[0]).toMatchObject({ input: 'How many clips?', target: ['72'], grader: 'numeric' })
  })

  it('COU-X-4 reads BIG-Bench Hard as it comes, with options by letter and without', () => {
    const file = {
      canary: 'do not train',
      examples: [
        { input: 'Which?\nOptions:\n(A) one\n(B) two', target: '(B)' },
        { input: 'not ( True ) is', target: 'False' },
      ],
    }
    const set = readSet(JSON.stringify(file, null, 2)) as ItemSet
    expect(set.format).toBe('bbh')
    expect(set.items.map(({ target }) => target)).toEqual([['B'], ['False']])
  })

  it('COU-X-4 reads CSV with quotes, line breaks and choices', () => {
    const csv = 'id,input,target,choices\nq1,"Say ""hi"",\nplease",hi,\n\nq2,Which?,B,red|blue\n'
    expect(items(csv)).toMatchObject([
      { id: 'q1', input: 'Say "hi",\nplease', target: ['hi'] },
      { id: 'q2', target: ['B'], choices: ['red', 'blue'] },
    ])
  })

  it('says what is wrong, and on which line', () => {
    expect(fault('')).toBe('the file is empty')
    expect(fault('{"input":"a","target":"b"}\nnot json')).toBe('line 2 is no JSON object')
    expect(fault('{"input":"a"}')).toMatch(/^line 1: target is missing/)
    expect(fault('{"input":"a","target":"b","grader":"vibes"}')).toMatch(/^line 1: grader is none of exact/)
    expect(fault('{"input":"a","target":"Z","choices":["x","y"]}')).toMatch(/names none of the choices/)
    expect(fault('{"id":1,"input":"a","target":"b"}\n{"id":1,"input":"c","target":"d"}')).toBe(
      'line 2 has the id of line 1',
    )
    expect(fault('question,answer\na,b')).toBe('the first line names no column input')
    expect(fault('input,target\n"a,b')).toMatch(/never closed/)
  })

  it('refuses patterns that could run for years', () => {
    for (const pattern of ['(a+)+$', '(a|aa)+$', '(\\w*)*x', '((a)b)+', '(a)\\1', '('])
      expect(patternFault(pattern)).not.toBeNull()
    for (const pattern of ['^yes$', '\\b(?:42|forty-two)\\b', '(abc)+', '[a-z]+ \\d{2,4}'])
      expect(patternFault(pattern)).toBeNull()
  })

  it('takes a default grader where an item names none', () => {
    expect(items('{"input":"a","target":"b"}', 'model:claude')[0]?.grader).toBe('model:claude')
    expect(items('{"input":"a","target":"b","grader":"exact"}', 'model:claude')[0]?.grader).toBe('exact')
  })
})
