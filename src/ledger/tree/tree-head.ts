// The content of a Witan checkpoint: how long a trace was, its root, its signatures, and for the registry
// also its key events, so that an extract of the registry cannot omit a revocation. The signature of an event
// is not part of its hash; without the `signatures` line someone could swap it without changing the tree.

import { claimedHash, fromHex, type Sha256, toBase64, toHex } from '../bytes.ts'
import { WitanError } from '../errors.ts'
import { GENESIS, isTraceId } from '../event.ts'
import { type Checkpoint, checkpointText, parseCheckpoint } from './checkpoint.ts'
import { EMPTY_FRONTIER, type Frontier, frontierRoot, grow, leafHash } from './merkle.ts'

/** The growing commitments over one trace, enough to sign a checkpoint without reading the trace again. */
export interface Tally {
  readonly events: Frontier
  readonly signatures: Frontier
  readonly keyEvents: Frontier
}

/** A checkpoint of a trace, as it is recorded and printed. */
export interface TraceCheckpoint extends Checkpoint {
  readonly note: string
  readonly registry: string
  readonly trace: string
  readonly signaturesRoot: string
  readonly keys: { readonly count: number; readonly root: string } | null
}

export const EMPTY_TALLY: Tally = {
  events: EMPTY_FRONTIER,
  signatures: EMPTY_FRONTIER,
  keyEvents: EMPTY_FRONTIER,
}

/** The counts of a trace, and the hash of the last event in it. */
export interface Counted {
  readonly tally: Tally
  readonly hash: string
}

export const NOTHING_COUNTED: Counted = { tally: EMPTY_TALLY, hash: GENESIS }

/** The 32 bytes of a hash that was checked before. */
export function hashBytes(hash: string): Uint8Array {
  const bytes = fromHex(hash, 32)
  if (!bytes)
    throw new WitanError(
      'HEADER_INVALID',
      `${hash} is not a SHA-256 hash`,
      'Report this: it is a fault in Witan.',
    )
  return bytes
}

export function count(
  sha256: Sha256,
  tally: Tally,
  events: readonly { readonly hash: string; readonly signature: Uint8Array; readonly isKeyEvent: boolean }[],
): Tally {
  return {
    events: grow(
      sha256,
      tally.events,
      events.map((event) => hashBytes(event.hash)),
    ),
    signatures: grow(
      sha256,
      tally.signatures,
      events.map((event) => leafHash(sha256, event.signature)),
    ),
    keyEvents: grow(
      sha256,
      tally.keyEvents,
      events.filter((event) => event.isKeyEvent).map((event) => hashBytes(event.hash)),
    ),
  }
}

export function treeHeadText(sha256: Sha256, registry: string, trace: string, tally: Tally): string {
  const extensions = [`signatures ${toBase64(frontierRoot(sha256, tally.signatures))}`]
  if (registry === trace) {
    extensions.push(`keys ${tally.keyEvents.size} ${toBase64(frontierRoot(sha256, tally.keyEvents))}`)
  }
  const root = frontierRoot(sha256, tally.events)
  return checkpointText({ origin: `${registry}/${trace}`, size: tally.events.size, root, extensions })
}

const invalid = (message: string): WitanError =>
  new WitanError(
    'NOTE_INVALID',
    `not a Witan checkpoint: ${message}`,
    'Use a checkpoint that Witan printed or saved.',
  )

/** Reads the text of a checkpoint; throws when it is none. */
export function readTreeHead(note: string): TraceCheckpoint {
  const checkpoint = parseCheckpoint(note)
  const [registry = '', trace = '', ...more] = checkpoint.origin.split('/')
  if (!isTraceId(registry) || !isTraceId(trace) || more.length > 0)
    throw invalid('its origin is not registry/trace')
  const base64 = '([A-Za-z0-9+/]{43}=)'
  const signatures = new RegExp(`^signatures ${base64}$`).exec(checkpoint.extensions[0] ?? '')
  if (!signatures?.[1]) throw invalid('it does not commit to the signatures')
  const keys = new RegExp(`^keys (0|[1-9][0-9]{0,9}) ${base64}$`).exec(checkpoint.extensions[1] ?? '')
  if ((registry === trace) !== Boolean(keys)) throw invalid('its line about keys is missing or out of place')
  return {
    ...checkpoint,
    note,
    registry,
    trace,
    signaturesRoot: signatures[1],
    keys: keys?.[2] ? { count: Number(keys[1]), root: keys[2] } : null,
  }
}

/** The checkpoint, or why this is none, as text. */
export function tryTreeHead(note: string): TraceCheckpoint | string {
  try {
    return readTreeHead(note)
  } catch (error) {
    if (error instanceof WitanError) return error.message
    throw error
  }
}

/** Root over the events and, in the form of a checkpoint, over their signatures. */
export interface Roots {
  readonly events: string
  readonly signatures: string
}

/** The roots at several sizes, in one walk: a long trace has many checkpoints. */
export function rootsAt(
  sha256: Sha256,
  events: readonly { readonly hash: string; readonly signature: Uint8Array }[],
  sizes: Iterable<number>,
): ReadonlyMap<number, Roots> {
  const roots = new Map<number, Roots>()
  let [hashes, signatures] = [EMPTY_FRONTIER, EMPTY_FRONTIER]
  for (const size of [...new Set(sizes)].sort((a, b) => a - b)) {
    if (size > events.length) break
    const next = events.slice(hashes.size, size)
    hashes = grow(
      sha256,
      hashes,
      next.map((event) => claimedHash(event.hash)),
    )
    signatures = grow(
      sha256,
      signatures,
      next.map((event) => leafHash(sha256, event.signature)),
    )
    roots.set(size, {
      events: toHex(frontierRoot(sha256, hashes)),
      signatures: toBase64(frontierRoot(sha256, signatures)),
    })
  }
  return roots
}

/** Whether the checkpoint commits to the events with these roots. */
export const agrees = (checkpoint: TraceCheckpoint, roots: Roots): boolean =>
  roots.events === toHex(checkpoint.root) && roots.signatures === checkpoint.signaturesRoot
