// What is written is read back as it was, and no line with a changed, missing or added byte is read as the same.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { equalBytes, utf8 } from '../bytes.ts'
import { canonicalize } from '../canonical.ts'
import { isWitanError } from '../errors.ts'
import type { Bundle, Section } from './bundle.ts'
import { BUNDLE_FORMAT, BundleReader, bundleLines } from './lines.ts'

const hash = fc.stringMatching(/^[0-9a-f]{64}$/)
const trace = fc.stringMatching(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/)
const text = fc.string({ unit: 'binary' })
const bytes = (max: number) => fc.uint8Array({ maxLength: max })

const carried = fc.record({
  event: fc.record({
    header: text.map(utf8),
    hash,
    signature: bytes(64),
    payload: fc.option(text.map(utf8)),
    salt: fc.option(bytes(16)),
  }),
  proof: fc.array(hash, { maxLength: 3 }),
})

const section: fc.Arbitrary<Section> = fc.record({
  trace,
  form: fc.constantFrom('whole' as const, 'sparse' as const),
  checkpoint: fc.option(text),
  events: fc.array(carried, { maxLength: 4 }),
  positions: fc.array(fc.record({ size: fc.nat(), hash, proof: fc.array(hash, { maxLength: 2 }) }), {
    maxLength: 2,
  }),
  earlier: fc.option(fc.record({ note: text, proof: fc.array(hash, { maxLength: 2 }) })),
})

const bundles: fc.Arbitrary<Bundle> = fc
  .record({
    content: fc.constantFrom('full' as const, 'none' as const),
    registry: section,
    ancestors: fc.array(section, { maxLength: 2 }),
    main: section,
    omitted: fc.array(hash, { maxLength: 2 }),
  })
  .map((parts) => ({ ...parts, trace: parts.main.trace }))

function read(lines: Iterable<string>): Bundle {
  const reader = new BundleReader()
  for (const line of lines) {
    const foreign = reader.take(utf8(line))
    if (foreign) throw new Error(`not taken: ${line}`)
  }
  return reader.finish()
}

/** The code with which the lines are refused, or what they say. */
function outcome(lines: readonly Uint8Array[]): string {
  const reader = new BundleReader()
  const foreign: string[] = []
  try {
    for (const line of lines) {
      const record = reader.take(line)
      if (record) foreign.push(canonicalize(record))
    }
    return [...bundleLines(reader.finish()), ...foreign].join('\n')
  } catch (error) {
    if (isWitanError(error)) return error.code
    throw error
  }
}

const E = 'e'.repeat(64)
const SAMPLE: Bundle = {
  trace: '01KE0000000000000000000001',
  content: 'full',
  registry: {
    trace: '01KE0000000000000000000000',
    form: 'sparse',
    checkpoint: 'a note\n',
    events: [
      {
        event: {
          header: utf8('{"v":1}'),
          hash: E,
          signature: new Uint8Array(64).fill(1),
          payload: utf8('{"ä":"\\n"}'),
          salt: new Uint8Array(16).fill(2),
        },
        proof: [E],
      },
    ],
    positions: [{ size: 1, hash: E, proof: [] }],
    earlier: { note: 'older\n', proof: [E] },
  },
  ancestors: [],
  main: {
    trace: '01KE0000000000000000000001',
    form: 'whole',
    checkpoint: null,
    events: [
      {
        event: { header: utf8('{}'), hash: E, signature: new Uint8Array(), payload: null, salt: null },
        proof: [],
      },
    ],
    positions: [],
    earlier: null,
  },
  omitted: [E],
}

describe('the lines of a bundle', () => {
  it('VER-7 are read back as they were written', () => {
    fc.assert(
      fc.property(bundles, (bundle) => {
        expect(read(bundleLines(bundle))).toEqual(bundle)
      }),
    )
  })

  it('VER-7 hold the registry once if the bundle is about the registry', () => {
    const bundle = { ...SAMPLE, registry: SAMPLE.main, omitted: [] }
    const again = read(bundleLines(bundle))
    expect(again.registry).toBe(again.main)
    expect(again).toEqual(bundle)
  })

  it('LED-4 are refused or read differently with any byte changed, missing or added', () => {
    const lines = [...bundleLines(SAMPLE)].map(utf8)
    const original = outcome(lines)
    let tried = 0
    for (const [i, line] of lines.entries()) {
      for (let at = 0; at <= line.length; at++) {
        const [before, after] = [line.subarray(0, at), line.subarray(at)]
        const variants = [1, 2, 4, 8, 16, 32, 64, 128].map((bit) =>
          line.map((byte, place) => (place === at ? byte ^ bit : byte)),
        )
        variants.push(Uint8Array.from([...before, ...after.subarray(1)]))
        for (const extra of [0x20, 0x30, 0x61, 0x0a, 0xff])
          variants.push(Uint8Array.from([...before, extra, ...after]))
        for (const variant of variants) {
          if (equalBytes(variant, line)) continue
          tried++
          expect(outcome(lines.with(i, variant)), `${i} ${at}`).not.toBe(original)
        }
      }
    }
    expect(tried).toBeGreaterThan(15_000)
  })

  it('LED-16 are refused with a code when they are not in form', () => {
    const first = canonicalize({ content: 'full', trace: SAMPLE.trace, witan: BUNDLE_FORMAT })
    const open = (changed: object = {}) =>
      canonicalize({
        checkpoint: null,
        earlier: null,
        form: 'whole',
        section: 'main',
        trace: SAMPLE.trace,
        ...changed,
      })
    const event = (changed: object = {}) =>
      canonicalize({ event: '{}', hash: E, payload: null, proof: [], salt: null, signature: '', ...changed })
    const cases: [string, string[]][] = [
      ['BUNDLE_INVALID', [first]],
      ['BUNDLE_FOREIGN', ['']],
      ['BUNDLE_FOREIGN', ['{}']],
      ['BUNDLE_FOREIGN', ['not JSON']],
      ['BUNDLE_FOREIGN', [canonicalize({ witan: 'bundle/2' })]],
      ['BUNDLE_INVALID', [canonicalize({ content: 'some', trace: SAMPLE.trace, witan: BUNDLE_FORMAT })]],
      ['BUNDLE_INVALID', [canonicalize({ content: 'full', trace: 'x', witan: BUNDLE_FORMAT })]],
      [
        'BUNDLE_INVALID',
        [canonicalize({ content: 'full', trace: SAMPLE.trace, witan: BUNDLE_FORMAT, x: 1 })],
      ],
      ['BUNDLE_INVALID', [first, event()]],
      ['BUNDLE_INVALID', [first, open(), open()]],
      ['BUNDLE_INVALID', [first, open({ trace: '01KE0000000000000000000009' })]],
      ['BUNDLE_INVALID', [first, open(), '[]']],
      ['BUNDLE_INVALID', [first, open(), 'null']],
      ['BUNDLE_INVALID', [first, open(), '{"omitted":"x"}']],
      ['BUNDLE_INVALID', [first, open(), canonicalize({ omitted: E, x: 1 })]],
      ...[
        { form: 'half' },
        { section: 'other' },
        { section: 1 },
        { trace: 'x' },
        { checkpoint: 1 },
        { x: 1 },
        { positions: [] },
        { earlier: {} },
        { earlier: { note: 'x', proof: [], x: 1 } },
      ].map((changed): [string, string[]] => ['BUNDLE_INVALID', [first, open(changed)]]),
      ['BUNDLE_INVALID', [first, canonicalize({ position: 1, hash: E, proof: [] })]],
      ...[
        { position: -1, hash: E, proof: [] },
        { position: 1, hash: 'x', proof: [] },
        { position: 1, hash: E, proof: ['x'] },
        { position: 1, hash: E, proof: [], x: 1 },
      ].map((position): [string, string[]] => ['BUNDLE_INVALID', [first, open(), canonicalize(position)]]),
      ...[
        { event: 1 },
        { hash: 'x' },
        { hash: E.toUpperCase() },
        { payload: 1 },
        { proof: null },
        { proof: [1] },
        { salt: 'x' },
        { salt: 'AB' },
        { salt: 1 },
        { signature: 'abc' },
        { signature: null },
        { x: 1 },
      ].map((changed): [string, string[]] => ['BUNDLE_INVALID', [first, open(), event(changed)]]),
    ]
    for (const [code, lines] of cases) expect(outcome(lines.map(utf8)), lines.join('\n')).toBe(code)
    expect(outcome([first, open(), event()].map(utf8))).toContain(SAMPLE.trace)
  })
})
