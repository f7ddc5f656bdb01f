import { describe, expect, it } from 'vitest'
import { readCsv } from './csv.ts'
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

  it('COU-X-4 takes a target with blanks around a number for a number', () => {
    expect(items('{"input":"a","target":" 42 "}')).toMatchObject([{ grader: 'numeric' }])
  })

  it('COU-X-4 reads GSM8K in its own format', () => {
    const line = { question: 'How many clips?', answer: 'Half of 48 is 24.\n48+24 = <<48+24=72>>72\n#### 72' }
    const set = readSet(JSON.stringify(line)) as ItemSet
    expect(set.format).toBe('gsm8k')
    expect(set.items[0]).toMatchObject({ input: 'How many clips?', target: ['72'], grader: 'numeric' })
  })

  it('COU-X-4 reads BIG-Bench Hard in its own format, with options by letter and without', () => {
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
    expect(fault('{"input":"a","target":"b","grader":"vibes"}')).toMatch(
      /^line 1: grader must be one of exact/,
    )
    expect(fault('{"input":"a","target":"Z","choices":["x","y"]}')).toMatch(/names none of the choices/)
    expect(fault('{"id":1,"input":"a","target":"b"}\n{"id":1,"input":"c","target":"d"}')).toBe(
      'line 2 has the id of line 1',
    )
    expect(fault('question,answer\na,b')).toBe('the first line names no column input')
    expect(fault('input,target\n"a,b')).toMatch(/never closed/)
  })

  it('COU-X-4 reads a list of items as it reads lines, and names them by their place', () => {
    const list = [
      { input: 'a', target: 'b' },
      { input: 'c', target: 'd' },
    ]
    const set = readSet(JSON.stringify(list, null, 2)) as ItemSet
    expect(set.format).toBe('jsonl')
    expect(set.items.map(({ id, input }) => [id, input])).toEqual([
      ['1', 'a'],
      ['2', 'c'],
    ])
    expect(fault(JSON.stringify([...list, 5]))).toMatch(/^item 3: input is missing/)
    expect(fault(JSON.stringify([...list, null]))).toMatch(/^item 3: input is missing/)
    expect(fault('[]')).toBe('there is no item in it')
  })

  it('COU-X-4 reads files with a byte order mark, line ends of Windows and empty lines', () => {
    const lines = '\uFEFF\r\n{"input":"a","target":"b"}\r\n  \r\n{"input":"c","target":"d"}\r\n'
    expect(items(lines).map(({ id }) => id)).toEqual(['1', '2'])
    expect(items('\uFEFFinput,target\r\na,b\r\n')).toMatchObject([{ input: 'a', target: ['b'] }])
    expect(fault(' \n ')).toBe('the file is empty')
    expect(fault('{"input":"a","target":"b"}\r\n\r\n[1]')).toBe('line 3 is no JSON object')
  })

  it('COU-X-4 takes rows of GSM8K for what they are, and other questions for what they say', () => {
    const row = (answer: unknown) => JSON.stringify({ question: 'How many?', answer })
    expect(items(row('#### 1,200 '))[0]?.target).toEqual(['1,200'])
    expect(fault(row('no hashes'))).toMatch(/^line 1: input is missing/)
    expect(fault(JSON.stringify({ question: 5, answer: '#### 1' }))).toMatch(/^line 1: input is missing/)
    const mixed = readSet(`{"input":"a","target":"b"}\n${row('#### 3')}`) as ItemSet
    expect([mixed.format, mixed.items[0]?.grader, mixed.items[1]?.grader]).toEqual([
      'gsm8k',
      'exact',
      'numeric',
    ])
  })

  it('COU-X-4 takes the letter of BIG-Bench Hard for an option only where options are listed', () => {
    const target = (input: unknown, said: unknown): unknown => {
      const set = readSet(JSON.stringify({ examples: [{ input, target: said }] }))
      return 'fault' in set ? set.fault : set.items[0]?.target
    }
    expect(target('Which?\n(A) one\n(B) two', '(A)')).toEqual(['A'])
    expect(target('Which?\n(A) one', '(A)')).toEqual(['(A)'])
    expect(target('Is (A) so?\n(A) one\n(B) two', '(A) one')).toEqual(['(A) one'])
    expect(target('Which?\n(A) one\n(B) two', 7)).toEqual(['7'])
    expect(items('{"examples":[{"input":"How many?","target":"7"}]}')[0]?.grader).toBe('exact')
    expect(target(undefined, '(A)')).toMatch(/^example 1: input is missing/)
    expect(fault(JSON.stringify({ examples: ['a'] }))).toMatch(/^example 1: input is missing/)
    expect(fault('{"examples":[]}')).toBe('there is no item in it')
    expect(fault('{"examples":5,"input":"a","target":"b"}x')).toBe('line 1 is no JSON object')
  })

  it('COU-X-4 reads the columns of CSV by their names, and files from no cell', () => {
    const csv = ' Input ,TARGET,files,cluster\nWhich?,x,a.ts,c1\nWho?,y\n'
    expect(items(csv)).toMatchObject([
      { input: 'Which?', cluster: 'c1', files: [] },
      { input: 'Who?', cluster: null },
    ])
    expect(items('input,target,choices\nq, blue ,red | blue')[0]).toMatchObject({
      choices: ['red', 'blue'],
      target: ['B'],
    })
    expect(fault('input,answer\na,b')).toBe('the first line names no column target')
    expect(fault('input,target\n')).toBe('there is no item in it')
    expect(fault('\n,')).toBe('the first line names no column input')
  })

  it('COU-X-4 says on which line of CSV a row begins, and which quote is wrong', () => {
    expect(fault('input,target\n"a\nb",c\nd,')).toBe('line 4: target is missing or no text')
    expect(fault('input,target\na,b\nc,d"e')).toBe('line 3 has a quote inside a cell that is not quoted')
    expect(fault('input,target\na,"b\n\n')).toBe('a quote that opens on line 2 is never closed')
    expect(items('input,target\n"a ""b""",""""').map(({ input, target }) => [input, ...target])).toEqual([
      ['a "b"', '"'],
    ])
    // An empty line is no row; a row of one cell is one, and so is a last line without an end.
    expect(readCsv('a\n\n,\nb')).toEqual([
      { line: 1, cells: ['a'] },
      { line: 3, cells: ['', ''] },
      { line: 4, cells: ['b'] },
    ])
  })

  it('refuses regular expressions that could run for years', () => {
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
