// Headers have one spelling, and only headers in that spelling are read. Payloads are plain JSON objects of bounded
// size without numbers that a reader could round.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sha256 } from '../stores/digest.ts'
import { fromUtf8, utf8 } from './bytes.ts'
import { canonicalize } from './canonical.ts'
import { isWitanError } from './errors.ts'
import {
  artifactsOf,
  encodeHeader,
  eventHash,
  GENESIS,
  type Header,
  isTraceId,
  MAX_PAYLOAD_BYTES,
  makeHeader,
  type Payload,
  payloadHash,
  readHeader,
  readOutline,
  readPayload,
  writePayload,
} from './event.ts'

const text = (pattern: RegExp) => fc.stringMatching(pattern)
const hash = text(/^[0-9a-f]{64}$/)
const count = fc.oneof(fc.nat(), fc.maxSafeNat())

const headers: fc.Arbitrary<Header> = fc.record({
  v: fc.constant(1 as const),
  protocol: text(/^[a-z][a-z0-9-]{0,31}\/[1-9][0-9]{0,3}$/),
  trace: text(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/),
  seq: count,
  at: fc
    .date({
      min: new Date('0000-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59Z'),
      noInvalidDate: true,
    })
    .map((date) => date.toISOString()),
  type: text(/^[a-z][a-z0-9_]{0,63}$/),
  actor: fc.record({
    agent: text(/^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/),
    role: text(/^[a-z][a-z0-9_-]{0,31}$/),
    key: hash,
  }),
  prev: hash,
  payload_hash: hash,
  registry: fc.record({ size: count, hash }),
})

const HEADER: Header = {
  v: 1,
  protocol: 'errand/1',
  trace: '01KE0000000000000000000001',
  seq: 3,
  at: '2026-01-02T03:04:05.678Z',
  type: 'answer_given',
  actor: { agent: 'sam', role: 'seat', key: 'a'.repeat(64) },
  prev: GENESIS,
  payload_hash: 'b'.repeat(64),
  registry: { size: 7, hash: 'c'.repeat(64) },
}

const TEXT = fromUtf8(encodeHeader(HEADER)) ?? ''
const read = (changed: string): Header | string => readHeader(utf8(changed))

describe('a header', () => {
  it('LED-4 is written as the general canonicaliser would write it, and read back as it was', () => {
    fc.assert(
      fc.property(headers, (header) => {
        const bytes = encodeHeader(header)
        expect(fromUtf8(bytes)).toBe(canonicalize(header))
        expect(readHeader(bytes)).toEqual(header)
      }),
      { numRuns: 500 },
    )
  })

  it('LED-4 is read from its present bytes, also by its maker', () => {
    fc.assert(
      fc.property(headers, fc.nat(), (header, place) => {
        const bytes = makeHeader({ ...header, actor: { ...header.actor, ...{ note: 'not of a header' } } })
        expect(readHeader(bytes)).toEqual(header)
        const at = place % bytes.length
        bytes[at] = (bytes[at] ?? 0) ^ 1
        expect(readHeader(bytes)).toEqual(readHeader(bytes.slice()))
        expect(readHeader(bytes)).not.toEqual(header)
      }),
    )
  })

  it('LED-1 is hashed as a leaf of the tree, so that link and leaf are one', () => {
    const bytes = encodeHeader(HEADER)
    expect(eventHash(sha256, bytes)).toBe(Buffer.from(sha256(Uint8Array.of(0), bytes)).toString('hex'))
    expect(GENESIS).toBe('0'.repeat(64))
  })

  it('LED-4 is refused in every other spelling of the same header', () => {
    expect(read(TEXT)).toEqual(HEADER)
    const spellings = [
      ` ${TEXT}`,
      `${TEXT}\n`,
      `\ufeff${TEXT}`,
      TEXT.replace(',', ', '),
      TEXT.replace('"v":1', '"v":1.0'),
      TEXT.replace('"seq":3', '"seq":3e0'),
      TEXT.replace('"seq":3', '"seq":-0'),
      TEXT.replace('"seq":3', '"seq":03'),
      TEXT.replace('sam', '\\u0073am'),
      TEXT.replace('{"actor"', '{"z":1,"actor"'),
      TEXT.replace('"v":1}', '"v":1,"v":1}'),
      TEXT.replace('"v":1}', '"v":1,"__proto__":{}}'),
      TEXT.replace('"agent":"sam",', '').replace('"role"', '"agent":"sam","role"'),
      JSON.stringify(HEADER),
      JSON.stringify(HEADER, null, 1),
    ]
    for (const spelling of spellings) expect(typeof read(spelling), spelling).toBe('string')
  })

  it('LED-4 is refused with any single byte changed, unless the result is another valid header', () => {
    const bytes = encodeHeader(HEADER)
    for (let at = 0; at < bytes.length; at++) {
      for (const mask of [1, 0x20, 0x80, 0xff]) {
        const changed = bytes.map((byte, i) => (i === at ? byte ^ mask : byte))
        const found = readHeader(changed)
        if (typeof found !== 'string') expect(fromUtf8(encodeHeader(found))).toBe(fromUtf8(changed))
      }
    }
  })

  it('LED-16 is refused with a message if a value is wrong', () => {
    const bad: [string, unknown][] = [
      ['v', 2],
      ['v', '1'],
      ['protocol', 'Errand/1'],
      ['protocol', 'errand'],
      ['protocol', 'errand/0'],
      ['trace', '81KE0000000000000000000001'],
      ['trace', '01KE000000000000000000000I'],
      ['trace', '01KE00000000000000000000011'],
      ['seq', -1],
      ['seq', 1.5],
      ['seq', 2 ** 53],
      ['seq', '3'],
      ['at', '2026-01-02T03:04:05Z'],
      ['at', '2026-13-02T03:04:05.678Z'],
      ['at', '2026-01-02T24:04:05.678Z'],
      ['at', '2026-01-02T03:04:05.678+00:00'],
      ['type', 'Answer'],
      ['type', ''],
      ['type', '__proto__'],
      ['actor', null],
      ['actor', 'sam'],
      ['actor', { ...HEADER.actor, agent: 'a b' }],
      ['actor', { ...HEADER.actor, agent: '' }],
      ['actor', { ...HEADER.actor, agent: 'x\n' }],
      ['actor', { ...HEADER.actor, role: 'Seat' }],
      ['actor', { ...HEADER.actor, key: 'A'.repeat(64) }],
      ['actor', { ...HEADER.actor, key: 'a'.repeat(63) }],
      ['prev', null],
      ['prev', 'x'.repeat(64)],
      ['payload_hash', 0],
      ['registry', null],
      ['registry', { size: -1, hash: HEADER.prev }],
      ['registry', { size: 1, hash: '' }],
    ]
    for (const [field, value] of bad) {
      const header = { ...HEADER, [field]: value }
      const label = `${field} ${JSON.stringify(value)}`
      expect(typeof read(canonicalize(header)), label).toBe('string')
      try {
        encodeHeader(header)
        expect.fail(label)
      } catch (error) {
        expect(isWitanError(error, 'HEADER_INVALID'), label).toBe(true)
      }
    }
    for (const other of ['', 'null', '[]', '1', '"x"', '{}', '{"actor":[]}', '\u0000'])
      expect(typeof read(other)).toBe('string')
    expect(readHeader(Uint8Array.of(0xff, 0xfe))).toBe('header is not UTF-8')
  })

  it('APP-15 gives the outline of every header unchanged, and none for another layout', () => {
    fc.assert(
      fc.property(headers, (header) => {
        const { protocol, trace, seq, at, type, actor } = header
        const written = fromUtf8(encodeHeader(header)) ?? ''
        expect(readOutline(written)).toEqual({ protocol, trace, seq, at, type, agent: actor.agent })
        expect(readOutline(`${written} `)).toBeNull()
        expect(readOutline(written.replace('"seq":', '"seq":-'))).toBeNull()
        expect(readOutline(written.replace('"agent":"', '"agent":"a\\"'))).toBeNull()
      }),
    )
  })

  it('LED-16 never makes the reader throw', () => {
    fc.assert(fc.property(fc.uint8Array(), (bytes) => void readHeader(bytes)))
    fc.assert(fc.property(fc.json(), (json) => void read(json)))
    expect(isTraceId('01KE0000000000000000000001\n')).toBe(false)
  })
})

describe('a payload', () => {
  const refused = (payload: unknown): boolean => {
    try {
      writePayload(payload as Payload).bytes
      return false
    } catch (error) {
      if (isWitanError(error, 'CANONICAL_INVALID')) return true
      throw error
    }
  }

  it('LED-5 is read back as it was written, with any plain JSON', () => {
    const objects = fc.dictionary(
      fc.string().filter((name) => name !== 'artifacts'),
      fc.jsonValue({ noUnicodeString: false }),
    )
    fc.assert(
      fc.property(objects, (object) => {
        const payload = JSON.parse(JSON.stringify(object)) as Payload
        let bytes: Uint8Array
        try {
          bytes = writePayload(payload).bytes
        } catch (error) {
          // Lone surrogates and unsafe integers are refused; everything else is taken.
          expect(isWitanError(error, 'CANONICAL_INVALID')).toBe(true)
          return
        }
        expect(readPayload(bytes)).toEqual(payload)
      }),
    )
  })

  it('LED-5 holds no integer that a double cannot tell from its neighbour, at any depth', () => {
    const unsafe = [2 ** 53, -(2 ** 53), 1e21, -1e300]
    for (const number of unsafe) {
      for (const payload of [{ n: number }, { a: [1, { b: number }] }, { artifacts: [], x: [[[number]]] }])
        expect(refused(payload)).toBe(true)
      expect(typeof readPayload(utf8(`{"n":${number}}`))).toBe('string')
    }
    for (const number of [2 ** 53 - 1, -(2 ** 53 - 1), 0.1, 1e-300, 1.5e9, 4.9e-324])
      expect(refused({ n: number })).toBe(false)
  })

  it('LED-5 is refused with a code if it is not plain JSON, also if it is cyclic', () => {
    const cyclic: { self?: unknown } = {}
    cyclic.self = cyclic
    let deep: unknown = 1
    for (let i = 0; i < 100_000; i++) deep = [deep]
    for (const payload of [
      null,
      1,
      'x',
      [],
      { a: undefined },
      { a: 1n },
      { a: Number.NaN },
      { a: new Map() },
    ])
      expect(refused(payload)).toBe(true)
    for (const payload of [cyclic, { deep }, { a: '\ud800' }, { '\udc00': 1 }, { a: () => 1 }])
      expect(refused(payload)).toBe(true)
  })

  it('LED-5 has a size beyond which content belongs into an artifact', () => {
    const fitting = MAX_PAYLOAD_BYTES - '{"a":""}'.length
    const bytes = writePayload({ a: 'x'.repeat(fitting) }).bytes
    expect(bytes.length).toBe(MAX_PAYLOAD_BYTES)
    expect(typeof readPayload(bytes)).toBe('object')
    expect(refused({ a: 'x'.repeat(fitting + 1) })).toBe(true)
    expect(typeof readPayload(utf8(`{"a":"${'x'.repeat(fitting + 1)}"}`))).toBe('string')
  })

  it('LED-8 names artifacts only in the list at its top', () => {
    const artifact = { hash: 'a'.repeat(64), media_type: 'text/plain', size: 1, name: 'x' }
    expect(artifactsOf({ artifacts: [artifact] })).toEqual([artifact])
    expect(artifactsOf({ inner: { artifacts: [artifact] }, list: [{ artifacts: [artifact] }] })).toEqual([])
    expect(artifactsOf({})).toEqual([])
    const bad = [
      {},
      'x',
      null,
      [null],
      [1],
      [artifact, {}],
      [{ ...artifact, hash: 'A'.repeat(64) }],
      [{ ...artifact, size: -1 }],
      [{ ...artifact, size: 0.5 }],
      [{ ...artifact, name: 1 }],
      [{ ...artifact, media_type: null }],
    ]
    for (const artifacts of bad) expect(refused({ artifacts }), JSON.stringify(artifacts)).toBe(true)
  })

  it('LED-14 is committed to together with its salt', () => {
    const payload = writePayload({ a: 1 }).bytes
    const hashOf = (salt: number): string => payloadHash(sha256, new Uint8Array(16).fill(salt), payload)
    expect(hashOf(1)).toBe(Buffer.from(sha256(new Uint8Array(16).fill(1), payload)).toString('hex'))
    expect(hashOf(1)).not.toBe(hashOf(2))
  })
})
