// Whether a trace is a scripted demo: its signed opening says so, or that of the trace it was forked from.

import { readPayload } from '../../ledger/event.ts'
import { forkPointOf } from '../../ledger/fork.ts'
import type { Store } from '../../stores/store.ts'

async function readOpening(store: Store, trace: string) {
  for await (const { payload } of store.read(trace, 0, 1)) {
    const read = payload && readPayload(payload)
    if (read && typeof read === 'object') return read
  }
  return null
}

/** A store could contain forks that name each other: `seen` stops that. */
export async function isScriptedTrace(
  store: Store,
  trace: string,
  seen: ReadonlySet<string> = new Set(),
): Promise<boolean> {
  const opening = await readOpening(store, trace)
  if (opening?.scripted === true) return true
  const parent = forkPointOf(opening)?.trace
  return (
    parent !== undefined && !seen.has(parent) && isScriptedTrace(store, parent, new Set([...seen, trace]))
  )
}
