import { expect, it } from 'vitest'
import { bundleScript, startScript } from './support/children.ts'

it('to take the secrets out of a text takes a few bytes for each secret of a text, however many there are', async () => {
  const child = startScript(await bundleScript('test/support/scan-much.ts'), [])
  const found = JSON.parse(await child.line(/^\{/))
  expect(found.removed).toBe(Math.floor((8 << 20) / 27))
  // The text, what is left of it and a list of what was removed are some 50 MB; objects for each would take 300.
  expect(found.megabytes).toBeLessThan(220)
})
