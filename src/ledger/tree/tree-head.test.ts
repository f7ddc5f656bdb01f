// What a checkpoint of ours says, and that it says it in one way only.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sha256 } from '../../stores/digest.ts'
import { toBase64, toHex, utf8 } from '../bytes.ts'
import { isWitanError } from '../errors.ts'
import { composeNote, noteSignature } from './checkpoint.ts'
import { leafHash, treeRoot } from './merkle.ts'
import {
  agrees,
  count,
  EMPTY_TALLY,
  hashBytes,
  type Roots,
  readTreeHead,
  rootsAt,
  treeHeadText,
  tryTreeHead,
} from './tree-head.ts'

const REGISTRY = '01KE0000000000000000000000'
const TRACE = '01KE0000000000000000000001'

const events = (size: number) =>
  Array.from({ length: size }, (_, i) => ({
    hash: toHex(sha256(utf8(`event ${i}`))),
    signature: sha256(utf8(`signature ${i}`)),
    isKeyEvent: i % 3 === 0,
  }))

const signed = (text: string): string =>
  composeNote(text, [noteSignature(sha256, REGISTRY, new Uint8Array(32).fill(9), new Uint8Array(64))])

const headOf = (size: number, trace = TRACE) =>
  readTreeHead(signed(treeHeadText(sha256, REGISTRY, trace, count(sha256, EMPTY_TALLY, events(size)))))

const rootsOf = (some: ReturnType<typeof events>): Roots => {
  const roots = rootsAt(sha256, some, [some.length]).get(some.length)
  if (!roots) throw new Error('there are none')
  return roots
}

describe('a checkpoint of a trace', () => {
  it('LED-12 says size, root and signatures, and of the registry also the events about keys', () => {
    const head = headOf(7)
    const leaves = events(7).map((event) => hashBytes(event.hash))
    expect(head).toMatchObject({ origin: `${REGISTRY}/${TRACE}`, registry: REGISTRY, trace: TRACE, size: 7 })
    expect(toHex(head.root)).toBe(toHex(treeRoot(sha256, leaves)))
    const signatures = events(7).map((event) => leafHash(sha256, event.signature))
    expect(head.signaturesRoot).toBe(toBase64(treeRoot(sha256, signatures)))
    expect(head.keys).toBe(null)
    const keyLeaves = leaves.filter((_, i) => i % 3 === 0)
    expect(headOf(7, REGISTRY).keys).toEqual({ count: 3, root: toBase64(treeRoot(sha256, keyLeaves)) })
  })

  it('LED-12 is the same whether events are counted at once or one by one', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 8 }), (batches) => {
        const all = events(batches.reduce((sum, size) => sum + size, 0))
        let [tally, at] = [EMPTY_TALLY, 0]
        for (const size of batches) {
          tally = count(sha256, tally, all.slice(at, at + size))
          at += size
        }
        expect(tally).toEqual(count(sha256, EMPTY_TALLY, all))
      }),
    )
  })

  it('LED-12 agrees with its own events and with no others', () => {
    const head = headOf(5)
    expect(agrees(head, rootsOf(events(5)))).toBe(true)
    expect(agrees(head, rootsOf(events(4)))).toBe(false)
    expect(agrees(head, rootsOf(events(6)))).toBe(false)
    for (let i = 0; i < 5; i++) {
      const other = events(5).map((e, at) => (at === i ? { ...e, hash: 'f'.repeat(64) } : e))
      expect(agrees(head, rootsOf(other))).toBe(false)
      const swapped = events(5).map((e, at) => (at === i ? { ...e, signature: new Uint8Array(64) } : e))
      expect(agrees(head, rootsOf(swapped))).toBe(false)
      const none = events(5).map((e, at) => (at === i ? { ...e, hash: 'none' } : e))
      expect(agrees(head, rootsOf(none))).toBe(false)
    }
  })

  it('LED-12 costs one walk however many there are, and each has the root of its size', () => {
    const all = events(200)
    let hashed = 0
    const counting: typeof sha256 = (...parts) => {
      hashed++
      return sha256(...parts)
    }
    const sizes = [200, 0, 999, ...all.keys()]
    const roots = rootsAt(counting, all, sizes)
    expect(roots.size).toBe(201)
    // Two trees, in each a leaf, a node and a path of at most eight for every size.
    expect(hashed).toBeLessThan(200 * 2 * 10)
    for (const size of [0, 1, 2, 7, 128, 199, 200]) expect(roots.get(size)).toEqual(rootsOf(events(size)))
  })

  it('LED-12 is refused with the reason when it is not one of ours', () => {
    const base = treeHeadText(sha256, REGISTRY, TRACE, count(sha256, EMPTY_TALLY, events(3)))
    const registry = treeHeadText(sha256, REGISTRY, REGISTRY, count(sha256, EMPTY_TALLY, events(3)))
    const keys = registry.split('\n')[4] ?? ''
    const bad = [
      base.replace(REGISTRY, 'example.com'),
      base.replace(`/${TRACE}`, ''),
      base.replace(TRACE, `${TRACE}/x`),
      base.replace('signatures ', 'signature '),
      base.replace(/signatures .*\n/, ''),
      base.replace(/(signatures .*)=\n/, '$1\n'),
      `${base}${keys}\n`,
      registry.replace(`${keys}\n`, ''),
      registry.replace('keys 1', 'keys 01'),
      registry.replace('keys 1', 'keys -1'),
      `${registry.split('\n').slice(0, 3).join('\n')}\n${keys}\n${registry.split('\n')[3]}\n`,
    ]
    for (const text of bad) {
      const found = tryTreeHead(signed(text))
      expect(typeof found, text).toBe('string')
    }
    expect(typeof tryTreeHead(signed(base))).toBe('object')
    expect(typeof tryTreeHead(signed(registry))).toBe('object')
    expect(typeof tryTreeHead('')).toBe('string')
  })

  it('LED-12 is never made over a value that is not a hash', () => {
    try {
      count(sha256, EMPTY_TALLY, [{ hash: 'x', signature: new Uint8Array(64), isKeyEvent: false }])
      expect.fail('counted')
    } catch (error) {
      expect(isWitanError(error, 'HEADER_INVALID')).toBe(true)
    }
  })
})
