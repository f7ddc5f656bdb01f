// The tools for files: the contract, what it does, and every way out of its roots that we could think of.
import { execFileSync, spawn } from 'node:child_process'
import {
  chmod,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  callNow,
  cleanPlanted,
  describeToolsetContract,
  PLANTED_SECRET,
  textOf,
} from '../../../test/contracts/toolsets.ts'
import type { Json } from '../../ledger/canonical.ts'
import type { CallLimits, Toolset } from '../toolset.ts'
import { fileTools } from './files.ts'
import { sha256 } from './whole-files.ts'

interface World {
  readonly base: string
  readonly workspace: string
  readonly witanHome: string
  readonly userHome: string
  readonly toolset: Toolset
}

/** A user's home with a project in it, and a Witan home inside the project. */
async function makeWorld(): Promise<World> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'witan-files-')))
  const userHome = join(base, 'home/ana')
  const workspace = join(userHome, 'project')
  const witanHome = join(workspace, '.witan')
  await mkdir(join(witanHome, 'keys'), { recursive: true })
  await mkdir(join(workspace, 'src/deep'), { recursive: true })
  await mkdir(join(base, 'data'))
  await writeFile(join(witanHome, 'keys/critic.pem'), 'PRIVATE')
  await writeFile(join(userHome, '.bashrc'), 'HOME FILE')
  await writeFile(join(base, 'data/table.csv'), 'a,b')
  await writeFile(join(workspace, 'README.md'), 'Ünïcödé read me')
  await writeFile(join(workspace, 'src/deep/a.ts'), 'export const a = 1\n')
  await writeFile(join(workspace, 'config.env'), `KEY=${PLANTED_SECRET}\n`)
  await writeFile(join(workspace, 'big.txt'), 'x'.repeat(5_000))
  const toolset = fileTools({
    roots: [
      { name: 'workspace', path: workspace, write: true },
      { name: 'data', path: join(base, 'data'), write: false },
      { name: 'everything', path: base, write: true },
    ],
    forbidden: { never: [witanHome], homes: [userHome] },
    clean: cleanPlanted,
    maxFileBytes: 10_000,
  })
  return { base, workspace, witanHome, userHome, toolset }
}

const leftovers = async (folder: string) =>
  (await readdir(folder, { recursive: true })).filter((name) => /\.tmp$/.test(name))

describeToolsetContract('files', async () => {
  const { base, toolset } = await makeWorld()
  return {
    toolset,
    good: { tool: 'files.read', input: { path: 'README.md' }, says: 'Ünïcödé' },
    bad: { tool: 'files.write', input: { path: 'a.txt' }, names: 'content' },
    secret: { tool: 'files.read', input: { path: 'config.env' } },
    large: { tool: 'files.read', input: { path: 'big.txt' } },
    endless: 'a regular file has an end',
    leftovers: () => leftovers(base),
    dispose: () => rm(base, { recursive: true }),
  }
})

describe('the toolset for files', () => {
  let world: World
  beforeEach(async () => {
    world = await makeWorld()
  })
  afterEach(() => rm(world.base, { recursive: true }))
  const call = (tool: string, input: Json, limits: Partial<CallLimits> = {}) =>
    callNow(world.toolset, { tool: `files.${tool}`, input }, limits)
  const at = (...names: string[]) => join(world.workspace, ...names)

  it('reads a page, and never cuts a character or a secret in two', async () => {
    const first = await call('read', { path: 'README.md', length: 1 })
    expect(first).toMatchObject({ ok: true, truncated: true })
    expect(textOf(first)).toBe('')
    expect(textOf(await call('read', { path: 'README.md', length: 2 }))).toBe('Ü')
    expect(textOf(await call('read', { path: 'README.md', offset: 2, length: 3 }))).toBe('nï')
    const cut = await call('read', { path: 'config.env', offset: 0, length: 12 })
    expect(textOf(cut)).toBe('KEY=[secret]')
    expect(await call('read', { path: 'README.md', offset: 9_999 })).toMatchObject({
      ok: true,
      truncated: false,
    })
  })

  it('reports what does not exist, what is a folder, and what is too large', async () => {
    expect(await call('read', { path: 'nothing.txt' })).toMatchObject({ type: 'not_found' })
    expect(await call('read', { path: 'nowhere/nothing.txt' })).toMatchObject({ type: 'not_found' })
    expect(await call('read', { path: 'src' })).toMatchObject({ ok: false, type: 'denied' })
    expect(await call('read', { path: '.' })).toMatchObject({ ok: false, type: 'error' })
    expect(await call('list', { path: 'README.md' })).toMatchObject({ ok: false, type: 'error' })
    await writeFile(at('huge.bin'), Buffer.alloc(10_001))
    expect(await call('read', { path: 'huge.bin' })).toMatchObject({ type: 'output_too_large' })
    expect(await call('write', { path: 'a.txt', content: 'x'.repeat(10_001) })).toMatchObject({
      type: 'denied',
    })
  })

  it('lists to a depth, names links, and does not show what is forbidden', async () => {
    await symlink(world.userHome, at('way-out'))
    const listed = await call('list', { path: '.', depth: 3 })
    const entries: { path: string; kind: string }[] = JSON.parse(textOf(listed))
    expect(entries.map((entry) => `${entry.kind} ${entry.path}`)).toEqual([
      'file README.md',
      'file big.txt',
      'file config.env',
      'folder src',
      'link way-out',
      'folder src/deep',
      'file src/deep/a.ts',
    ])
  })

  it('writes a new file, keeps the mode of an old one, and tells what it replaced', async () => {
    const made = await call('write', { path: 'new/folder/a.txt', content: 'α', create_folders: true })
    expect(JSON.parse(textOf(made))).toMatchObject({ before: null, after: sha256(Buffer.from('α')) })
    expect(await readFile(at('new/folder/a.txt'), 'utf8')).toBe('α')
    await chmod(at('README.md'), 0o640)
    const again = await call('write', { path: 'README.md', content: 'new' })
    expect(JSON.parse(textOf(again)).before).toBe(sha256(Buffer.from('Ünïcödé read me')))
    expect((await stat(at('README.md'))).mode & 0o777).toBe(0o640)
    expect(await leftovers(world.base)).toEqual([])
  })

  it('does not write over what was not expected', async () => {
    const wrong = await call('write', { path: 'README.md', content: 'x', expected: '0'.repeat(64) })
    expect(wrong).toMatchObject({ type: 'error', message: expect.stringContaining('not as expected') })
    expect(await call('write', { path: 'README.md', content: 'x', expected: null })).toMatchObject({
      type: 'error',
    })
    expect(await readFile(at('README.md'), 'utf8')).toBe('Ünïcödé read me')
    expect(await call('write', { path: 'other.md', content: 'x', expected: null })).toMatchObject({
      ok: true,
    })
  })

  it('patches exact text, all edits or none', async () => {
    const edits = [
      { find: 'const a', replace: 'const b' },
      { find: '= 1', replace: '= $& 2' },
    ]
    expect(await call('patch', { path: 'src/deep/a.ts', edits })).toMatchObject({ ok: true })
    expect(await readFile(at('src/deep/a.ts'), 'utf8')).toBe('export const b = $& 2\n')
    const half = [
      { find: 'const b', replace: 'const c' },
      { find: 'gone', replace: '' },
    ]
    const failed = await call('patch', { path: 'src/deep/a.ts', edits: half })
    expect(failed).toMatchObject({ message: 'edit 2: the text to find is not in the file' })
    expect(await readFile(at('src/deep/a.ts'), 'utf8')).toContain('const b')
    const twice = { path: 'big.txt', edits: [{ find: 'xx', replace: 'y' }] }
    expect(await call('patch', twice)).toMatchObject({ message: expect.stringMatching(/2500 times/) })
    expect(await call('patch', { ...twice, edits: [{ ...twice.edits[0], all: true }] })).toMatchObject({
      ok: true,
    })
  })

  it('does not create with a patch what could not be written', async () => {
    const edits = [
      { find: 'x', replace: 'y'.repeat(500_000), all: true },
      { find: 'y', replace: '' },
    ]
    const outcome = await call('patch', { path: 'big.txt', edits })
    expect(outcome).toMatchObject({
      type: 'denied',
      message: expect.stringContaining('2500000000 characters'),
    })
    expect((await readFile(at('big.txt'), 'utf8')).length).toBe(5_000)
  })

  it('does not write into a root for reading, nor into .git', async () => {
    expect(await call('write', { root: 'data', path: 'x.csv', content: '' })).toMatchObject({
      type: 'denied',
      message: 'the root data is for reading only',
    })
    await mkdir(at('.git/hooks'), { recursive: true })
    for (const path of ['.git/hooks/pre-commit', '.git/config', 'src/../.git/config', '.GIT/config']) {
      expect(await call('write', { path, content: 'evil' })).toMatchObject({ type: 'denied' })
    }
    expect(await call('read', { root: 'data', path: 'table.csv' })).toMatchObject({ ok: true })
    expect(await call('read', { root: 'none', path: 'table.csv' })).toMatchObject({ type: 'denied' })
  })

  describe('AGT-TOOL-6 does not leave its roots', () => {
    const refused = async (input: Json) => {
      for (const [tool, more] of [
        ['read', {}],
        ['list', {}],
        ['write', { content: 'evil', create_folders: true }],
        ['patch', { edits: [{ find: 'a', replace: 'b' }] }],
      ] as const) {
        const outcome = await call(tool, { ...(input as object), ...more } as Json)
        expect(outcome, `${tool} ${JSON.stringify(input)}`).toMatchObject({
          ok: false,
          type: 'denied',
          content: [],
        })
      }
    }

    it.each([
      '../.bashrc',
      'src/../../.bashrc',
      'src/../../../etc/passwd',
      '/etc/passwd',
      '//etc/passwd',
      'file:///etc/passwd',
      'file:/etc/passwd',
      'FILE:///etc/passwd',
      'http://127.0.0.1/',
      'C:/Windows/win.ini',
      '..\\..\\.bashrc',
      'README.md\u0000.png',
      'a\nb',
    ])('by the path %j', (path) => refused({ path }))

    it('by a link to a file or a folder outside, of any depth', async () => {
      await symlink(join(world.userHome, '.bashrc'), at('file-link'))
      await symlink('../..', at('folder-link'))
      await symlink('folder-link/ana', at('link-of-link'))
      await symlink(join(world.base, 'not-yet'), at('dangling'))
      await symlink('circle', at('circle'))
      for (const path of [
        'file-link',
        'folder-link/ana/.bashrc',
        'link-of-link/.bashrc',
        'dangling',
        'dangling/x',
      ]) {
        const outcome = await call('write', { path, content: 'evil', create_folders: true })
        expect(outcome, path).toMatchObject({ ok: false, type: 'denied' })
      }
      await refused({ path: 'file-link' })
      await refused({ path: 'folder-link/ana/.bashrc' })
      await refused({ path: 'circle' })
      expect(await readFile(join(world.userHome, '.bashrc'), 'utf8')).toBe('HOME FILE')
      expect(await readdir(world.base)).not.toContain('not-yet')
    })

    it('but follows a link that stays inside', async () => {
      await symlink('src/deep', at('short'))
      expect(await call('read', { path: 'short/a.ts' })).toMatchObject({ ok: true })
      expect(await call('write', { path: 'short/b.ts', content: '1' })).toMatchObject({ ok: true })
      expect(await readFile(at('src/deep/b.ts'), 'utf8')).toBe('1')
    })

    it('to the vault and the keys, by name or by link', async () => {
      await symlink('.witan/keys', at('innocent'))
      for (const path of [
        '.witan',
        '.witan/keys/critic.pem',
        './.witan//keys/critic.pem',
        'innocent/critic.pem',
      ]) {
        await refused({ path })
      }
      await refused({ root: 'everything', path: 'home/ana/project/.witan/keys/critic.pem' })
      expect(await readFile(join(world.witanHome, 'keys/critic.pem'), 'utf8')).toBe('PRIVATE')
    })

    it('to the home of the user through a root that contains it', async () => {
      for (const path of ['home/ana/.bashrc', 'home/ana', 'home/ana/project/README.md']) {
        await refused({ root: 'everything', path })
      }
    })

    it('to a pipe, which would wait forever', async () => {
      execFileSync('mkfifo', [at('pipe')])
      for (const [tool, more] of [
        ['read', {}],
        ['write', { content: 'x' }],
      ] as const) {
        expect(await call(tool, { path: 'pipe', ...more })).toMatchObject({ type: 'denied' })
      }
      expect(await call('list', { path: 'pipe' })).toMatchObject({ ok: false, content: [] })
    })

    it('by writing through a hard link: the other name keeps its content', async () => {
      await link(join(world.userHome, '.bashrc'), at('hard'))
      expect(await call('write', { path: 'hard', content: 'evil' })).toMatchObject({ ok: true })
      expect(await readFile(join(world.userHome, '.bashrc'), 'utf8')).toBe('HOME FILE')
    })

    it('while someone swaps a folder for a link again and again', async () => {
      await mkdir(at('swap'))
      await writeFile(at('swap/.bashrc'), 'INSIDE')
      const script = `cd ${JSON.stringify(world.workspace)} && for i in $(seq 150); do mv swap kept; ln -s .. swap; rm swap; mv kept swap; done`
      const swapper = spawn('sh', ['-c', script], { stdio: 'ignore' })
      const ended = new Promise((resolve) => swapper.once('exit', resolve))
      let going = true
      void ended.then(() => {
        going = false
      })
      while (going) {
        const outcome = await call('read', { path: 'swap/.bashrc' })
        expect(textOf(outcome)).not.toContain('HOME')
        await call('write', { path: 'swap/written', content: 'x' })
      }
      expect(await readdir(world.userHome)).not.toContain('written')
    })
  })
})
