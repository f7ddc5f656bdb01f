// The words of an evaluation's prompts are recorded and worked out again by verifiers: they may never change.
import { describe, expect, it } from 'vitest'
import { item } from '../../../test/support/scripted-eval-parts.ts'
import { toHex, utf8 } from '../../ledger/bytes.ts'
import { canonicalize } from '../../ledger/canonical.ts'
import { renderPrompt } from '../../ledger/prompt.ts'
import { sha256 } from '../../stores/digest.ts'
import { constraintsOf, judgeRequest, questionOf, sampleRequest } from './prompts.ts'

const SETTING = { sha256, seed: 'ab'.repeat(32), trace: 'T', action: 'a/1', set: 'cd'.repeat(32) }
const CHOICE = item({ input: 'Which?', target: 'B', choices: ['red', 'blue'] })
const NUMERIC = item({ input: 'How many?', target: '7' })
const FILED = item({
  input: 'Find it.',
  target: ['a.ts:1'],
  grader: 'findings',
  files: { 'a.ts': 'x = 1', 'b "c".ts': 'y' },
})
const JUDGED = item({ input: 'Why?', target: ['Because.', 'Just so.'], grader: 'model:cyd' })
const digest = (value: unknown): string => toHex(sha256(utf8(canonicalize(value)))).slice(0, 16)

describe('the question to every arm', () => {
  it('COU-X-4 has its choices by letter, and says how to give the answer', () => {
    expect(questionOf(NUMERIC)).toBe('How many?')
    expect(questionOf(CHOICE)).toBe('Which?\n\n(A) red\n(B) blue')
    const where = 'on a line of its own at the end of your recommendation or conclusion'
    expect(constraintsOf(CHOICE)).toEqual([
      `Give the final answer ${where}, as ANSWER: and the letter of one choice (A to B).`,
    ])
    expect(constraintsOf(NUMERIC)).toEqual([
      `Give the final answer ${where}, as ANSWER: and the number alone.`,
    ])
    const short = [`Give the final answer ${where}, as ANSWER: and the answer alone, as short as possible.`]
    for (const grader of ['exact', 'contains', 'regex'])
      expect(constraintsOf({ ...NUMERIC, grader })).toEqual(short)
    // A model that grades, and findings, need no form.
    expect(constraintsOf(JUDGED)).toEqual([])
    expect(constraintsOf(FILED)).toEqual([])
  })
})

describe('the prompt of one seat alone', () => {
  it('COU-X-4 is the question and the form of its answer, nothing of a council', () => {
    const { system, parts, schema } = sampleRequest(SETTING, NUMERIC)
    expect(system).toBe('Answer the question. Think it through before you answer.')
    expect(parts.map(({ name, text }) => [name, text])).toEqual([
      ['question', 'How many?'],
      ['instructions', constraintsOf(NUMERIC)[0]],
    ])
    expect(schema).toBeNull()
    expect(parts[0]).toMatchObject({ quotes: { kind: 'artifact', id: SETTING.set }, template: null })
    expect(parts[1]).toMatchObject({ quotes: null, template: { id: 'eval/1 instructions' } })
  })

  it('COU-X-4 shows files between marks of this prompt alone, each by its name', () => {
    const { parts } = sampleRequest(SETTING, FILED)
    expect(parts.map(({ name }) => name)).toEqual(['file/1', 'file/2', 'question'])
    expect(parts[0]?.text).toMatch(/^"a\.ts"\n<file-(\w{16}) label="file 1">\nx = 1\n<\/file-\1>$/)
    expect(parts[1]?.text).toMatch(/^"b \\"c\\"\.ts"\n<file-\w{16} label="file 2">\ny\n/)
    const elsewhere = [{ action: 'a/2' }, { trace: 'U' }, { seed: 'cd'.repeat(32) }].map(
      (other) => sampleRequest({ ...SETTING, ...other }, FILED).parts[0]?.text,
    )
    expect(new Set([parts[0]?.text, ...elsewhere]).size).toBe(4)
  })
})

describe('the prompt of a grader', () => {
  it('COU-X-4 shows both answers alike, in the order that is asked for', () => {
    const [first, second] = (['first', 'second'] as const).map((order) =>
      judgeRequest(SETTING, JUDGED, 'I think so.', order),
    )
    const shown = (words: string): readonly string[] =>
      [...words.matchAll(/<(\w+)-\w+ label="([^"]+)">\n([\s\S]*?)\n<\//g)].map(([, ...m]) => m.join(' | '))
    expect(shown(renderPrompt(first?.parts ?? []))).toEqual([
      'question | question | Why?',
      'answer | first answer | Because.\nJust so.',
      'answer | second answer | I think so.',
    ])
    expect(shown(renderPrompt(second?.parts ?? []))).toEqual([
      'question | question | Why?',
      'answer | first answer | I think so.',
      'answer | second answer | Because.\nJust so.',
    ])
    expect(first?.parts.map(({ name }) => name)).toEqual(['question', 'answers', 'answers', 'instructions'])
    expect(first?.schema).toMatchObject({ required: ['reason', 'verdict'], additionalProperties: false })
  })

  it('COU-X-4 stays the same to the byte', () => {
    expect({
      plain: digest(sampleRequest(SETTING, NUMERIC)),
      choice: digest(sampleRequest(SETTING, CHOICE)),
      files: digest(sampleRequest(SETTING, FILED)),
      first: digest(judgeRequest(SETTING, JUDGED, 'I think so.', 'first')),
      second: digest(judgeRequest(SETTING, JUDGED, 'I think so.', 'second')),
    }).toEqual({
      plain: '84ce440465954bb8',
      choice: 'ab83dbbd4ff1ca73',
      files: '617d55f9b6d506e0',
      first: '6565b3d29fb57e68',
      second: 'cfa679456135f172',
    })
  })
})
