// What becomes of a host's settings: taken out again, our hooks leave the very bytes that were there before.

import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Edited } from './attachments.ts'
import {
  backupOf,
  makeEdit,
  readSettings,
  restoreSettings,
  withHooks,
  writeSettings,
} from './host-settings.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'witan-settings-'))
})
afterAll(() => rm(folder, { recursive: true }))

const COMMAND = "'/x/bin/hook.cjs' claude --gate --as claude-0123abcd"
const OURS = [
  { event: 'PreToolUse', entry: { matcher: '*', hooks: [{ type: 'command', command: COMMAND }] } },
]
const ODD = '{"model":   "x",\n\t"hooks": {}, "n": 1e2 }'

async function attach(file: string, last: Edited | null = null): Promise<Edited> {
  const settings = withHooks((await readSettings(file)) ?? {}, OURS)
  const edited = await makeEdit(file, settings, last)
  await writeSettings(file, settings)
  return edited
}

describe('settings that are restored', () => {
  it('AGT-X-7 are the original bytes, also after hooks were added twice', async () => {
    const file = join(folder, 'odd.json')
    await writeFile(file, ODD)
    const first = await attach(file)
    expect(await readFile(file, 'utf8')).not.toBe(ODD)
    await restoreSettings(file, await attach(file, first))
    expect(await readFile(file, 'utf8')).toBe(ODD)
    expect(await readdir(folder)).toEqual(['odd.json'])
  })

  it('AGT-X-7 are removed if there was no file before', async () => {
    const file = join(folder, 'none.json')
    await restoreSettings(file, await attach(file))
    expect(await readSettings(file)).toBeNull()
  })

  it('AGT-X-7 keep changes that others made since', async () => {
    const file = join(folder, 'changed.json')
    await writeFile(file, ODD)
    const edited = await attach(file)
    const now = (await readSettings(file)) ?? {}
    await writeFile(file, JSON.stringify({ ...now, theme: 'dark' }))
    await restoreSettings(file, edited)
    expect(await readSettings(file)).toMatchObject({ model: 'x', n: 100, theme: 'dark' })
    expect(await readFile(file, 'utf8')).not.toContain('hook.cjs')
    await rm(backupOf(file), { force: true })
  })
})
