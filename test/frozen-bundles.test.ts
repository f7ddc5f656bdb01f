// Bundles that an earlier build made verify as it said, each by itself, so that what breaks is named.

import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { archiveBytes, bundleBytes, manifest, manifestBytes, reportOn } from './support/frozen.ts'

const hexOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const { bundles, home } = manifest()

describe('a frozen bundle', () => {
  it('VER-7 lies in a file that has never changed', () => {
    expect(hexOf(manifestBytes())).toBe('2288d89a0de7ab1eaae58577d003955f9e23455daab1a2eb0ff611e4765d9656')
    expect(hexOf(archiveBytes())).toBe(home)
    for (const [name, { sha256 }] of Object.entries(bundles))
      expect([name, hexOf(bundleBytes(name))]).toEqual([name, sha256])
  })

  it.each(Object.entries(bundles))(
    'VER-1 %s has the report that the build gave which made it',
    async (name, { keys, status, report }) => {
      const found = await reportOn(bundleBytes(name), keys)
      expect([found.report.status, found.digest]).toEqual([status, report])
    },
  )
})
