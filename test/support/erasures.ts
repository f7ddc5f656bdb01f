// Erases every event of traces in turn, alone and with all that quotes it, and collects what fails.

import type { ReadEvent } from '../../src/ledger/verify/inquire.ts'
import { Erasing } from './erasing.ts'
import { bundleBytes, manifest, readFrozen } from './frozen.ts'
import type { Trace } from './live-traces.ts'

export interface Found {
  /** What failed though the trace is honest. */
  readonly faults: readonly string[]
  /** Kinds of events that were erased. */
  readonly types: ReadonlySet<string>
}

export const frozenTrace = async (name: string): Promise<Trace> => ({
  name,
  carrying: await readFrozen(bundleBytes(name)),
  keys: manifest().bundles[name]?.keys ?? [],
})

const typeOf = ({ header }: ReadEvent): string =>
  typeof header === 'string' ? '' : `${header.protocol} ${header.type}`

export function faultsOnceErased(
  traces: readonly Trace[],
  which: 'all' | 'first of each kind' = 'all',
): Found {
  const faults: string[] = []
  const types = new Set<string>()
  for (const { name, carrying, keys } of traces) {
    const erasing = new Erasing(carrying, keys)
    const { status, failures } = erasing.judge([])
    if (status === 'fail') faults.push(`${name}: ${failures[0]?.event} ${failures[0]?.message}`)
    const kinds = new Set<string>()
    for (const read of erasing.erasable) {
      const isNew = !kinds.has(typeOf(read))
      if (which !== 'all' && !isNew) continue
      kinds.add(typeOf(read))
      types.add(typeOf(read))
      for (const targets of [[{ event: read.id }], erasing.everywhere(read)]) {
        const report = erasing.judge(targets)
        if (report.status === 'pass-with-warnings') continue
        const first = report.failures.find(({ severity }) => severity === 'error')
        faults.push(`${name} without ${read.id} (${typeOf(read)}): ${first?.event} ${first?.message}`)
      }
    }
  }
  return { faults, types }
}
