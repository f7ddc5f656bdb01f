// The table of escapes, tried from inside real sandboxes: by a command and by a server, as root and as an ordinary user.
import { spawnSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { bundleScript } from '../support/children.ts'

const NOBODY = 65534
/** Node closes the first sixteen by itself. */
const LEAKED = 40
const isRoot = process.getuid?.() === 0
let base: string
let runner: string
let server: string

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'witan-escapes-'))
  await chmod(base, 0o777)
  runner = await bundleScript('test/confinement/runner.ts')
  server = await bundleScript('test/fakes/mcp/tools-server.ts')
})
afterAll(() => rm(base, { recursive: true }))

const asOther = ['--reuid', String(NOBODY), '--regid', String(NOBODY), '--clear-groups']

/** Whether an ordinary user can read this checkout at all. */
const canBeOther = (): boolean =>
  isRoot && spawnSync('setpriv', [...asOther, process.execPath, '--check', runner]).status === 0

async function tried(user: 'self' | 'other'): Promise<Record<string, string>> {
  const secret = join(base, `secret-${user}`)
  await writeFile(secret, 'secret')
  if (user === 'other') await chmod(secret, 0o644)
  const descriptor = openSync(secret, 'r')
  const run = [process.execPath, runner, base, server, secret]
  const [program = '', ...args] = user === 'self' ? run : ['setpriv', ...asOther, ...run]
  const ignored = Array.from(
    { length: LEAKED },
    (_, at) => (at === 1 || at === 2 ? 'pipe' : 'ignore') as 'pipe',
  )
  try {
    const { stdout, stderr } = spawnSync(program, args, {
      stdio: [...ignored, descriptor],
      env: { PATH: process.env.PATH, HOME: base },
      encoding: 'utf8',
    })
    return JSON.parse(stdout || JSON.stringify({ runner: stderr }))
  } finally {
    closeSync(descriptor)
  }
}

const failures = (results: Record<string, string>): string[] =>
  Object.entries(results).flatMap(([name, verdict]) =>
    verdict === 'held' || verdict === 'no perl here' ? [] : [`${name}: ${verdict}`],
  )

describe.skipIf(inject('bubblewrap') === null)('out of a sandbox', () => {
  it(`AGT-TOOL-6 nothing leads as ${isRoot ? 'root' : 'an ordinary user'}, from a command or a server`, async () => {
    const results = await tried('self')
    expect(failures(results)).toEqual([])
    expect(Object.keys(results).length).toBeGreaterThan(70)
  }, 300_000)

  it.skipIf(!isRoot)(
    'AGT-TOOL-6 nothing leads as an ordinary user, when the tests run as root',
    async () => {
      if (!canBeOther()) {
        process.stderr.write(
          'The half as an ordinary user did not run: such a user cannot read this checkout.\n',
        )
        return
      }
      const results = await tried('other')
      expect(failures(results)).toEqual([])
      expect(Object.keys(results).length).toBeGreaterThan(70)
    },
    300_000,
  )
})
