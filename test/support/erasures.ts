// Erases every event of frozen traces in turn, alone and with all that quotes it, and collects what fails.

import type { ReadEvent } from '../../src/ledger/verify/inquire.ts'
import { Erasing } from './erasing.ts'
import { bundleBytes, manifest, readFrozen } from './frozen.ts'

export interface Found {
  /** What failed though the trace is honest. */
  readonly faults: readonly string[]
  /** Kinds of events that were erased. */
  readonly types: ReadonlySet<string>
}

const typeOf = ({ header }: ReadEvent): string =>
  typeof header === 'string' ? '' : `${header.protocol} ${header.type}`

export async function faultsOnceErased(
  names: readonly string[],
  which: 'all' | 'first of each kind' = 'all',
): Promise<Found> {
  const { bundles } = manifest()
  const faults: string[] = []
  const types = new Set<string>()
  for (const name of names) {
    const erasing = new Erasing(await readFrozen(bundleBytes(name)), bundles[name]?.keys ?? [])
    const kinds = new Set<string>()
    for (const read of erasing.erasable) {
      const isNew = !kinds.has(typeOf(read))
      if (which !== 'all' && !isNew) continue
      kinds.add(typeOf(read))
      types.add(typeOf(read))
      for (const targets of [[{ event: read.id }], erasing.everywhere(read)]) {
        const { status, failures } = erasing.judge(targets)
        if (status === 'pass-with-warnings') continue
        const first = failures.find(({ severity }) => severity === 'error')
        faults.push(`${name} without ${read.id} (${typeOf(read)}): ${first?.event} ${first?.message}`)
      }
    }
  }
  return { faults, types }
}
