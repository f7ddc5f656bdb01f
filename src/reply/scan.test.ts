import { describe, expect, it } from 'vitest'
import { sourceOf } from './json-node.ts'
import { scanReply } from './scan.ts'

const scan = (text: string, counts = false) => {
  const { values, ...rest } = scanReply(text, () => counts)
  return { values: values.map(({ node }) => sourceOf(node)), ...rest }
}

describe('the values in a text', () => {
  it('are found with their surroundings', () => {
    expect(scan('One {"a":1} two [2] three')).toEqual({
      values: ['{"a":1}', '[2]'],
      outside: 'One  two  three',
      hidden: false,
      endsWithValue: false,
    })
    expect(scan('so: {"a":[{"b":1}]}\n```\n')).toMatchObject({
      values: ['{"a":[{"b":1}]}'],
      endsWithValue: true,
    })
    expect(scan('{"a":1} done')).toMatchObject({ endsWithValue: false })
    expect(scan('')).toEqual({ values: [], outside: '', hidden: false, endsWithValue: false })
  })

  it('are none if brackets belong to the prose', () => {
    expect(scan('a [] b (see [, or {;) c')).toMatchObject({ values: [] })
    expect(scan('as {I read it} so')).toMatchObject({ values: [], outside: 'as {I read it} so' })
  })

  it('include unfinished ones only if they belong to the question', () => {
    expect(scan('see {"a":1', true).values).toEqual(['{"a":1'])
    expect(scan('see {"a":1')).toMatchObject({ values: [], outside: 'see {"a":1' })
  })

  it('are looked for again inside of a bracket that is never closed, a few times', () => {
    expect(scan('[a, {"b":1}').values).toEqual(['{"b":1}'])
    expect(scan('[a, {"b":1}, ').values).toEqual(['{"b":1}'])
    expect(scan('[x, [y, [z, {"b":1}').values).toEqual(['{"b":1}'])
    expect(scan('[w, [x, [y, [z, {"b":1}').values).toEqual([])
  })

  it('are not those of hidden reasoning, and marks inside of a value are its own text', () => {
    expect(scan('<think>{"a":1}</think>{"b":2}')).toMatchObject({
      values: ['{"b":2}'],
      hidden: true,
      outside: '',
    })
    expect(scan('{"a":1} so</think>{"b":2}')).toMatchObject({
      values: ['{"b":2}'],
      hidden: true,
      outside: '',
    })
    expect(scan('{"b":2}<think>{"a":1}')).toMatchObject({ values: ['{"b":2}'], hidden: true })
    expect(scan('{"b":"<think>"}')).toMatchObject({ values: ['{"b":"<think>"}'], hidden: false })
  })
})
