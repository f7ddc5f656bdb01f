// Canonical text is a function of the value alone, and nothing but that text is taken back. Each refusal is
// asserted with the place it names, since a refusal that cannot be located cannot be repaired.

import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { utf8 } from './bytes.ts'
import { canonicalize, type Json, parseCanonical, parseJson } from './canonical.ts'
import { isWitanError } from './errors.ts'

function refusal(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    if (isWitanError(error, 'CANONICAL_INVALID')) return error.message
    throw error
  }
  throw new Error('nothing was refused')
}

const bytesOf = (text: string): Uint8Array => utf8(text)
const read = (text: string): Json | undefined => parseCanonical(bytesOf(text))

/** Well-formed JSON values, with the keys that trip readers over-represented. */
const anyJson = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constant(null),
    fc.boolean(),
    // Negative zero is written as 0 and so does not come back as itself.
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
    fc.integer(),
    fc.string({ unit: 'binary' }),
    fc.array(tie('value')),
    fc
      .array(
        fc.tuple(
          fc.oneof(
            fc.string({ unit: 'binary' }),
            fc.constantFrom('__proto__', 'constructor', 'toJSON', '', '10', '9'),
          ),
          tie('value'),
        ),
      )
      .map((entries) => Object.fromEntries(entries)),
  ),
})).value

describe('canonicalize', () => {
  it('LED-4 sorts keys by UTF-16 code units, not by code points', () => {
    expect(canonicalize({ '\ufb33': 1, '\u{1f600}': 2, é: 3, '10': 4, '9': 5, '': 6 })).toBe(
      '{"":6,"10":4,"9":5,"é":3,"😀":2,"\ufb33":1}',
    )
  })

  it('LED-4 escapes only what RFC 8785 escapes, in lowercase', () => {
    expect(canonicalize('\u0000\b\t\n\u000b\f\r\u001f"\\/\u007f\u2028é')).toBe(
      '"\\u0000\\b\\t\\n\\u000b\\f\\r\\u001f\\"\\\\/\u007f\u2028é"',
    )
    for (const length of [200, 4090, 4094, 4096, 5000]) {
      expect(canonicalize(`${'x'.repeat(length)}\n"`)).toBe(`"${'x'.repeat(length)}\\n\\""`)
      expect(canonicalize('x'.repeat(length))).toBe(`"${'x'.repeat(length)}"`)
    }
  })

  it('LED-5 takes every finite double', () => {
    const numbers = [0, -0, 1e21, 1e-7, 5e-324, Number.MAX_VALUE, -Number.MAX_VALUE, 2 ** 53 + 2, 1e30]
    expect(canonicalize(numbers)).toBe(
      '[0,0,1e+21,1e-7,5e-324,1.7976931348623157e+308,-1.7976931348623157e+308,9007199254740994,1e+30]',
    )
  })

  it('LED-5 rejects lone surrogates and non-finite numbers, and says where', () => {
    expect(refusal(() => canonicalize({ a: [{ b: 'x\ud800' }] }))).toContain('at $.a[0].b: the string holds')
    expect(refusal(() => canonicalize({ a: { '\udc00': 1 } }))).toContain('at $.a["\\udc00"]: the key holds')
    expect(refusal(() => canonicalize(`${'long '.repeat(100)}\udc00\ud800`))).toContain('at $: the string')
    expect(refusal(() => canonicalize([1, Number.NaN]))).toContain('at $[1]: NaN')
    expect(refusal(() => canonicalize({ 'a b': Number.POSITIVE_INFINITY }))).toContain(
      'at $["a b"]: Infinity',
    )
  })

  it('LED-5 rejects undefined, functions, symbols and bigints instead of dropping them', () => {
    for (const value of [undefined, () => 1, Symbol('s'), 1n]) {
      expect(refusal(() => canonicalize({ kept: 1, x: value }))).toContain('at $.x')
      expect(refusal(() => canonicalize([value]))).toContain('at $[0]')
    }
    expect(refusal(() => canonicalize(new Array(2)))).toContain('at $[0]: undefined')
    expect(refusal(() => canonicalize({ [Symbol('s')]: 1 }))).toContain('a symbol is not a JSON key')
  })

  it('LED-5 rejects every object that is not plain, with or without toJSON', () => {
    class Point {
      x = 1
    }
    class List extends Array<number> {}
    const inherits: unknown = Object.create({ x: 1 })
    const values = [new Date(0), new Map(), new Set(), new Point(), new List(), /x/, utf8('x'), inherits]
    for (const value of [...values, Object('boxed')]) {
      expect(refusal(() => canonicalize({ x: value }))).toMatch(/at \$\.x: not a plain/)
    }
    expect(refusal(() => canonicalize({ toJSON: () => 1 }))).toContain('at $.toJSON: function')
    expect(canonicalize({ toJSON: 'a name like any other' })).toBe('{"toJSON":"a name like any other"}')
    expect(canonicalize(Object.assign(Object.create(null), { b: 1, a: 2 }))).toBe('{"a":2,"b":1}')
  })

  it('LED-5 ends cycles and takes 256 levels but not 257', () => {
    const loop: { self?: unknown } = {}
    loop.self = loop
    expect(refusal(() => canonicalize(loop))).toContain('or a cycle')
    const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)
    expect(canonicalize(JSON.parse(nested(256)))).toBe(nested(256))
    expect(refusal(() => canonicalize(JSON.parse(nested(257))))).toContain('more than 256 levels')
    expect(read(nested(257))).toBeUndefined()
    expect(read('['.repeat(100_000) + ']'.repeat(100_000))).toBeUndefined()
  })

  it('LED-5 treats __proto__ as an ordinary key, in and out', () => {
    const text = '{"__proto__":{"admin":true},"a":1}'
    const value = parseJson(text)
    expect(canonicalize(value)).toBe(text)
    expect(read(text)).toStrictEqual(value)
    expect(Object.getPrototypeOf(read(text))).toBe(Object.prototype)
  })

  it('LED-4 is idempotent, and parsing undoes it', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const text = canonicalize(value)
        const back = read(text)
        // toStrictEqual would take a key named `constructor` for a type.
        expect(isDeepStrictEqual(back, value)).toBe(true)
        expect(canonicalize(back)).toBe(text)
        expect(isDeepStrictEqual(parseJson(JSON.stringify(value, null, 2)), value)).toBe(true)
      }),
    )
  })

  it('LED-4 does not depend on the order in which members were set', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: 'binary' }), fc.integer()),
        fc.infiniteStream(fc.nat()),
        (object, dice) => {
          const shuffled = Object.entries(object)
            .map((entry) => ({ entry, rank: dice.next().value ?? 0 }))
            .sort((a, b) => a.rank - b.rank)
          expect(canonicalize(Object.fromEntries(shuffled.map(({ entry }) => entry)))).toBe(
            canonicalize(object),
          )
        },
      ),
    )
  })
})

describe('parseCanonical', () => {
  it('LED-5 takes canonical texts, null among them', () => {
    for (const text of ['null', 'true', '0', '""', '[]', '{}', '{"a":[1,"é",null]}']) {
      expect(read(text)).toStrictEqual(JSON.parse(text))
    }
  })

  it('LED-5 refuses every other spelling of a value', () => {
    const spellings = [
      '',
      ' 1',
      '1 ',
      '1\n',
      '[1, 2]',
      '{"b":1,"a":2}',
      '{"a":1,"a":1}',
      '{"__proto__":1,"__proto__":1}',
    ]
    const numbers = [
      '1.0',
      '-0',
      '1E2',
      '1e2',
      '1e21',
      '0.10',
      '1e400',
      '9007199254740993',
      '00',
      '+1',
      'NaN',
    ]
    const strings = [
      '"\\u0061"',
      '"\\/"',
      '"\\u001F"',
      '"\\ud800"',
      '"\\u00e9"',
      "'a'",
      '\ufeff1',
      '1 2',
      '[1,]',
    ]
    for (const text of [...spellings, ...numbers, ...strings]) expect(read(text), text).toBeUndefined()
  })

  it('LED-5 refuses bytes that are not strict UTF-8', () => {
    expect(parseCanonical(Uint8Array.of(0x22, 0xff, 0x22))).toBeUndefined()
    expect(parseCanonical(Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22))).toBeUndefined()
    expect(parseCanonical(Uint8Array.of(0x22, 0xc1, 0xa1, 0x22))).toBeUndefined()
  })

  it('LED-5 takes changed bytes only when they are the canonical text of another value', () => {
    const text = canonicalize({ a: [1, 2.5, 'x'], b: { c: null, d: 'é"' } })
    fc.assert(
      fc.property(fc.nat(bytesOf(text).length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const bytes = bytesOf(text)
        bytes.set([(bytes[at] ?? 0) ^ flip], at)
        const value = parseCanonical(bytes)
        if (value !== undefined) expect(bytesOf(canonicalize(value))).toStrictEqual(bytes)
      }),
    )
  })
})

describe('parseJson', () => {
  it('LED-5 rejects duplicate keys at any depth and in any spelling, and says where', () => {
    expect(refusal(() => parseJson('{"a":1,"a":1}'))).toContain('at $.a: the key occurs twice')
    expect(refusal(() => parseJson('{"x":[0,{"c":",{","\\u0063" : 2}]}'))).toContain('at $.x[1].c: the key')
    expect(refusal(() => parseJson('{"__proto__":1,"__proto__":2}'))).toContain('at $.__proto__: the key')
    expect(refusal(() => parseJson('{"a":{},"b":["b","b"],"a":0}'))).toContain('at $.a: the key')
  })

  it('LED-5 does not take equal strings or equal keys of different objects for duplicates', () => {
    for (const text of [
      '["a","a"]',
      '{"a":"a","b":"a"}',
      '[{"a":1},{"a":1}]',
      '{"a":{"a":["a","a"]}}',
      '"\\"a"',
    ]) {
      expect(parseJson(text)).toStrictEqual(JSON.parse(text))
    }
  })

  it('LED-5 rejects lone surrogates, numbers too large for a double, and what is not JSON', () => {
    expect(refusal(() => parseJson('{"a":"\\ud83d"}'))).toContain('at $.a: the string holds a lone surrogate')
    expect(refusal(() => parseJson('[1e400]'))).toContain('at $[0]: Infinity')
    expect(refusal(() => parseJson('{a:1}'))).toContain('The text is not JSON')
  })

  it('LED-5 reads outside text in any other spelling, however long', () => {
    const long = 'x\\n'.repeat(1_000_000)
    expect(parseJson(` { "b" : 1.0 , "a" : "${long}" } `)).toStrictEqual({ b: 1, a: 'x\n'.repeat(1_000_000) })
  })
})
