// Every event of every frozen trace is erased once, alone and with all that quotes it.

import { expect, it } from 'vitest'
import { faultsOnceErased } from './support/erasures.ts'
import { bundleBytes, manifest, readFrozen } from './support/frozen.ts'

it('LED-14 no honest trace fails because something in it was erased', { timeout: 1_800_000 }, async () => {
  const names: string[] = []
  for (const name of Object.keys(manifest().bundles)) {
    const { main, registry, content } = (await readFrozen(bundleBytes(name))).bundle
    if (main.form === 'whole' && main !== registry && content === 'full') names.push(name)
  }
  expect((await faultsOnceErased(names)).faults).toEqual([])
})
