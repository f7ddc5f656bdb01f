// A trace as spans, sent to a collector or written to a file. They are made from the record, so this can be repeated
// and costs a run nothing.

import { WitanError } from '../../ledger/errors.ts'
import { readHeader } from '../../ledger/event.ts'
import type { Occurrence } from '../../protocol.ts'
import { sha256 } from '../../stores/digest.ts'
import { payloadIn } from '../../stores/searched-text.ts'
import type { Store } from '../../stores/store.ts'
import { refuseExisting, writeFileWhole } from '../home/files.ts'
import { configFile, type HomeLocation, ownSettings, withStore } from '../home/home.ts'
import { findTrace } from '../traces/trace-name.ts'
import { otlpJson, otlpProtobuf } from './otlp.ts'
import { otelSpans } from './spans.ts'

export interface Collector {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Whether content is included. */
  readonly content: boolean
}

/** Where spans go, and whether content is included. */
export interface SpansOptions {
  /** A collector; without it, and without a file, the one in the settings of the home. */
  readonly url?: string | null
  /** A file to write OTLP JSON to instead. */
  readonly file?: string | null
  readonly content?: boolean
  readonly replace?: boolean
}

/** What was exported. */
export interface ExportedSpans {
  readonly trace: string
  readonly trace_id: string
  readonly spans: number
  /** The collector or the file. */
  readonly to: string
  readonly content: boolean
}

const PATIENCE_MS = 10_000

/** `${NAME}` takes a variable of the environment: a settings file contains no secret. */
const filled = (value: string): string =>
  value.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, name: string) => process.env[name] ?? '')

/** The collector that the home's own settings name; null when they name none. */
export async function readCollector(directory: string): Promise<Collector | null> {
  const { otel } = (await ownSettings(directory))?.sections ?? {}
  if (!otel?.url) return null
  const headers = Object.entries(otel.headers ?? {}).map(([name, value]) => [name, filled(value)] as const)
  return { url: otel.url, headers: Object.fromEntries(headers), content: otel.content ?? false }
}

async function readOccurrences(store: Store, trace: string) {
  const events: Occurrence[] = []
  let protocol = ''
  for await (const event of store.read(trace)) {
    const header = readHeader(event.header)
    if (typeof header === 'string') continue
    const { seq, at, type, actor } = header
    protocol = header.protocol
    events.push({ trace, seq, at, type, actor, hash: event.hash, payload: payloadIn(event.payload) })
  }
  return { protocol, events }
}

async function makeSpans(store: Store, trace: string, content: boolean) {
  const { protocol, events } = await readOccurrences(store, trace)
  const resource = { 'service.name': 'witan', 'witan.registry': (await store.registry()) ?? '' }
  return { spans: otelSpans(protocol, events, { sha256, content }), resource }
}

const unreachable = (url: string, why: string): WitanError =>
  new WitanError(
    'VAULT_UNREACHABLE',
    `the collector at ${url} did not take the spans: ${why}`,
    'Check that it listens there and speaks OTLP over HTTP.',
  )

async function send({ url, headers }: Collector, body: Uint8Array): Promise<void> {
  let response: Response
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/x-protobuf' },
      body: Buffer.from(body),
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : 'no answer'
    throw unreachable(url, cause)
  }
  await response.body?.cancel()
  if (!response.ok) throw unreachable(url, `it answered ${response.status}`)
}

/** Sends the spans of a trace to this collector. */
export async function sendSpans(store: Store, trace: string, collector: Collector): Promise<ExportedSpans> {
  const { spans, resource } = await makeSpans(store, trace, collector.content)
  await send(collector, otlpProtobuf(spans, resource))
  const { url, content } = collector
  return { trace, trace_id: spans[0]?.traceId ?? '', spans: spans.length, to: url, content }
}

/** Exports a trace as spans: to a collector, or as OTLP JSON into a file. */
export const exportSpans = (
  location: HomeLocation,
  name: string,
  { url = null, file = null, content = false, replace = false }: SpansOptions,
): Promise<ExportedSpans> =>
  withStore(location, async (store) => {
    const trace = await findTrace(store, name)
    if (file !== null) {
      await refuseExisting(file, replace)
      const { spans, resource } = await makeSpans(store, trace, content)
      const text = `${JSON.stringify(otlpJson(spans, resource))}\n`
      await writeFileWhole(file, Buffer.from(text), { replace })
      return { trace, trace_id: spans[0]?.traceId ?? '', spans: spans.length, to: file, content }
    }
    const own = await readCollector(location.directory)
    const collector = url === null ? own : { url, headers: {}, content: false }
    if (collector) return sendSpans(store, trace, { ...collector, content: content || collector.content })
    const next = `Give --url or -o FILE, or name one under otel: in ${configFile(location.directory)}.`
    throw new WitanError('USAGE', 'no collector is named', next)
  })
