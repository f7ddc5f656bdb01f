// What `witan attach` refuses, and what it says then.

import { cp, mkdir, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectRoot } from '../support/sources.ts'
import { directory, witan } from './command.ts'

/** A copy of the program as a package runner makes it, in this folder; what it loads is shared. */
async function copyIn(folder: string): Promise<string> {
  const copy = join(folder, 'node_modules/witan')
  await mkdir(copy, { recursive: true })
  await cp(join(projectRoot, 'bin'), join(copy, 'bin'), { recursive: true })
  for (const name of ['dist', 'data', 'node_modules', 'package.json'])
    await symlink(join(projectRoot, name), join(copy, name))
  return join(copy, 'bin/witan.js')
}

describe('witan attach', () => {
  it('AGT-X-7 writes no hooks that start what npx throws away, and makes no home for them', async () => {
    const folder = await directory()
    const copy = await copyIn(join(folder, '.npm/_npx/0a1b2c3d4e5f6071'))
    const where = { home: join(folder, 'home'), cwd: folder, env: { HOME: folder } }
    const via = ['sh', '-c', `node="$0"; shift; exec "$node" '${copy}' "$@"`]
    const { code, stdout, stderr } = await witan({ ...where, via }, 'attach', 'claude', '--gate')
    expect([code, stdout, stderr]).toEqual([
      2,
      '',
      expect.stringMatching(/^error USAGE: Witan runs from a folder of npx.*\nnext: .*npm install -g witan/),
    ])
    expect(await readdir(folder)).toEqual(['.npm'])
  })
})
