// Every event of every frozen trace, and of every trace of the newest edition, is erased once, alone and with all that
// quotes it.

import { expect, it } from 'vitest'
import { faultsOnceErased, frozenTrace } from './support/erasures.ts'
import { manifest } from './support/frozen.ts'
import { knownTraces, newestTraces, type Trace } from './support/live-traces.ts'

const timeout = 1_800_000

it('LED-14 no honest trace fails because something in it was erased', { timeout }, async () => {
  const traces: Trace[] = []
  for (const name of Object.keys(manifest().bundles)) {
    const trace = await frozenTrace(name)
    const { main, registry, content } = trace.carrying.bundle
    if (main.form === 'whole' && main !== registry && content === 'full') traces.push(trace)
  }
  expect(faultsOnceErased(traces).faults).toEqual([])
})

it('LED-14 nor one of the edition that is open', { timeout }, async () => {
  expect(faultsOnceErased([...(await newestTraces()), ...(await knownTraces())]).faults).toEqual([])
})
