// Which words of an event are searched: those of its payload and of the texts it names, in parts that every index can
// hold. Recorded requests are left out: they repeat what stands in other events. What cannot be read as text has no
// words. An index is a cache of this and never evidence: what is shown of a hit is read from the record again.

import type { Json } from '../ledger/canonical.ts'
import { type Artifact, artifactsOf, type Payload, type SealedEvent } from '../ledger/event.ts'
import { stringsIn, wordsIn } from '../ledger/text/search.ts'
import type { EventText, Store } from './store.ts'

/** Of one artifact; what lies beyond is not searched. */
const MOST_BYTES = 8 << 20
/** PostgreSQL numbers the words of a text up to 16,383. */
const PART_WORDS = 10_000
const REQUEST = 'request.json'

const isText = ({ media_type, name }: Artifact): boolean =>
  name !== REQUEST && (media_type.startsWith('text/') || media_type === 'application/json')

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/** At most so many bytes of what comes. */
export async function readBeginning(source: AsyncIterable<Uint8Array>, most: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of source) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= most) break
  }
  return Buffer.concat(chunks).subarray(0, most)
}

async function artifactTexts(
  store: Pick<Store, 'openArtifact'>,
  artifact: Artifact,
): Promise<readonly string[]> {
  const source = await store.openArtifact(artifact.hash)
  if (source === null) return []
  const text = new TextDecoder().decode(await readBeginning(source, MOST_BYTES))
  const value = artifact.media_type === 'application/json' ? parsed(text) : undefined
  return value === undefined ? [text] : stringsIn(value)
}

const textIn = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()

/** For stores that hold bytes. */
export const eventText = ({ header, payload }: Pick<SealedEvent, 'header' | 'payload'>): EventText => ({
  header: textIn(header),
  payload: payload && textIn(payload),
})

/** What a payload says; null where it was erased or is none. Nothing is checked: searching is not verifying. */
export function payloadIn(recorded: Uint8Array | string | null): Payload | null {
  if (recorded === null) return null
  const value = parsed(typeof recorded === 'string' ? recorded : textIn(recorded))
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Payload) : null
}

export function wordsOf({ artifacts: _, ...rest }: Payload): readonly string[] {
  return stringsIn(rest as Json)
}

/** The texts of an event, its payload's first. None when that was erased: what names the others went with it. */
export async function collectTexts(
  store: Pick<Store, 'openArtifact'>,
  recorded: Uint8Array | string | null,
): Promise<readonly string[]> {
  const payload = payloadIn(recorded)
  if (!payload) return []
  const texts = [...wordsOf(payload)]
  for (const artifact of artifactsOf(payload).filter(isText))
    texts.push(...(await artifactTexts(store, artifact)))
  return texts
}

/** The words of those texts, in the parts in which they are indexed: all terms of a query must stand in one part. */
export function partsOf(texts: readonly string[]): readonly (readonly string[])[] {
  const words = texts.flatMap(wordsIn)
  const parts: (readonly string[])[] = []
  for (let at = 0; at < words.length; at += PART_WORDS) parts.push(words.slice(at, at + PART_WORDS))
  return parts
}
