// Turns the bytes of a store into something that a protocol can fold. Unreadable bytes stop everything. What
// can be read but not relied on is folded all the same, so that it can be shown, and marked, so that nothing
// builds on it.

import type { Sha256 } from '../ledger/bytes.ts'
import { WitanError } from '../ledger/errors.ts'
import {
  type End,
  eventHash,
  type Header,
  payloadHash,
  readHeader,
  readPayload,
  type SealedEvent,
} from '../ledger/event.ts'
import type { Tip } from '../ledger/signing.ts'
import type { Occurrence } from '../protocol.ts'

/** The position that the event must have. */
export interface EventPlace extends End {
  readonly trace: string
}

export interface Stored {
  readonly header: Header
  readonly occurrence: Occurrence
  /** Why the event cannot be relied on, as text, as far as its own bytes tell. */
  readonly flaw: string | null
}

export const corrupt = (trace: string, seq: number, problem: string): WitanError =>
  new WitanError(
    'VAULT_CORRUPT',
    `event ${trace}/${seq} cannot be relied on: ${problem}`,
    `Run \`witan verify ${trace}\` to see what was changed; to continue without it, fork the trace before it.`,
  )

function flawOf(sha256: Sha256, event: SealedEvent, header: Header, slot: EventPlace): string | null {
  if (header.prev !== slot.hash) return 'it does not follow the event before it'
  if (eventHash(sha256, event.header) !== event.hash) return 'its header was changed'
  // There is nothing to compare with the header, yet something would be folded.
  if ((event.payload === null) !== (event.salt === null))
    return 'its payload and salt can only be absent together'
  if (!event.payload || !event.salt) return null
  return payloadHash(sha256, event.salt, event.payload) === header.payload_hash
    ? null
    : 'its payload was changed'
}

export function readStored(sha256: Sha256, event: SealedEvent, slot: EventPlace): Stored {
  const { trace, size: seq } = slot
  const header = readHeader(event.header)
  if (typeof header === 'string') throw corrupt(trace, seq, header)
  if (header.trace !== trace || header.seq !== seq) throw corrupt(trace, seq, 'it belongs elsewhere')
  const payload = event.payload && readPayload(event.payload)
  if (typeof payload === 'string') throw corrupt(trace, seq, payload)
  const { at, type, actor } = header
  const occurrence = { trace, seq, at, type, actor, hash: event.hash, payload }
  return { header, occurrence, flaw: flawOf(sha256, event, header, slot) }
}

// How far a trace log has folded its trace, and what it has signed to continue it.

export interface Folded<State> {
  readonly state: State
  readonly tip: Tip
  /** The first event that cannot be relied on. */
  readonly flaw: WitanError | null
}

export interface Batch<State> {
  readonly events: readonly SealedEvent[]
  readonly occurrences: readonly Occurrence[]
  readonly folded: Folded<State>
  /** How many events of the registry the keys were judged by; the store appends nothing if there are more. */
  readonly judgedBy: number | undefined
}
