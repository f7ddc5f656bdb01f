// What a verifier computes again (prompts, the reading of replies, conclusions by rule) belongs to the
// edition that the first event of a trace names; if it names none, that is edition 1. A fork keeps its
// parent's. An unknown edition is refused, and nothing of such a trace is judged by the rules of another.

import type { Occurrence, Protocol, Refusal } from '../protocol.ts'
import type { Json } from './canonical.ts'
import type { Payload } from './event.ts'
import { FORKED } from './fork.ts'

/** For traces whose first event names no edition: they are older than editions. */
export const FIRST_EDITION = 1

/** What a first event names; it may be anything, since anyone may have written it. */
export const namedEdition = ({ edition }: Payload): Json => (edition === undefined ? FIRST_EDITION : edition)

/** The editions of a protocol: every released one, and where a trace names its own. */
export interface Editions {
  /** The type of the first event of a trace that is not a fork. */
  readonly opening: string
  readonly known: readonly number[]
  readonly named?: (payload: Payload) => Json
}

const KEPT: Refusal = {
  code: 'SCHEMA_INVALID',
  message: 'a fork keeps the edition of its parent and names none',
}

/** A protocol that refuses what was recorded under unknown rules. */
export function withEditions<State>(
  inner: Protocol<State>,
  { opening, known, named = namedEdition }: Editions,
): Protocol<State> {
  function unknownEdition({ type, payload }: Occurrence): string | null {
    if (type !== opening || payload === null) return null
    const edition = named(payload)
    if (known.some((number) => number === edition)) return null
    const newest = known.at(-1) ?? FIRST_EDITION
    return `edition ${JSON.stringify(edition)} of ${inner.id} is not known to this release of Witan, which knows editions up to ${newest}`
  }

  /** An event under unknown rules is folded as if it had been erased. */
  const readable = (event: Occurrence): Occurrence =>
    unknownEdition(event) === null ? event : { ...event, payload: null }

  const { reads } = inner
  return {
    ...inner,
    unknownEdition,
    evolve: (state, event) => inner.evolve(state, readable(event)),
    refuse(state, event) {
      const message = unknownEdition(event)
      if (message !== null) return { code: 'SCHEMA_INVALID', message }
      const isNamedAgain = event.type === FORKED && event.payload?.edition !== undefined
      return isNamedAgain ? KEPT : inner.refuse(state, event)
    },
    ...(reads && { reads: (event) => reads(readable(event)) }),
  }
}
