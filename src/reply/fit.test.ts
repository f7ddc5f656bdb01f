// What was written, fitted into what was asked for: form is repaired and told, substance is taken or missing.
import { describe, expect, it } from 'vitest'
import { closed, integer, type JsonSchema, list, oneOf, optionally, text } from '../ledger/schema.ts'
import { readReply } from './read-reply.ts'
import type { Reading } from './reading.ts'
import type { ReplyContext, Rule, WantedValue } from './wanted.ts'

/** Of a schema with rules: what is read from an object with this one member, with the repairs and their places. */
const wantedOf = (schema: JsonSchema, rules: { readonly [place: string]: Rule } = {}): WantedValue => ({
  form: 'value',
  schema,
  rules,
  says: [],
  bare: [],
  acts: false,
  wrappers: [],
  prose: null,
})

const read = (wanted: WantedValue, value: unknown, context: Partial<ReplyContext> = {}): Reading =>
  readReply(
    1,
    wanted,
    { text: typeof value === 'string' ? value : JSON.stringify(value), finish_reason: 'stop' },
    { prompt: '', ...context },
  )

/** `value | repair@place …`, or what is missing. */
function told(reading: Reading): string {
  const repairs = reading.repairs.map(({ kind, at }) => [kind, ...at].join('@')).join(' ')
  if (reading.outcome === 'missing') return `missing ${reading.missing.join(' ')} | ${repairs}`
  return `${reading.outcome === 'kept' ? JSON.stringify(reading.value) : reading.outcome} | ${repairs}`
}

const fits = (schema: JsonSchema, rule: Rule, given: unknown, context: Partial<ReplyContext> = {}): string =>
  told(read(wantedOf(closed({ a: schema }), { a: rule }), { a: given }, context)).replace(
    /^\{"a":(.*)\} \|/,
    '$1 |',
  )

describe('a text', () => {
  it.each<[string, unknown, string]>([
    ['as it is', 'x', '"x" | '],
    ['from a number', 5, '"5" | text-from-value@a'],
    ['from a list', ['x', 'y'], '"x\\ny" | list-for-text@a'],
    ['from the one text of an object', { other: 'x', n: 5 }, '"x" | text-from-value@a'],
    ['from the text that objects are told by', { other: 'y', Description: 'x' }, '"x" | text-from-value@a'],
    ['from neither of two texts', { one: 'y', two: 'x' }, '"" | text-from-value@a default-taken@a'],
    ['of a list that holds none', ['x', null], '"" | default-taken@a'],
    ['of nothing', null, '"" | default-taken@a'],
    ['of half a character', 'x\ud800', '"x\ufffd" | surrogate@a'],
  ])('is read %s', (_, given, expected) => {
    expect(fits(text(), {}, given)).toBe(expected)
  })

  it('has no default if it is required, and is shortened if it is too long', () => {
    expect(fits(text({ minLength: 1 }), {}, ' ')).toBe('missing a | ')
    expect(fits(text({ minLength: 2 }), {}, 'xy')).toBe('"xy" | ')
    expect(fits(text({ maxLength: 3 }), {}, 'xyz')).toBe('"xyz" | ')
    expect(fits(text({ maxLength: 3 }), {}, 'wxyz')).toBe('"wxy" | shortened@a')
    expect(fits(text({ maxLength: 3 }), {}, 'xy😀')).toBe('"xy" | shortened@a')
    expect(fits(text({ maxLength: 4 }), {}, 'xy😀z')).toBe('"xy😀" | shortened@a')
  })

  it('that is an id is never made from other values, and not shortened', () => {
    expect(fits(text({ maxLength: 3 }), { as: 'id' }, 'abc')).toBe('"abc" | ')
    expect(fits(text({ maxLength: 3 }), { as: 'id' }, 'abcd')).toBe('missing a | ')
    expect(fits(text(), { as: 'id' }, 5)).toBe('missing a | ')
    expect(fits(text(), { as: 'id' }, null)).toBe('missing a | ')
  })
})

describe('a word', () => {
  const stance = oneOf(['adopt', 'need-info'])
  const rule: Rule = { words: { adopt: ['yes'] } }

  it('is one of those allowed, or means one of them', () => {
    expect(fits(stance, rule, 'adopt')).toBe('"adopt" | ')
    expect(fits(stance, rule, 'Yes')).toBe('"adopt" | word@a')
    expect(fits(stance, rule, 'NEED_INFO')).toBe('"need-info" | word@a')
    expect(fits(stance, rule, ['adopt'])).toBe('"adopt" | word@a')
  })

  it('is missing if it is another, two, or none, unless it has a default', () => {
    for (const given of ['perhaps', ['adopt', 'adopt'], [], 5, null, 'yes, but', `yes${' '.repeat(80)}`])
      expect(fits(stance, rule, given)).toBe('missing a | ')
    expect(fits(stance, { default: 'need-info' }, 'perhaps')).toBe('"need-info" | default-taken@a')
  })
})

describe('a line', () => {
  const line = integer({ minimum: 0 })
  it.each<[unknown, string]>([
    [12, '12 | '],
    ['12', '12 | number@a'],
    ['Lines 12-15', '12 | number@a'],
    ['ln. 7', '7 | number@a'],
    ['L#3', '3 | number@a'],
    [[12, 15], '12 | number@a'],
    [['line 4'], '4 | number@a'],
    [1.5, '0 | default-taken@a'],
    ['about ten', '0 | default-taken@a'],
    ['1234567890', '0 | default-taken@a'],
    [[1.5], '0 | default-taken@a'],
    [null, '0 | default-taken@a'],
    [{}, '0 | default-taken@a'],
  ])('%j is read as %s', (given, expected) => {
    expect(fits(line, {}, given)).toBe(expected)
  })
})

describe('labels, artifacts and confidence', () => {
  it('are read against what was shown', () => {
    const labels = { labels: ['A', 'B'] }
    expect(fits(text(), { as: 'label' }, 'B', labels)).toBe('"B" | ')
    expect(fits(text(), { as: 'label' }, 'opinion b', labels)).toBe('"B" | label@a')
    expect(fits(text(), { as: 'label' }, 2, labels)).toBe('"B" | label@a')
    expect(fits(text(), { as: 'label' }, 'C', labels)).toBe('missing a | ')
    expect(fits(text(), { as: 'label' }, true, labels)).toBe('missing a | ')
    expect(fits(text(), { as: 'label' }, 'any')).toBe('"any" | ')
    const id = `abcdef01${'1'.repeat(56)}`
    expect(fits(text(), { as: 'artifact' }, id, { artifacts: [id] })).toBe(`"${id}" | `)
    expect(fits(text(), { as: 'artifact' }, 'ABCDEF01', { artifacts: [id] })).toBe(`"${id}" | artifact-id@a`)
    expect(fits(text(), { as: 'artifact' }, 'abcdef01')).toBe('missing a | ')
    expect(fits(text(), { as: 'artifact' }, 5, { artifacts: [id] })).toBe('missing a | ')
    const levels = oneOf(['low', 'medium', 'high'])
    expect(fits(levels, { as: 'confidence' }, 'high')).toBe('"high" | ')
    expect(fits(levels, { as: 'confidence' }, 0.5)).toBe('"medium" | confidence@a')
    expect(fits(levels, { as: 'confidence', default: 'low' }, 'sure')).toBe('"low" | default-taken@a')
  })
})

describe('the input of a tool', () => {
  const wanted = wantedOf(closed({ a: { type: 'object' } }), { a: { as: 'input' } })
  it('is strict JSON or missing: a misread argument is an action', () => {
    expect(told(read(wanted, '{"a": {"path": "x", "n": [1]}}'))).toBe('{"a":{"path":"x","n":[1]}} | ')
    for (const given of ["{'path': 'x'}", '{"path": "x",}', '"{}"', '[]', '{"n": 1e999}', '{"p":1,"p":2}'])
      expect(told(read(wanted, `{"a": ${given}}`))).toMatch(/^missing a/)
  })
})

describe('a list', () => {
  const risk = closed({ description: text({ minLength: 1 }), severity: oneOf(['low', 'high']) })
  const rules: Rule = { key: 'severity' }

  it('is read from other common forms', () => {
    expect(fits(list(text()), {}, ['x', 'y'])).toBe('["x","y"] | ')
    expect(fits(list(text()), {}, 'x')).toBe('["x"] | bare-value@a')
    expect(fits(list(text()), {}, ' ')).toBe('[] | default-taken@a')
    expect(fits(list(text()), {}, null)).toBe('[] | default-taken@a')
    expect(fits(list(text()), {}, '["x"]')).toBe('["x"] | json-in-text@a')
    expect(fits(list(text()), {}, '[x')).toBe('["[x"] | bare-value@a')
    expect(fits(list(text()), {}, '["x"] or so')).toBe('["[\\"x\\"] or so"] | bare-value@a')
    expect(fits(list(text()), {}, { one: 'x', two: ['y', 'z'] })).toBe('["x","y","z"] | map-for-list@a')
    expect(fits(list(risk), rules, { description: 'd', severity: 'low' })).toBe(
      '[{"description":"d","severity":"low"}] | bare-value@a',
    )
    expect(fits(list(risk), rules, { description: 'd', severity: 'low', x: 1 })).toBe(
      '[{"description":"d","severity":"low"}] | bare-value@a unknown-member@a[0].x',
    )
    expect(fits(list(risk), rules, { low: 'd', high: { description: 'e' } })).toBe(
      '[{"description":"d","severity":"low"},{"description":"e","severity":"high"}] | map-for-list@a',
    )
    expect(fits(list(risk), rules, { x: { severity: 'high', description: 'e' } })).toBe(
      '[{"description":"e","severity":"high"}] | map-for-list@a',
    )
  })

  it('drops empty values, records where, and keeps its limits', () => {
    expect(fits(list(text({ minLength: 1 })), {}, ['x', null, '', 'y'])).toBe('["x","y"] | dropped@a[1]@a[2]')
    expect(fits(list(text(), { maxItems: 2 }), {}, ['x', 'y', 'z'])).toBe('["x","y"] | shortened@a')
    expect(fits(list(text(), { maxItems: 2 }), {}, ['x', 'y'])).toBe('["x","y"] | ')
    expect(fits(list(text(), { minItems: 1 }), {}, [])).toBe('missing a | ')
    expect(fits(list(text(), { minItems: 1 }), {}, null)).toBe('missing a | ')
    expect(fits(list(risk), {}, [{ description: 'd', severity: 'some' }])).toBe('missing a[0].severity | ')
    expect(fits(list(text()), { as: 'id' }, ['x', 5])).toBe('missing a | ')
    expect(fits(list(text()), { as: 'id' }, ['x', null])).toBe('["x"] | dropped@a[1]')
  })

  it('holds only shown items, if required', () => {
    const target = closed({ target: text(), note: text() })
    const only = (given: unknown, labels = ['A']) =>
      told(
        read(
          wantedOf(closed({ a: list(target) }), { a: { shownOnly: 'target' }, target: { as: 'label' } }),
          { a: given },
          { labels },
        ),
      )
    expect(only([{ target: 'A', note: 'x' }, { target: 'C', note: 'y' }, 'A'])).toBe(
      '{"a":[{"target":"A","note":"x"}]} | dropped@a[1]@a[2]',
    )
    expect(only([{ Target: 'a', note: 'x' }])).toBe(
      '{"a":[{"target":"A","note":"x"}]} | member-name@a[0].target label@a[0].target',
    )
    expect(only([{ target: 'C', note: 'y' }])).toBe('missing a | dropped@a[0]')
    expect(only([{ note: 'y' }])).toBe('missing a | dropped@a[0]')
  })
})

describe('an object', () => {
  const details = closed({ why: text(), how: text() })

  it('is read from other common forms', () => {
    expect(fits(details, {}, { why: 'x', how: 'y' })).toBe('{"why":"x","how":"y"} | ')
    expect(fits(details, {}, { Why: 'x', 'h-o_w': 'y' })).toBe(
      '{"why":"x","how":"y"} | member-name@a.why@a.how',
    )
    expect(fits(details, {}, [{ why: 'x', how: 'y' }])).toBe('{"why":"x","how":"y"} | unwrapped@a')
    expect(fits(details, {}, '{"why":"x","how":"y"}')).toBe('{"why":"x","how":"y"} | json-in-text@a')
    expect(fits(details, { text: 'why' }, 'x')).toBe(
      '{"why":"x","how":""} | object-from-text@a default-taken@a.how',
    )
    expect(fits(closed({ reason: text(), n: text() }), {}, 'x')).toBe(
      '{"reason":"x","n":""} | object-from-text@a default-taken@a.n',
    )
  })

  it('uses its default if no other form is there', () => {
    for (const given of [null, 5, [1], [{ why: 'x' }, { how: 'y' }], 'x'])
      expect(fits(details, {}, given)).toMatch(/^\{"why":"","how":""\} \| default-taken@a$/)
    expect(fits(closed({ why: text({ minLength: 1 }) }), {}, null)).toBe('missing a | ')
    expect(fits(closed({ s: oneOf(['x']) }), {}, null)).toBe('missing a | ')
  })

  it('drops what it does not know, by a name that may be recorded', () => {
    expect(fits(details, {}, { why: 'x', how: 'y', z: 1, '<b>': 2 })).toBe(
      '{"why":"x","how":"y"} | unknown-member@a.z@a.?',
    )
  })

  it('that allows no unknown member is exact or missing', () => {
    const exact: Rule = { as: 'exact' }
    const limits = closed({ paths: list(text(), { maxItems: 1 }), risk: oneOf(['low']) })
    expect(fits(limits, exact, { paths: ['x'], risk: 'low' })).toBe('{"paths":["x"],"risk":"low"} | ')
    for (const given of [
      { paths: ['x'], risk: 'low', more: 1 },
      { paths: ['x', 'y'], risk: 'low' },
      { paths: [null], risk: 'low' },
      'x',
      [{ paths: ['x'], risk: 'low' }],
    ])
      expect(fits(limits, exact, given)).toMatch(/^missing a/)
  })

  it('is filled from members beside it', () => {
    const wanted = wantedOf(closed({ details, note: text() }), { details: { beside: true } })
    const beside = (given: unknown) => told(read(wanted, given))
    expect(beside({ why: 'x', how: 'y', note: 'n' })).toBe(
      '{"details":{"why":"x","how":"y"},"note":"n"} | member-moved@why@how',
    )
    expect(beside({ details: { why: 'x' }, how: 'y', why: 'no', note: 'n' })).toBe(
      '{"details":{"why":"x","how":"y"},"note":"n"} | member-moved@how unknown-member@why',
    )
    expect(beside({ details: null, how: 'y', note: 'n' })).toBe(
      '{"details":{"why":"","how":"y"},"note":"n"} | member-moved@how default-taken@details.why',
    )
    expect(beside({ details: 5, how: 'y', note: 'n' })).toMatch(/unknown-member@how/)
    // Only where the rule says so.
    expect(told(read({ ...wanted, rules: {} }, { details: {}, how: 'y', note: 'n' }))).toMatch(
      /^\{"details":\{"why":"","how":""\},"note":"n"\} \| unknown-member@how/,
    )
  })

  it('that occurs twice counts the last time if a default exists, and otherwise only if both are equal', () => {
    const twice = (schema: JsonSchema, rule: Rule, one: string, two: string) =>
      told(read(wantedOf(closed({ a: schema }), { a: rule }), `{"a":${one},"a":${two}}`))
    expect(twice(text(), {}, '"x"', '"y"')).toBe('{"a":"y"} | duplicate@a')
    expect(twice(oneOf(['x', 'y']), {}, '"x"', '"y"')).toBe('missing a | duplicate@a')
    expect(twice(oneOf(['x', 'y']), {}, '"x"', '"x"')).toBe('{"a":"x"} | duplicate@a')
    expect(twice(list(text()), { as: 'exact' }, '["x"]', '["y"]')).toBe('missing a | duplicate@a')
  })

  it('needs its required members, and may lack the others', () => {
    const wanted = wantedOf(optionally(closed({ a: text() }), { b: text(), c: oneOf(['x']) }))
    expect(told(read(wanted, { a: 'x' }))).toBe('{"a":"x"} | ')
    expect(told(read(wanted, { a: 'x', b: 'y', c: 'x' }))).toBe('{"a":"x","b":"y","c":"x"} | ')
    expect(told(read(wanted, { a: 'x', b: null, c: 'no' }))).toBe('{"a":"x"} | dropped@b@c')
  })
})
