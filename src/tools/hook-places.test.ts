// Hook places and hard links, as the files hand and the policies see them.
import { chmod, link, mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { callNow, cleanPlanted } from '../../test/contracts/toolsets.ts'
import type { Json } from '../ledger/canonical.ts'
import { fileTools } from './files/files.ts'
import { loadPolicy } from './policy/policy.ts'
import { profileFile } from './policy/policy-files.ts'
import { factsOf } from './policy/risk.ts'
import type { ToolDefinition } from './toolset.ts'

let base: string
const at = (...path: readonly string[]): string => join(base, ...path)
beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'witan-hooks-')))
  for (const folder of ['work', 'keys', 'store']) await mkdir(at(folder))
})
afterEach(() => rm(base, { recursive: true }))

function call(tool: string, input: Json) {
  const roots = [{ name: 'workspace', path: at('work'), write: true }]
  const toolset = fileTools({ roots, forbidden: { never: [at('keys')], homes: [] }, clean: cleanPlanted })
  return callNow(toolset, { tool: `files.${tool}`, input })
}
const write = (path: string) => call('write', { path, content: 'evil', create_folders: true })

describe('a file is not written', () => {
  it.each([
    '.git/hooks/pre-commit',
    '.git',
    '.GIT/config',
    'sub/.git/config',
    'sub/.git',
    '.husky/pre-commit',
    '.vscode/tasks.json',
    '.idea/workspace.xml',
    '.envrc',
    '.devcontainer/devcontainer.json',
    '.claude/settings.json',
    '.mcp.json',
    'HEAD',
    'odd/HEAD',
    'odd/commondir',
  ])('AGT-TOOL-6 into the hook place %s', async (path) => {
    expect(await write(path)).toMatchObject({ ok: false, type: 'denied', content: [] })
    expect(await readdir(at('work'))).toEqual([])
  })

  it('AGT-TOOL-6 into a folder that git takes for a repository, and is written beside it', async () => {
    for (const folder of ['bare.git/objects', 'bare.git/refs'])
      await mkdir(at('work', folder), { recursive: true })
    await writeFile(at('work/bare.git/HEAD'), 'ref: refs/heads/main\n')
    for (const path of ['bare.git/config', 'bare.git/hooks/post-update'])
      expect(await write(path)).toMatchObject({ ok: false, type: 'denied' })
    expect(await write('src/.vscode-like/x')).toMatchObject({ ok: true })
    expect(await write('.github/CODEOWNERS')).toMatchObject({ ok: true })
  })
})

describe('a file with several names is read', () => {
  const read = (path: string) => call('read', { path })

  it('AGT-TOOL-6 not if it is a key, with any permissions', async () => {
    await writeFile(at('keys/registrar.pem'), 'PRIVATE', { mode: 0o644 })
    await link(at('keys/registrar.pem'), at('work/readme.txt'))
    expect(await read('readme.txt')).toMatchObject({ ok: false, type: 'denied', content: [] })
    expect(await call('patch', { path: 'readme.txt', edits: [{ find: 'P', replace: 'Q' }] })).toMatchObject({
      type: 'denied',
    })
  })

  it('AGT-TOOL-6 not when it is private and a name lies outside', async () => {
    await writeFile(at('store/private'), 'PRIVATE', { mode: 0o600 })
    await link(at('store/private'), at('work/linked'))
    expect(await read('linked')).toMatchObject({ ok: false, type: 'denied', content: [] })
  })

  it('when it is open to others, as in the store of a package manager, or all its names are inside', async () => {
    await writeFile(at('store/index.js'), 'shared')
    await chmod(at('store/index.js'), 0o644)
    await link(at('store/index.js'), at('work/index.js'))
    expect(await read('index.js')).toMatchObject({ ok: true })
    await writeFile(at('work/one'), 'mine', { mode: 0o600 })
    await link(at('work/one'), at('work/two'))
    expect(await read('one')).toMatchObject({ ok: true })
  })
})

describe("a file that the user's tools run later", () => {
  const files: ToolDefinition = {
    ...{ name: 'files.write', description: '', inputSchema: {}, source: 'files' },
    effects: ['write'],
  }
  const facts = (path: string, definition = files) => factsOf(definition, { path }, '/work')

  it.each([
    'package.json',
    'packages/a/package.json',
    'Makefile',
    '.github/workflows/ci.yml',
    'build.rs',
    'vite.config.ts',
    '.gitattributes',
  ])('AGT-TOOL-6 is a risk that policies see: %s', (path) => {
    expect(facts(path)).toMatchObject({ risk: 'high', effects: ['write', 'runs_later'] })
    expect(facts(path).rules).toContain('runs-later')
  })

  it('is no risk if it is only read, nor is any other file', () => {
    const reading: ToolDefinition = { ...files, name: 'files.read', effects: ['read'] }
    expect(facts('package.json', reading)).toMatchObject({ risk: 'low', effects: ['read'] })
    expect(facts('src/index.ts')).toMatchObject({ risk: 'medium', effects: ['write'] })
  })

  it('AGT-TOOL-6 takes the critic where changes are free, and can be forbidden by name', async () => {
    const lenient = await loadPolicy({ operator: [await profileFile('lenient')], task: [] })
    expect(lenient.decide(facts('src/index.ts'), 'executor').needs).toBe('none')
    expect(lenient.decide(facts('package.json'), 'executor').needs).toBe('critic')
    const text = `permit (principal, action, resource);
      forbid (principal, action, resource) when { context.effects.contains("runs_later") };`
    const own = await loadPolicy({ operator: [{ name: 'own.cedar', text }], task: [] })
    expect(own.decide(facts('package.json'), 'executor').needs).toBe('deny')
    expect(own.decide(facts('src/index.ts'), 'executor').needs).toBe('none')
  })
})
