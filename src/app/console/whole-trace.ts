// A trace as one file, for a page that verifies it, and the key that identifies the home's registry: the same
// inputs as for `witan verify`.

import { artifactsIn, wholeBundle } from '../../clerk/extract.ts'
import { readHeader } from '../../ledger/event.ts'
import { writeBundle } from '../../stores/bundle-file.ts'
import type { Store } from '../../stores/store.ts'
import { readPin } from '../home/create-home.ts'
import type { HomeLocation } from '../home/home.ts'

/** The bytes of a bundle, artifacts included. */
export async function bundleStream(store: Store, trace: string): Promise<AsyncIterable<Uint8Array>> {
  const bundle = await wholeBundle(store, trace)
  return writeBundle(bundle, artifactsIn(bundle), store)
}

/** The keys by which this home knows its own registry. */
export async function ownTrust({ directory }: HomeLocation, store: Store): Promise<readonly string[]> {
  const pinned = (await readPin(directory))?.key
  if (pinned) return [pinned]
  const registry = await store.registry()
  if (registry === null) return []
  for await (const { header } of store.read(registry, 0, 1)) {
    const first = readHeader(header)
    return typeof first === 'string' ? [] : [first.actor.key]
  }
  return []
}
