// Finds other places that contain text of an event or artifact: prompts that quoted it, which are kept as
// artifacts of later events. Prompts record what they quote, so nothing is guessed from texts: content of an
// event or an artifact is found in every trace, the terms of an event by their hash or, where they have none,
// in its own trace.

import { type Sha256, toHex, utf8 } from '../ledger/bytes.ts'
import type { Json } from '../ledger/canonical.ts'
import { canonicalize, parseCanonical } from '../ledger/canonical.ts'
import { artifactsOf, type Payload, REGISTRY_PROTOCOL, readPayload } from '../ledger/event.ts'
import type { PromptPart } from '../ledger/prompt.ts'
import type { Store } from '../stores/store.ts'
import { artifactBytes } from './artifact-bytes.ts'
import { REQUEST, type RecordedRequest } from './call-records.ts'
import type { RedactionTarget } from './redaction.ts'

/** A prompt that quotes it, and the event of the call. */
export interface Quoting {
  readonly trace: string
  readonly seq: number
  readonly artifact: string
}

type Quotes = NonNullable<PromptPart['quotes']>
type IsQuoted = (quotes: Quotes, trace: string) => boolean

const payloadOf = (bytes: Uint8Array | null): Payload | null => {
  const payload = bytes && readPayload(bytes)
  return typeof payload === 'object' ? payload : null
}

async function payloadAt(store: Store, trace: string, seq: number): Promise<Payload | null> {
  for await (const { payload } of store.read(trace, seq, seq + 1)) return payloadOf(payload)
  return null
}

async function makeQuoteCheck(store: Store, sha256: Sha256, target: RedactionTarget): Promise<IsQuoted> {
  const { trace, seq, artifact } = target
  if (seq === null) return ({ kind, id }) => kind === 'artifact' && id === artifact
  const terms = (await payloadAt(store, trace, seq))?.terms
  const hash = typeof terms === 'object' && terms ? toHex(sha256(utf8(canonicalize(terms)))) : null
  return ({ kind, id }, where) => {
    if (kind === 'event') return id === `${trace}/${seq}`
    if (kind !== 'terms') return false
    const [stated = ''] = id.split('#')
    return stated === id ? seq === 0 && where === trace : stated === hash
  }
}

async function partsIn(store: Store, hash: string): Promise<readonly PromptPart[]> {
  const bytes = await artifactBytes(store, hash)
  const request = bytes && (parseCanonical(bytes) as (Json & Partial<RecordedRequest>) | undefined)
  return Array.isArray(request?.parts) ? request.parts : []
}

/** Every prompt in the store that quotes one of these and still exists; one that was sent to several seats is named once. */
export async function promptsQuoting(
  store: Store,
  sha256: Sha256,
  targets: readonly RedactionTarget[],
): Promise<readonly Quoting[]> {
  const each = await Promise.all(targets.map((target) => makeQuoteCheck(store, sha256, target)))
  const isQuoted: IsQuoted = (quotes, trace) => each.some((one) => one(quotes, trace))
  const prompts: Quoting[] = []
  const seen = new Set<string>()
  for (const { trace, protocol } of await store.traces()) {
    let seq = 0
    for await (const event of protocol === REGISTRY_PROTOCOL ? [] : store.read(trace)) {
      const requests = artifactsOf(payloadOf(event.payload) ?? {}).filter(({ name }) => name === REQUEST)
      for (const { hash } of requests.filter((one) => !seen.has(one.hash))) {
        seen.add(hash)
        const parts = await partsIn(store, hash)
        if (parts.some(({ quotes }) => quotes && isQuoted(quotes, trace)))
          prompts.push({ trace, seq, artifact: hash })
      }
      seq++
    }
  }
  return prompts
}
