// A folded state as bytes that can be checked before they are trusted. It names the trace and the head it was
// folded to, the registry it was judged by, the form of the state and the tree so far, all under the
// registrar's signature: someone who can write to a store without that key can lose or withhold snapshots,
// but not make one. A snapshot is a cache: no verifier reads it, and nothing is proven by it.

import { fromBase64, fromHex, fromUtf8, toBase64, toHex, utf8 } from './bytes.ts'
import { canonicalize, type Json } from './canonical.ts'
import type { RegistryPosition } from './event.ts'
import type { Tip } from './signing.ts'
import { EMPTY_FRONTIER, type Frontier } from './tree/merkle.ts'
import type { Tally } from './tree/tree-head.ts'

export interface Snapshot {
  readonly v: 1
  readonly protocol: string
  /** Of the state. */
  readonly form: string
  readonly trace: string
  readonly tip: Tip
  readonly registry: RegistryPosition
  /** Subtree roots over events and signatures, largest first. */
  readonly events: readonly string[]
  readonly signatures: readonly string[]
  readonly state: Json
}

/** As stored: nothing of the body has been read yet. */
export interface SignedSnapshot {
  readonly key: string
  readonly signature: Uint8Array
  readonly body: Uint8Array
}

const NEWLINE = 10

export const snapshotBody = (snapshot: Snapshot): Uint8Array => utf8(canonicalize(snapshot))

/** One line with key and signature, then the body. */
export function encodeSnapshot({ key, signature, body }: SignedSnapshot): Uint8Array {
  const line = utf8(`${key} ${toBase64(signature)}\n`)
  const out = new Uint8Array(line.length + body.length)
  out.set(line)
  out.set(body, line.length)
  return out
}

/** Null when it is none. */
export function decodeSnapshot(bytes: Uint8Array): SignedSnapshot | null {
  const end = bytes.indexOf(NEWLINE)
  const [key = '', base64 = '', ...more] = fromUtf8(bytes.subarray(0, Math.max(end, 0)))?.split(' ') ?? []
  const signature = fromBase64(base64)
  if (end < 0 || !signature || more.length > 0) return null
  return { key, signature, body: bytes.subarray(end + 1) }
}

/** For a body whose signature was verified; its signer wrote it with `snapshotBody`. */
export const readSnapshot = (body: Uint8Array): Snapshot => JSON.parse(fromUtf8(body) ?? 'null') as Snapshot

export const peaksOf = ({ hashes }: Frontier): readonly string[] => hashes.map(toHex)

const frontier = (size: number, peaks: readonly string[]): Frontier => ({
  size,
  hashes: peaks.map((peak) => fromHex(peak, 32) ?? new Uint8Array()),
})

export const tallyOf = ({ tip: { size }, events, signatures }: Snapshot): Tally => ({
  events: frontier(size, events),
  signatures: frontier(size, signatures),
  keyEvents: EMPTY_FRONTIER,
})
