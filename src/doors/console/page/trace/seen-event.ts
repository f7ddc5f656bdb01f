// An event as the page reads it: by the same code as the clerk and the verifier, from the exact bytes that were
// signed.

import { utf8 } from '../../../../ledger/bytes.ts'
import { type Header, type Payload, readHeader, readPayload } from '../../../../ledger/event.ts'
import type { Occurrence } from '../../../../protocol.ts'
import { tellOf } from '../../../../render/story/story.ts'
import type { StoryLine } from '../../../../render/story/story-line.ts'
import type { WireEvent } from '../wire.ts'

/** An event, opened. */
export interface SeenEvent {
  readonly seq: number
  readonly wire: WireEvent
  /** Why it cannot be read, as text. */
  readonly header: Header | string
  /** The same for its payload; null once erased. */
  readonly payload: Payload | string | null
}

export function openEvent(wire: WireEvent, seq: number): SeenEvent {
  const header = readHeader(utf8(wire.event))
  const payload = wire.payload === null ? null : readPayload(utf8(wire.payload))
  return { seq, wire, header, payload }
}

/** The form that a protocol folds; null for what cannot be read. */
export function occurrenceOf({ header, payload, wire }: SeenEvent): Occurrence | null {
  if (typeof header === 'string' || typeof payload === 'string') return null
  const { trace, seq, at, type, actor } = header
  return { trace, seq, at, type, actor, hash: wire.hash, payload }
}

/** A description for people; null where the event is listed by its type. */
export function storyOf(event: SeenEvent): StoryLine | null {
  const { header } = event
  const occurrence = occurrenceOf(event)
  return typeof header === 'string' || occurrence === null ? null : tellOf(header.protocol, occurrence)
}
