// A bundle from anyone, opened to be read. It is as untrusted as any file: what it says is shown, and its registry is
// folded only to say what was erased and for whom.

import { readBundleFile } from '../../doors/cli/verbs/verify.ts'
import { readHeader, type SealedEvent } from '../../ledger/event.ts'
import { foldRegistry } from '../home/own-record.ts'
import type { Reading } from './reading.ts'

/** Where an event says that it stands; a proof carries only some of a trace. */
function placed(event: SealedEvent, otherwise: number): readonly [number, SealedEvent] {
  const header = readHeader(event.header)
  return [typeof header === 'string' ? otherwise : header.seq, event]
}

export async function readingOf(file: string): Promise<Reading> {
  const { bundle, artifacts } = await readBundleFile(file)
  const { trace, main, registry, content } = bundle
  const events = main.events.map(({ event }, i) => placed(event, i))
  return {
    trace,
    registry: foldRegistry(registry.events.map(({ event }) => event)),
    absent: content === 'none' ? 'left out of this file' : 'absent, and no redaction says why',
    async *events(only) {
      for (const one of events) if (only === null || one[0] === only) yield one
    },
    size: async () => events.length,
    hasArtifact: async (hash) => artifacts.has(hash),
    standing: async () => null,
  }
}
