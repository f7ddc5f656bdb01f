// Where a trace is read from, a home or a file: events with their positions, and what was erased from them.

import { createReadStream } from 'node:fs'
import { isWitanError, WitanError } from '../../ledger/errors.ts'
import { readHeader, type SealedEvent } from '../../ledger/event.ts'
import type { TraceStatus } from '../../ledger/recorded.ts'
import type { RegistryState } from '../../ledger/registry/registry.ts'
import { artifactsToReadIn } from '../../ledger/verify/replay.ts'
import { type ReadBundle, readBundle } from '../../stores/bundle-file.ts'
import { readingFault } from '../home/files.ts'
import { foldRegistry } from '../home/own-record.ts'
import { loadProtocols } from '../protocols.ts'

export interface TraceSource {
  readonly trace: string
  readonly registry: RegistryState
  /** Whether payloads were left out when the file was made. */
  readonly isBare: boolean
  /** With the position of each; all of them, or the named one. */
  events(seq: number | null): AsyncIterable<readonly [seq: number, event: SealedEvent]>
  size(): Promise<number>
  hasArtifact(hash: string): Promise<boolean>
  status(protocol: string): Promise<TraceStatus | null>
}

/** Where the councils of an exported evaluation are, each in a bundle named by its trace. */
export const councilsFolder = (file: string): string => `${file}.councils`

// A bundle from anyone, opened for reading. It is as untrusted as any file: its content is shown, and its
// registry is folded only to say what was erased and on whose request.

export async function readBundleFile(file: string): Promise<ReadBundle> {
  try {
    const source = createReadStream(file, { highWaterMark: 1 << 18 })
    return await readBundle(source, async (bundle) => artifactsToReadIn(bundle, await loadProtocols(bundle)))
  } catch (error) {
    if (!isWitanError(error, 'BUNDLE_FOREIGN') || !/\.html?$/i.test(file)) throw readingFault(error, file)
    const next = 'Open it in a browser: it verifies itself, and the bundle can be saved from there.'
    throw new WitanError('BUNDLE_FOREIGN', `${file} is a page, not a bundle`, next)
  }
}

/** The position that an event states; a proof contains only some events of a trace. */
function placed(event: SealedEvent, otherwise: number): readonly [number, SealedEvent] {
  const header = readHeader(event.header)
  return [typeof header === 'string' ? otherwise : header.seq, event]
}

export async function fileSource(file: string): Promise<TraceSource> {
  const { bundle, artifacts } = await readBundleFile(file)
  const { trace, main, registry, content } = bundle
  const events = main.events.map(({ event }, i) => placed(event, i))
  return {
    trace,
    registry: foldRegistry(registry.events.map(({ event }) => event)),
    isBare: content === 'none',
    async *events(only) {
      for (const pair of events) if (only === null || pair[0] === only) yield pair
    },
    size: async () => events.length,
    hasArtifact: async (hash) => artifacts.has(hash),
    status: async () => null,
  }
}
