// Most artifacts are only digested. Some a protocol must read to judge: a quote that a claim stands on, the prompt that
// a mind was shown. Which ones is asked here, before the artifacts pass by, so that only those are held in memory.

import { MAX_READ_BYTES, type Protocol } from '../../protocol.ts'
import type { Bundle, Section } from '../bundle/bundle.ts'
import { readHeader, readPayload } from '../event.ts'
import { type Answers, occurrence, type ReadEvent } from './inquire.ts'

type Read = Pick<ReadEvent, 'event' | 'header' | 'payload'>

/** Hashes of the artifacts whose content verification wants to see. */
export function contentsAsked(
  sections: readonly { readonly events: Iterable<Read> }[],
  protocols: readonly Protocol[],
): ReadonlySet<string> {
  const wanted = new Set<string>()
  const known = new Map(protocols.map((protocol) => [protocol.id, protocol]))
  for (const { events } of sections) {
    for (const { event, header, payload } of events) {
      if (typeof header === 'string' || typeof payload === 'string' || payload === null) continue
      const asked = known.get(header.protocol)?.reads?.(occurrence(header, event.hash, payload))
      for (const hash of asked ?? []) wanted.add(hash)
    }
  }
  return wanted
}

function* readings({ events }: Section): Generator<Read> {
  for (const { event } of events) {
    yield { event, header: readHeader(event.header), payload: event.payload && readPayload(event.payload) }
  }
}

/** The same of a bundle that nobody has read yet; nothing of what is read is kept. */
export const contentsWanted = (
  { ancestors, main }: Bundle,
  protocols: readonly Protocol[],
): ReadonlySet<string> =>
  contentsAsked(
    [...ancestors, main].map((section) => ({ events: readings(section) })),
    protocols,
  )

/** Why an artifact that must be read cannot be, though nothing is known against it; null when it can. */
export function unreadable(answers: Answers, hash: string): string | null {
  const answer = answers.artifacts.get(hash)
  if (answer?.state !== 'intact' || answer.content) return null
  return answer.size > MAX_READ_BYTES
    ? 'an artifact that must be read to judge this is too large for that'
    : 'an artifact that must be read to judge this was not given to the verifier'
}
