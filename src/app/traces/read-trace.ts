// Reads a trace, one of a home or one in a file from anyone. Its content is only data, and nothing is
// verified here.

import { redactionOf } from '../../clerk/redaction.ts'
import { WitanError } from '../../ledger/errors.ts'
import { artifactsOf, readHeader, readPayload, type SealedEvent } from '../../ledger/event.ts'
import type { EventContent, RecordedArtifact, RecordedEvent, TraceContent } from '../../ledger/recorded.ts'
import { type Home, type HomeLocation, withHome } from '../home/home.ts'
import { readStatus } from '../trace-status.ts'
import { findTrace, isFile } from './trace-name.ts'
import type { TraceSource } from './trace-source.ts'

const opened = ({ registry, trace }: TraceSource, seq: number, event: SealedEvent): RecordedEvent => ({
  seq,
  event,
  header: readHeader(event.header),
  payload: event.payload && readPayload(event.payload),
  redaction: redactionOf(registry, { trace, seq, artifact: null }) ?? null,
})

async function whole(source: TraceSource): Promise<TraceContent> {
  const { trace, isBare } = source
  const events: RecordedEvent[] = []
  for await (const [seq, event] of source.events(null)) events.push(opened(source, seq, event))
  const first = events.map(({ header }) => header).find((header) => typeof header !== 'string')
  const protocol = first?.protocol ?? null
  return { trace, protocol, events, status: await source.status(protocol ?? ''), isBare }
}

async function artifactsAt(source: TraceSource, { payload }: RecordedEvent): Promise<RecordedArtifact[]> {
  if (typeof payload !== 'object' || !payload) return []
  return Promise.all(
    artifactsOf(payload).map(async ({ hash, name, media_type, size }) => ({
      hash,
      name,
      media_type,
      size,
      isStored: await source.hasArtifact(hash),
      redaction: redactionOf(source.registry, { trace: '', seq: null, artifact: hash }) ?? null,
    })),
  )
}

async function single(source: TraceSource, seq: number): Promise<EventContent> {
  const { trace, isBare } = source
  for await (const [at, event] of source.events(seq)) {
    const entry = opened(source, at, event)
    return { trace, ...entry, artifacts: await artifactsAt(source, entry), isBare }
  }
  const size = await source.size()
  const message = `${trace} has ${size} events, there is no ${seq}`
  throw new WitanError('EVENT_NOT_FOUND', message, `Name one from 0 to ${size - 1}.`)
}

async function homeSource(home: Home, name: string): Promise<TraceSource> {
  const { store } = home
  const trace = await findTrace(store, name)
  return {
    trace,
    registry: (await home.registrar()).log.state,
    isBare: false,
    async *events(only) {
      let at = only ?? 0
      for await (const event of only === null ? store.read(trace) : store.read(trace, only, only + 1))
        yield [at++, event]
    },
    size: async () => (await store.hashes(trace)).length,
    hasArtifact: async (hash) => (await store.statArtifact(hash)) !== null,
    status: (protocol) => readStatus(protocol, home, trace),
  }
}

async function withSource<Result>(
  location: HomeLocation,
  name: string,
  read: (source: TraceSource) => Promise<Result>,
): Promise<Result> {
  if (!(await isFile(name)))
    return withHome({ ...location, mode: 'read' }, async (home) => read(await homeSource(home, name)))
  const { fileSource } = await import('./trace-source.ts')
  return read(await fileSource(name))
}

/** The whole trace that the home has under this name, or that is in this file. */
export const readTrace = (location: HomeLocation, name: string): Promise<TraceContent> =>
  withSource(location, name, whole)

/** One event of it, with the status of its artifacts. */
export const readEvent = (location: HomeLocation, name: string, seq: number): Promise<EventContent> =>
  withSource(location, name, (source) => single(source, seq))
