// Traces of the editions that are open: made again by the scripts that made the frozen ones, under the rules as they are
// now, with those that only the newest edition has. As bundles, so that they are read like any other.

import { artifactsIn, extract } from '../../src/clerk/extract.ts'
import { writeBundle } from '../../src/stores/bundle-file.ts'
import { type Made, makeCouncils } from '../frozen/making/councils.ts'
import { makeEdition2 } from '../frozen/making/edition-2.ts'
import { makeExchanges } from '../frozen/making/exchanges.ts'
import { makeSessions } from '../frozen/making/sessions.ts'
import { type BundleCarrying, readFrozen } from './frozen.ts'

export interface Trace {
  readonly name: string
  readonly carrying: BundleCarrying
  /** Registrars of the home it came from. */
  readonly keys: readonly string[]
}

async function bundled({ scene, traces }: Made): Promise<readonly Trace[]> {
  const all: Trace[] = []
  for (const [name, trace] of traces) {
    const bundle = await extract(scene.kit, trace)
    const chunks: Uint8Array[] = []
    for await (const chunk of writeBundle(bundle, artifactsIn(bundle), scene.store)) chunks.push(chunk)
    all.push({ name, carrying: await readFrozen(Buffer.concat(chunks)), keys: scene.trust.keys })
  }
  return all
}

/** What only edition 2 can say. */
export async function newestTraces(): Promise<readonly Trace[]> {
  return (await Promise.all((await makeEdition2()).map(bundled))).flat()
}

/** What edition 1 could say too, said in edition 2. */
export async function knownTraces(): Promise<readonly Trace[]> {
  const made = [await makeCouncils(), await makeSessions(), await makeExchanges()]
  return (await Promise.all(made.map(bundled))).flat()
}
