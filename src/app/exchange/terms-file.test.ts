import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readTermsFile } from './terms-file.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'witan-terms-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const TERMS = `pool: {prompt: "Think aloud.", minds: [claude, local], window: 50, sample: 5, seed: 7, parallel: false}
auditor: {spec: "Sum up.", mind: claude, every: 20, sample: 30}
observer: {name: ana, role: "I answer each audit; I honour a restart once."}
clusters: {feed: audits}
restart: {raise: 0.30, clear: 0.15, policy: pause}
`

async function read(text: string, options = {}) {
  const file = join(folder, 'terms.yaml')
  await writeFile(file, text)
  return readTermsFile(file, options)
}

describe('a file of terms', () => {
  it('APP-6 may say all that the design names', async () => {
    expect(await read(TERMS)).toMatchObject({
      pool: { minds: ['claude', 'local'], seed: 7 },
      observer: { name: 'ana' },
      restart: { policy: 'pause' },
    })
  })

  it.each([
    [TERMS.replace('window: 50', 'window: 0'), /terms\.yaml:1:\d+: pool\.window/],
    [
      TERMS.replace(', role: "I answer each audit; I honour a restart once."', ''),
      /terms\.yaml:3:\d+: observer lacks role/,
    ],
    [TERMS.replace('feed: audits', 'feed: sometimes'), /terms\.yaml:4:\d+: clusters\.feed/],
    [TERMS.replace('clear: 0.15', 'clear: 0.5'), /terms\.yaml:5:\d+: restart\.clear/],
    ['pool: [\n', /terms\.yaml:\d+:\d+/],
    ['- 1\n', /must be a mapping/],
  ])('APP-6 names file, line and key of what is wrong: %#', async (text, message) => {
    await expect(read(text)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringMatching(message),
    })
  })

  it('reads the terms that a policy branches to from its own folder, and from no other place', async () => {
    const branching = TERMS.replace('policy: pause', 'policy: {branch: other.yaml}')
    await expect(read(branching)).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' })
    await writeFile(join(folder, 'other.yaml'), TERMS.replace('seed: 7', 'seed: 8'))
    expect(await read(branching)).toMatchObject({ restart: { policy: { branch: { pool: { seed: 8 } } } } })
    await expect(read(branching.replace('other.yaml', '../other.yaml'))).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
    })
  })
})
