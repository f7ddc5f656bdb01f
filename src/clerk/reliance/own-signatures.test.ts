import { describe, expect, it } from 'vitest'
import { testPorts } from '../../../test/support/ports.ts'
import type { SealedEvent } from '../../ledger/event.ts'
import { MemoryStore } from '../../stores/memory.ts'
import { isOwnSignature, rememberSignatures } from './own-signatures.ts'

const ports = () => testPorts(new MemoryStore())
const sealed = (n: number, signature: Uint8Array = new Uint8Array(64).fill(n % 251)): SealedEvent => ({
  header: new Uint8Array(),
  hash: n.toString(16).padStart(64, '0'),
  signature,
  payload: null,
  salt: null,
})
const many = (from: number, to: number): SealedEvent[] =>
  Array.from({ length: to - from }, (_, i) => sealed(from + i))

describe('a signature that this process made', () => {
  it('LED-3 is recognised by its maker, to the last byte, and by no other', () => {
    const [ours, theirs] = [ports(), ports()]
    rememberSignatures(ours, [sealed(1), sealed(2)])
    expect([sealed(1), sealed(2), sealed(3)].map((event) => isOwnSignature(ours, event))).toEqual([
      true,
      true,
      false,
    ])
    expect(isOwnSignature(theirs, sealed(1))).toBe(false)
    const changed = sealed(1).signature.map((byte, i) => (i === 63 ? byte ^ 1 : byte))
    for (const signature of [changed, sealed(2).signature, new Uint8Array(), changed.subarray(0, 63)])
      expect(isOwnSignature(ours, sealed(1, signature))).toBe(false)
  })

  it('is remembered for one generation, and forgotten after two', () => {
    const ours = ports()
    const known = (n: number): boolean => isOwnSignature(ours, sealed(n))
    rememberSignatures(ours, many(0, 8_192))
    rememberSignatures(ours, many(8_192, 16_383))
    expect([known(0), known(1_023), known(2_046)]).toEqual([true, true, true])
    rememberSignatures(ours, many(16_383, 16_384))
    expect([known(0), known(8_191), known(8_192), known(16_383)]).toEqual([false, false, true, true])
  })
})
