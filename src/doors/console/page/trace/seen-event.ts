// An event as the page reads it: by the same code as the clerk and the verifier, from the very bytes that were signed.

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
  /** In words what is wrong, when it cannot be read. */
  readonly header: Header | string
  /** Also; null once erased. */
  readonly payload: Payload | string | null
}

export function openEvent(wire: WireEvent, seq: number): SeenEvent {
  const header = readHeader(utf8(wire.event))
  const payload = wire.payload === null ? null : readPayload(utf8(wire.payload))
  return { seq, wire, header, payload }
}

/** As a protocol sees it; null for what cannot be read. */
export function occurrenceOf({ header, payload, wire }: SeenEvent): Occurrence | null {
  if (typeof header === 'string' || typeof payload === 'string') return null
  const { trace, seq, at, type, actor } = header
  return { trace, seq, at, type, actor, hash: wire.hash, payload }
}

/** How a person would tell it; null where it is listed as it is. */
export function storyOf(event: SeenEvent): StoryLine | null {
  const { header } = event
  const occurrence = occurrenceOf(event)
  return typeof header === 'string' || occurrence === null ? null : tellOf(header.protocol, occurrence)
}
