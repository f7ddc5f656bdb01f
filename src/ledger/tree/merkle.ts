// RFC 6962 trees over leaf hashes of 32 bytes. Outside claims are answered with true or false, never with an
// exception: sizes, indexes and proofs may be an attacker's. Sizes reach 2^53 - 1, so they are halved by
// arithmetic; 32-bit operators would let a huge size wrap around to a small one.

import { equalBytes, type Sha256 } from '../bytes.ts'
import { WitanError } from '../errors.ts'

/** The roots of the complete subtrees of a tree, largest first: all that is needed to extend it. */
export interface Frontier {
  readonly size: number
  readonly hashes: readonly Uint8Array[]
}

/** That a leaf is at an index of a tree. */
export interface InclusionClaim {
  readonly leaf: Uint8Array
  readonly index: number
  readonly size: number
  readonly proof: readonly Uint8Array[]
  readonly root: Uint8Array
}

/** That the tree of one size is the beginning of the tree of another. */
export interface ConsistencyClaim {
  readonly from: number
  readonly to: number
  readonly fromRoot: Uint8Array
  readonly toRoot: Uint8Array
  readonly proof: readonly Uint8Array[]
}

const LEAF = Uint8Array.of(0)
const NODE = Uint8Array.of(1)

export const leafHash = (sha: Sha256, data: Uint8Array): Uint8Array => sha(LEAF, data)

export const EMPTY_FRONTIER: Frontier = { size: 0, hashes: [] }

/** The frontier after `leaves`; the given one does not change, so a failed append needs no undo. */
export function grow(sha: Sha256, frontier: Frontier, leaves: readonly Uint8Array[]): Frontier {
  const hashes = frontier.hashes.slice()
  let size = frontier.size
  for (const leaf of leaves) push(sha, hashes, size++, leaf)
  return { size, hashes }
}

export const frontierRoot = (sha: Sha256, frontier: Frontier): Uint8Array => fold(sha, frontier.hashes)

/** The root over the first `size` leaf hashes. */
export function treeRoot(sha: Sha256, leaves: readonly Uint8Array[], size = leaves.length): Uint8Array {
  if (!isSize(size) || size > leaves.length) throw outside(size, leaves.length)
  return rangeRoot(sha, leaves, 0, size)
}

/** The audit path of leaf `index` in the tree of the first `size` leaves, deepest sibling first. */
export function inclusionProof(
  sha: Sha256,
  leaves: readonly Uint8Array[],
  index: number,
  size = leaves.length,
): Uint8Array[] {
  if (!isSize(size) || size > leaves.length) throw outside(size, leaves.length)
  return [...inclusionProofs(sha, leaves.slice(0, size))(index)]
}

/** Many audit paths of one tree: common parts are computed once. */
export function inclusionProofs(
  sha: Sha256,
  leaves: readonly Uint8Array[],
): (index: number) => readonly Uint8Array[] {
  const known = new Map<string, Uint8Array>()
  function root(start: number, end: number): Uint8Array {
    if (end - start === 1) return leaves[start] as Uint8Array
    const name = `${start}-${end}`
    const middle = start + split(end - start)
    const hash = known.get(name) ?? sha(NODE, root(start, middle), root(middle, end))
    known.set(name, hash)
    return hash
  }
  function path(index: number, start: number, end: number): Uint8Array[] {
    if (end - start === 1) return []
    const middle = start + split(end - start)
    if (index < middle) return [...path(index, start, middle), root(middle, end)]
    return [...path(index, middle, end), root(start, middle)]
  }
  return (index) => {
    if (!isSize(index) || index >= leaves.length) throw outside(index, leaves.length)
    return path(index, 0, leaves.length)
  }
}

/** Proof that the tree of the first `to` leaves begins with that of the first `from`. There is none from 0. */
export function consistencyProof(
  sha: Sha256,
  leaves: readonly Uint8Array[],
  from: number,
  to = leaves.length,
): Uint8Array[] {
  if (!isSize(to) || to > leaves.length) throw outside(to, leaves.length)
  if (!isSize(from) || from < 1 || from > to) throw outside(from, to)
  const proof: Uint8Array[] = []
  let start = 0
  let end = to
  while (end !== from) {
    const middle = start + split(end - start)
    if (from <= middle) {
      proof.push(rangeRoot(sha, leaves, middle, end))
      end = middle
    } else {
      proof.push(rangeRoot(sha, leaves, start, middle))
      start = middle
    }
  }
  // When the old tree is itself a subtree of the new one, its root is known to anyone who checks.
  if (start > 0) proof.push(rangeRoot(sha, leaves, start, end))
  return proof.reverse()
}

/** Whether the proof of an inclusion holds, by RFC 6962. */
export function verifyInclusion(sha: Sha256, claim: InclusionClaim): boolean {
  const { leaf, index, size, proof, root } = claim
  if (!isSize(index) || !isSize(size) || index >= size) return false
  if (!areHashes([leaf, root]) || !areHashes(proof)) return false
  let node = index
  let last = size - 1
  let hash = leaf
  for (const sibling of proof) {
    if (last === 0) return false
    if (node % 2 === 1 || node === last) {
      hash = sha(NODE, sibling, hash)
      while (node % 2 === 0 && node !== 0) {
        node = half(node)
        last = half(last)
      }
    } else {
      hash = sha(NODE, hash, sibling)
    }
    node = half(node)
    last = half(last)
  }
  return last === 0 && equalBytes(hash, root)
}

/**
 * Whether the proof that one tree begins with another is valid, by RFC 6962. False from an empty tree: everything
 * extends it, so such a claim would say nothing and look like assurance.
 */
export function verifyConsistency(sha: Sha256, claim: ConsistencyClaim): boolean {
  const { from, to, fromRoot, toRoot, proof } = claim
  if (!isSize(from) || !isSize(to) || from < 1 || from > to) return false
  // Nothing is hashed here, so the roots are compared as they came, regardless of their length.
  if (from === to) return proof.length === 0 && equalBytes(fromRoot, toRoot)
  if (!areHashes([fromRoot, toRoot]) || !areHashes(proof)) return false
  let node = from - 1
  let last = to - 1
  while (node % 2 === 1) {
    node = half(node)
    last = half(last)
  }
  const path = node === 0 ? [fromRoot, ...proof] : proof
  const first = path[0]
  if (first === undefined) return false
  let older = first
  let newer = first
  for (const sibling of path.slice(1)) {
    if (last === 0) return false
    if (node % 2 === 1 || node === last) {
      older = sha(NODE, sibling, older)
      newer = sha(NODE, sibling, newer)
      while (node % 2 === 0 && node !== 0) {
        node = half(node)
        last = half(last)
      }
    } else {
      newer = sha(NODE, newer, sibling)
    }
    node = half(node)
    last = half(last)
  }
  return last === 0 && equalBytes(older, fromRoot) && equalBytes(newer, toRoot)
}

/** One subtree is merged for every trailing one bit of the size before the leaf. */
function push(sha: Sha256, hashes: Uint8Array[], size: number, leaf: Uint8Array): void {
  let hash = leaf
  for (let rest = size; rest % 2 === 1; rest = half(rest)) {
    const left = hashes.pop()
    if (left === undefined) throw new RangeError('a frontier whose hashes do not fit its size')
    hash = sha(NODE, left, hash)
  }
  hashes.push(hash)
}

function fold(sha: Sha256, hashes: readonly Uint8Array[]): Uint8Array {
  return hashes.length === 0 ? sha() : hashes.reduceRight((right, left) => sha(NODE, left, right))
}

const rangeRoot = (sha: Sha256, leaves: readonly Uint8Array[], start: number, end: number): Uint8Array =>
  frontierRoot(sha, grow(sha, EMPTY_FRONTIER, leaves.slice(start, end)))

/** The largest power of two below `size`. */
function split(size: number): number {
  let power = 1
  while (power * 2 < size) power *= 2
  return power
}

const half = (size: number): number => Math.floor(size / 2)

const isSize = (value: number): boolean => Number.isSafeInteger(value) && value >= 0

const areHashes = (values: readonly Uint8Array[]): boolean =>
  Array.isArray(values) && values.every((value) => value instanceof Uint8Array && value.length === 32)

const outside = (wanted: number, size: number): WitanError =>
  new WitanError(
    'EVENT_NOT_FOUND',
    `There is no position ${wanted} in a tree of ${size} events.`,
    'Name an event that the trace holds.',
  )
