// What became of traces that workers drove, read from the database as an outsider would: finished, contiguous, verified.

import { expect } from 'vitest'
import { loadProtocols } from '../../src/app/protocols.ts'
import { wholeBundle } from '../../src/clerk/extract.ts'
import { readHeader, readPayload } from '../../src/ledger/event.ts'
import { openPostgresStore, type PostgresOptions } from '../../src/stores/postgres.ts'
import type { Store } from '../../src/stores/store.ts'
import { examine } from '../../src/stores/verify-answers.ts'

export interface Told {
  /** In milliseconds, by the clock of who signed it. */
  readonly at: number
  readonly type: string
  readonly payload: Readonly<Record<string, unknown>>
}

async function eventsOf(store: Store, trace: string): Promise<readonly Told[]> {
  const events: Told[] = []
  for await (const event of store.read(trace)) {
    const header = readHeader(event.header)
    const payload = event.payload && readPayload(event.payload)
    if (typeof header === 'string' || typeof payload !== 'object') throw new Error(`${trace} cannot be read`)
    events.push({ at: Date.parse(header.at), type: header.type, payload: payload ?? {} })
  }
  return events
}

/** Waits until each of them has an event of one of these types, verifies it, and returns its events. */
export async function finishedTraces(
  url: string,
  traces: readonly string[],
  endings: readonly string[] = ['council_closed'],
  timeoutMs = 60_000,
  artifacts: PostgresOptions['artifacts'] = null,
): Promise<readonly (readonly Told[])[]> {
  const store = await openPostgresStore({ url, artifacts })
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const found: (readonly Told[])[] = []
    const registry = await wholeBundle(store, (await store.registry()) ?? '')
    const header = readHeader(registry.main.events[0]?.event.header ?? new Uint8Array())
    const key = typeof header === 'string' ? '' : header.actor.key
    for (const trace of traces) {
      let events = await eventsOf(store, trace)
      while (!events.some(({ type }) => endings.includes(type))) {
        if (signal.aborted)
          throw new Error(`${trace} did not finish: ${events.map(({ type }) => type).join(' ')}`)
        await store.watch(trace, events.length, signal)
        events = await eventsOf(store, trace)
      }
      const bundle = await wholeBundle(store, trace)
      const trust = { keys: [key], checkpoints: [] }
      const report = await examine(bundle, store, trust, await loadProtocols(bundle))
      expect(report.failures, trace).toEqual([])
      found.push(events)
    }
    return found
  } finally {
    await store.close()
  }
}

export const countOf = (traces: readonly (readonly Told[])[], type: string): number =>
  traces.flat().filter((event) => event.type === type).length

/** The longest time in which nothing came of a trace that had been begun. */
export const longestSilence = (traces: readonly (readonly Told[])[]): number =>
  Math.max(
    0,
    ...traces.flatMap((events) => {
      const begun = events.slice(events.findIndex(({ type }) => type === 'call_started'))
      return begun.slice(1).map(({ at }, before) => at - (begun[before]?.at ?? at))
    }),
  )
