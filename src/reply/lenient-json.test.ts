import { describe, expect, it } from 'vitest'
import type { JsonNode } from './json-node.ts'
import { LenientJson } from './lenient-json.ts'

const read = (text: string) => new LenientJson(text).valueAt(0)

/** The node as a plain value; of duplicate members the last. */
function plain(node: JsonNode): unknown {
  if (node.kind === 'object')
    return Object.fromEntries(node.members.map(({ name, value }) => [name, plain(value)]))
  return node.kind === 'list' ? node.items.map(plain) : node.value
}

describe('JSON as models write it', () => {
  const kept: [string, unknown, readonly string[]][] = [
    ['{"a":[1,-2.5e3,"x",true,null],"b":{}}', { a: [1, -2500, 'x', true, null], b: {} }, []],
    ['{"a":"\\u00e9\\n\\"q\\"\\\\"}', { a: 'é\n"q"\\' }, []],
    ['{"a":1,}', { a: 1 }, ['comma']],
    ['{ "a" : 1 }', { a: 1 }, []],
    ["{'a':1}", { a: 1 }, ['quotes']],
    ['{"a":`x`,"b":"a `quoted` one"}', { a: 'x', b: 'a `quoted` one' }, ['quotes']],
    ['{"a":"it\\`s"}', { a: 'it`s' }, ['escape']],
    ['{"a":1 "b":2}', { a: 1, b: 2 }, ['comma']],
    ['{"a":"x"\n "b":"y"}', { a: 'x', b: 'y' }, ['comma']],
    ['[1,,2]', [1, 2], ['comma']],
    ['{"a":1 /* no */, // end\n"b":2 # or so\n}', { a: 1, b: 2 }, ['comment']],
    ["{'a':'it's O'Brien'}", { a: "it's O'Brien" }, ['quotes', 'inner-quote']],
    ['{“a”:“he said “no” twice”}', { a: 'he said “no” twice' }, ['quotes', 'inner-quote']],
    ['{"a":"say "yes", then go","b":1}', { a: 'say "yes", then go', b: 1 }, ['inner-quote']],
    ['{"a":"one\ntwo\t"}', { a: 'one\ntwo\t' }, ['raw-control']],
    ['{"a":"C:\\dir and \\d+"}', { a: 'C:\\dir and \\d+' }, ['escape']],
    ['{"a":"it\\\'s"}', { a: "it's" }, ['escape']],
    ['{a:None,b_c:True,d:undefined}', { a: null, b_c: true, d: null }, ['unquoted-name', 'literal']],
    ['{"a":high,"b":80%,"c":8/10}', { a: 'high', b: '80%', c: '8/10' }, ['unquoted-text']],
    ['{"a":+5,"b":.5,"c":007}', { a: 5, b: 0.5, c: 7 }, ['number']],
    ['{"__proto__":{"x":1}}', JSON.parse('{"__proto__":{"x":1}}'), []],
  ]
  it.each(kept)('reads %s', (text, value, flaws) => {
    const { node, flaws: found } = read(text)
    expect([node.state, node.end]).toEqual(['whole', text.length])
    expect(plain(node)).toEqual(value)
    expect([...found].sort()).toEqual([...flaws].sort())
  })

  it('keeps both of two members of one name', () => {
    const { node } = read('{"a":1,"a":2}')
    expect(node.kind === 'object' && node.members.map(({ value }) => plain(value))).toEqual([1, 2])
  })

  const unfinished: [string, string][] = [
    ['{"a":1', 'unclosed'],
    ['{"a":[{"b":"x"}', 'unclosed'],
    ['{"a":1\n```', 'unclosed'],
    ['{"a":1,', 'cut'],
    ['{"a":', 'cut'],
    ['{"a"', 'cut'],
    ['{"a" ', 'cut'],
    ['{"a', 'cut'],
    ['{"a":"x', 'cut'],
    ['[', 'cut'],
    ['{as I read it}', 'broken'],
    ['{"a":1]', 'broken'],
    ['{"a":(1)}', 'broken'],
    ['{"a"b":1}', 'broken'],
    ['{"a":"b":1}', 'broken'],
    ['[2026-01-04T10:00]', 'broken'],
    ['{"a":1e999}', 'broken'],
    ['['.repeat(100), 'broken'],
  ]
  it.each(unfinished)('closes no brackets and guesses no values: %s', (text, state) => {
    expect(read(text).node.state).toBe(state)
  })
})
