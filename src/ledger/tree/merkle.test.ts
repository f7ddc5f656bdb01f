// Trees are checked against the recursive definition of RFC 6962, written out here a second time, and proofs
// against every way of being wrong by one: byte, index, size, length.

import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Sha256, toHex, utf8 } from '../bytes.ts'
import {
  consistencyProof,
  EMPTY_FRONTIER,
  frontierRoot,
  grow,
  inclusionProof,
  leafHash,
  treeRoot,
  verifyConsistency,
  verifyInclusion,
} from './merkle.ts'

const sha: Sha256 = (...parts) => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

const leavesOf = (count: number): Uint8Array[] =>
  Array.from({ length: count }, (_, index) => leafHash(sha, utf8(`event ${index}`)))

const definedRoot = (leaves: readonly Uint8Array[]): Uint8Array => {
  const [only] = leaves
  if (only === undefined) return sha()
  if (leaves.length === 1) return only
  const k = 2 ** Math.floor(Math.log2(leaves.length - 1))
  return sha(Uint8Array.of(1), definedRoot(leaves.slice(0, k)), definedRoot(leaves.slice(k)))
}

const flipped = (bytes: Uint8Array, at: number, bit: number): Uint8Array =>
  bytes.map((byte, index) => (index === at ? byte ^ (1 << bit) : byte))

const flip = { at: fc.nat(31), bit: fc.nat(7), pick: fc.nat(100) }

/** Which way each step from the root to the leaf goes; null when there is no such leaf. */
const turns = (index: number, size: number): string | null => {
  if (index >= size) return null
  if (size === 1) return ''
  const k = 2 ** Math.floor(Math.log2(size - 1))
  return index < k ? `l${turns(index, k)}` : `r${turns(index - k, size - k)}`
}

function included(count: number, index: number) {
  const leaves = leavesOf(count)
  const leaf = leaves[index] ?? sha()
  return { leaf, index, size: count, proof: inclusionProof(sha, leaves, index), root: treeRoot(sha, leaves) }
}

function consistent(from: number, to: number) {
  const leaves = leavesOf(to)
  const [fromRoot, toRoot] = [treeRoot(sha, leaves, from), treeRoot(sha, leaves)]
  return { from, to, fromRoot, toRoot, proof: consistencyProof(sha, leaves, from) }
}

describe('roots', () => {
  it('LED-12 are those of RFC 6962, from the empty tree on', () => {
    expect(toHex(treeRoot(sha, []))).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
    expect(toHex(leafHash(sha, utf8('')))).toBe(
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    )
    for (let size = 0; size <= 70; size++) {
      expect(treeRoot(sha, leavesOf(70), size)).toStrictEqual(definedRoot(leavesOf(size)))
    }
  })

  it('LED-12 grow leaf by leaf or in batches without touching the frontier they came from', () => {
    const leaves = leavesOf(130)
    let frontier = EMPTY_FRONTIER
    for (const [index, leaf] of leaves.entries()) {
      const before = frontierRoot(sha, frontier)
      const next = grow(sha, frontier, [leaf])
      expect(frontierRoot(sha, frontier)).toStrictEqual(before)
      expect(frontierRoot(sha, next)).toStrictEqual(treeRoot(sha, leaves, index + 1))
      frontier = next
    }
    const batched = grow(sha, grow(sha, EMPTY_FRONTIER, leaves.slice(0, 77)), leaves.slice(77))
    expect(batched).toStrictEqual(frontier)
    expect(EMPTY_FRONTIER).toStrictEqual({ size: 0, hashes: [] })
  })
})

describe('inclusion', () => {
  it('LED-12 proves every leaf of every tree up to 33 leaves', () => {
    for (let size = 1; size <= 33; size++) {
      for (let index = 0; index < size; index++)
        expect(verifyInclusion(sha, included(size, index))).toBe(true)
    }
  })

  it('LED-12 fails for any changed byte, index, size or proof length', () => {
    const sized = fc
      .integer({ min: 2, max: 200 })
      .chain((size) => fc.tuple(fc.constant(size), fc.nat(size - 1)))
    fc.assert(
      fc.property(sized, fc.record(flip), fc.nat(300), ([size, index], { at, bit, pick }, other) => {
        const claim = included(size, index)
        const { proof } = claim
        const bent = proof.map((hash, i) => (i === pick % proof.length ? flipped(hash, at, bit) : hash))
        expect(verifyInclusion(sha, claim)).toBe(true)
        expect(verifyInclusion(sha, { ...claim, proof: bent })).toBe(false)
        expect(verifyInclusion(sha, { ...claim, leaf: flipped(claim.leaf, at, bit) })).toBe(false)
        expect(verifyInclusion(sha, { ...claim, root: flipped(claim.root, at, bit) })).toBe(false)
        expect(verifyInclusion(sha, { ...claim, proof: proof.slice(1) })).toBe(false)
        expect(verifyInclusion(sha, { ...claim, proof: proof.slice(0, -1) })).toBe(false)
        expect(verifyInclusion(sha, { ...claim, proof: [...proof, sha()] })).toBe(false)
        expect(verifyInclusion(sha, { ...claim, proof: [sha(), ...proof] })).toBe(false)
        if (other !== index) expect(verifyInclusion(sha, { ...claim, index: other })).toBe(false)
        // Sizes that put the leaf at the end of the same path cannot be told apart by it: the signed head does.
        const samePath = turns(index, other) === turns(index, size)
        expect(verifyInclusion(sha, { ...claim, size: other })).toBe(samePath)
      }),
    )
  })

  it('LED-12 answers hostile numbers and hashes with false', () => {
    const claim = included(7, 3)
    for (const bad of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, 2 ** 64]) {
      expect(verifyInclusion(sha, { ...claim, size: bad })).toBe(false)
      expect(verifyInclusion(sha, { ...claim, index: bad })).toBe(false)
    }
    expect(verifyInclusion(sha, { ...claim, size: 0, index: 0 })).toBe(false)
    expect(verifyInclusion(sha, { ...claim, leaf: new Uint8Array(31) })).toBe(false)
    expect(verifyInclusion(sha, { ...claim, root: new Uint8Array(0) })).toBe(false)
    expect(verifyInclusion(sha, { ...claim, proof: claim.proof.map((hash) => hash.subarray(1)) })).toBe(false)
    expect(verifyInclusion(sha, { ...claim, proof: new Array<Uint8Array>(5000).fill(sha()) })).toBe(false)
  })

  it('LED-12 does not confuse sizes that agree in their low 32 bits', () => {
    const claim = included(5, 4)
    expect(verifyInclusion(sha, { ...claim, size: 2 ** 32 + 5 })).toBe(false)
    expect(verifyInclusion(sha, { ...claim, index: 2 ** 32 + 4, size: 2 ** 32 + 5 })).toBe(false)
    // The last leaf of a tree of 2^52 + 1 leaves hangs directly below the root.
    const [leaf, left] = [sha(utf8('leaf')), sha(utf8('left'))]
    const root = sha(Uint8Array.of(1), left, leaf)
    expect(verifyInclusion(sha, { leaf, index: 2 ** 52, size: 2 ** 52 + 1, proof: [left], root })).toBe(true)
  })
})

describe('consistency', () => {
  it('LED-12 proves every prefix of every tree up to 33 leaves', () => {
    for (let to = 1; to <= 33; to++) {
      for (let from = 1; from <= to; from++) expect(verifyConsistency(sha, consistent(from, to))).toBe(true)
    }
  })

  it('LED-12 fails for any changed byte, root or proof length', () => {
    const sized = fc
      .integer({ min: 2, max: 200 })
      .chain((to) => fc.tuple(fc.integer({ min: 1, max: to - 1 }), fc.constant(to)))
    fc.assert(
      fc.property(sized, fc.record(flip), ([from, to], { at, bit, pick }) => {
        const claim = consistent(from, to)
        const { proof } = claim
        const bent = proof.map((hash, i) => (i === pick % proof.length ? flipped(hash, at, bit) : hash))
        expect(verifyConsistency(sha, claim)).toBe(true)
        expect(verifyConsistency(sha, { ...claim, proof: bent })).toBe(false)
        expect(verifyConsistency(sha, { ...claim, fromRoot: flipped(claim.fromRoot, at, bit) })).toBe(false)
        expect(verifyConsistency(sha, { ...claim, toRoot: flipped(claim.toRoot, at, bit) })).toBe(false)
        expect(verifyConsistency(sha, { ...claim, fromRoot: claim.toRoot, toRoot: claim.fromRoot })).toBe(
          false,
        )
        expect(verifyConsistency(sha, { ...claim, proof: proof.slice(1) })).toBe(false)
        expect(verifyConsistency(sha, { ...claim, proof: [...proof, sha()] })).toBe(false)
        expect(verifyConsistency(sha, { ...claim, from: to, to: from })).toBe(false)
        expect(verifyConsistency(sha, { ...claim, to: from })).toBe(false)
        expect(verifyConsistency(sha, { ...claim, from: 0 })).toBe(false)
      }),
    )
  })

  it('LED-12 finds a rewritten history, no matter what proof is offered', () => {
    const honest = leavesOf(20)
    const forged = honest.map((leaf, index) => (index === 3 ? sha(utf8('forged')) : leaf))
    const fromRoot = treeRoot(sha, honest, 12)
    const toRoot = treeRoot(sha, forged)
    for (const leaves of [honest, forged]) {
      const proof = consistencyProof(sha, leaves, 12)
      expect(verifyConsistency(sha, { from: 12, to: 20, fromRoot, toRoot, proof })).toBe(false)
    }
  })

  it('LED-12 answers hostile numbers and hashes with false, and an empty tree proves nothing', () => {
    const claim = consistent(3, 7)
    for (const bad of [-1, 0, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
      expect(verifyConsistency(sha, { ...claim, from: bad })).toBe(false)
      expect(verifyConsistency(sha, { ...claim, to: bad })).toBe(false)
    }
    const empty = { from: 0, to: 0, fromRoot: sha(), toRoot: sha(), proof: [] }
    expect(verifyConsistency(sha, empty)).toBe(false)
    expect(verifyConsistency(sha, { ...claim, proof: [] })).toBe(false)
    expect(verifyConsistency(sha, { ...claim, proof: claim.proof.map((hash) => hash.subarray(1)) })).toBe(
      false,
    )
    expect(verifyConsistency(sha, { ...consistent(4, 7), fromRoot: new Uint8Array(33) })).toBe(false)
  })
})

describe('proof makers', () => {
  it('LED-12 name the position they do not have', () => {
    const leaves = leavesOf(5)
    const code = expect.objectContaining({ code: 'EVENT_NOT_FOUND' })
    expect(() => inclusionProof(sha, leaves, 5)).toThrow(code)
    expect(() => inclusionProof(sha, leaves, 3, 3)).toThrow(code)
    expect(() => inclusionProof(sha, leaves, -1)).toThrow(code)
    expect(() => consistencyProof(sha, leaves, 0)).toThrow(code)
    expect(() => consistencyProof(sha, leaves, 4, 3)).toThrow(code)
    expect(() => treeRoot(sha, leaves, 6)).toThrow(code)
  })
})
