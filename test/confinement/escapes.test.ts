// The table of escapes, tried from inside real sandboxes: by a command and by a server, as root and as an ordinary user.
import { spawnSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { bundleWhole } from '../support/children.ts'

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
  const folder = join(base, 'program')
  await mkdir(folder, { mode: 0o755 })
  // Whole, and beside the checkout: an ordinary user may not be able to read that.
  runner = await bundleWhole('test/confinement/runner.ts', folder)
  server = await bundleWhole('test/fakes/mcp/tools-server.ts', folder)
})
afterAll(() => rm(base, { recursive: true }))

const asOther = ['--reuid', String(NOBODY), '--regid', String(NOBODY), '--clear-groups']

/** Why an ordinary user cannot run the table here; empty when they can. */
function hindrance(): string {
  const { status, stderr, error } = spawnSync('setpriv', [...asOther, process.execPath, '--check', runner])
  return status === 0 ? '' : `an ordinary user cannot run ${process.execPath} here: ${error ?? stderr}`
}

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
      expect(hindrance()).toBe('')
      const results = await tried('other')
      expect(failures(results)).toEqual([])
      expect(Object.keys(results).length).toBeGreaterThan(70)
    },
    300_000,
  )
})
