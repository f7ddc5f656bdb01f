// A home that a console has open for reading, for as long as the console runs. Each act opens it for writing
// by itself.

import { eventLine } from '../../ledger/bundle/lines.ts'
import { isTraceId } from '../../ledger/event.ts'
import type { LiveText } from '../../stores/live-text/live-text.ts'
import { hearLiveText } from '../../stores/live-text/telling.ts'
import { type Home, type HomeLocation, openHome } from '../home/home.ts'
import { type Batch, TraceFeed } from './trace-feed.ts'
import { type TraceRow, TraceRows } from './trace-rows.ts'
import { bundleStream, ownTrust } from './whole-trace.ts'

export type { LiveText } from '../../stores/live-text/live-text.ts'
export type { Batch } from './trace-feed.ts'
export type { TraceRow } from './trace-rows.ts'

interface StoredArtifact {
  readonly size: number
  readonly bytes: AsyncIterable<Uint8Array>
}

export interface OpenHome {
  readonly location: HomeLocation
  /** Newest first. */
  traces(): Promise<readonly TraceRow[]>
  has(trace: string): Promise<boolean>
  /** Every event from there on, including future ones. */
  follow(trace: string, from: number, signal: AbortSignal): AsyncGenerator<Batch>
  /** The events from `from` up to, not including, `to`. */
  lines(trace: string, from: number, to: number): Promise<readonly string[]>
  /** The bytes of a bundle, artifacts included. */
  bundle(trace: string): Promise<AsyncIterable<Uint8Array>>
  /** The keys by which this home knows its own registry. */
  trust(): Promise<readonly string[]>
  /** Text that is being written in the watched traces, by any process; until the home is closed. */
  hearWriting(watched: () => readonly string[], hear: (writing: LiveText) => void): Promise<void>
  /** Null when it is not stored. */
  artifact(hash: string): Promise<StoredArtifact | null>
  close(): Promise<void>
}

/** At most this many at once; a page asks again for more. */
const MOST_LINES = 2_000

export async function openForReading(location: HomeLocation): Promise<OpenHome> {
  const home: Home = await openHome({ ...location, mode: 'read' })
  const { store } = home
  const rows = new TraceRows(home)
  const feeds = new Map<string, TraceFeed>()
  const listeners: Awaited<ReturnType<typeof hearLiveText>>[] = []
  return {
    location,
    traces: () => rows.list(),
    has: async (trace) => isTraceId(trace) && (await store.hashes(trace, 0, 1)).length > 0,
    async *follow(trace, from, signal) {
      const feed = feeds.get(trace) ?? new TraceFeed(store, trace)
      feeds.set(trace, feed)
      try {
        yield* feed.follow(from, signal)
      } finally {
        if (feed.readers === 0 && feeds.get(trace) === feed) feeds.delete(trace)
      }
    },
    async lines(trace, from, to) {
      const lines: string[] = []
      for await (const event of store.read(trace, from, Math.min(to, from + MOST_LINES)))
        lines.push(eventLine(event))
      return lines
    },
    bundle: (trace) => bundleStream(store, trace),
    trust: () => ownTrust(location, store),
    async artifact(hash) {
      const stat = await store.statArtifact(hash)
      const bytes = stat && (await store.openArtifact(hash))
      return bytes ? { size: stat.size, bytes } : null
    },
    async hearWriting(watched, hear) {
      listeners.push(await hearLiveText(location.directory, home.postgres, watched, hear))
    },
    async close() {
      await Promise.all(listeners.map((listener) => listener.close()))
      await home.close()
    },
  }
}
