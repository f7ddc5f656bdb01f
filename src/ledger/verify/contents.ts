// Most artifacts are only digested. Some a protocol must read to judge: a quote that a claim stands on, the prompt that
// a mind was shown. Which ones is asked here, before the artifacts pass by, so that only those are held in memory.

import { MAX_READ_BYTES, type Protocol } from '../../protocol.ts'
import type { Bundle } from '../bundle.ts'
import { readHeader, readPayload } from '../event.ts'
import type { Answers } from './inquire.ts'
import { occurrence } from './inquire.ts'

/** Hashes of the artifacts whose content verification wants to see. */
export function contentsWanted(bundle: Bundle, protocols: readonly Protocol[]): ReadonlySet<string> {
  const wanted = new Set<string>()
  const known = new Map(protocols.map((protocol) => [protocol.id, protocol]))
  for (const { events } of [...bundle.ancestors, bundle.main]) {
    for (const { event } of events) {
      const header = event.payload === null ? '' : readHeader(event.header)
      const reads = typeof header === 'string' ? undefined : known.get(header.protocol)?.reads
      if (!reads || typeof header === 'string' || event.payload === null) continue
      const payload = readPayload(event.payload)
      if (typeof payload === 'string') continue
      for (const hash of reads(occurrence(header, event.hash, payload))) wanted.add(hash)
    }
  }
  return wanted
}

/** Why an artifact that must be read cannot be, though nothing is known against it; null when it can. */
export function unreadable(answers: Answers, hash: string): string | null {
  const answer = answers.artifacts.get(hash)
  if (answer?.state !== 'intact' || answer.content) return null
  return answer.size > MAX_READ_BYTES
    ? 'an artifact that must be read to judge this is too large for that'
    : 'an artifact that must be read to judge this was not given to the verifier'
}
