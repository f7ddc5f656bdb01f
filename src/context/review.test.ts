// What a review looks at, and that a hostile repository can neither run anything nor smuggle anything out.

import { chmodSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commitAll, folderWith, git, plant, repositoryWith } from '../../test/fakes/folders.ts'
import { ASSIGNED, PLANTED, privateKey } from '../../test/fakes/planted.ts'
import { fromUtf8 } from '../ledger/bytes.ts'
import { type Pack, packBytes } from './pack.ts'
import { reviewPack } from './review.ts'

const review = (folder: string, ...words: string[]) => reviewPack({ folder, words })
const diffOf = (pack: Pack) => pack.parts.find(({ name }) => name === 'diff')?.text ?? ''
const paths = (pack: Pack) => pack.index.map(({ path }) => path)
const branched = () => {
  const folder = repositoryWith({ 'a.ts': 'let a = 1\n', 'b.ts': 'let b = 1\n', '.gitignore': '*.log\n' })
  git(folder, 'checkout', '-q', '-b', 'feature')
  plant(folder, { 'a.ts': 'let a = 2\n' })
  commitAll(folder, 'second')
  return folder
}

describe('a review without arguments', () => {
  it('compares the working folder with where the branch began, new files included', async () => {
    const folder = branched()
    plant(folder, {
      'b.ts': 'let b = 2\n',
      'new.ts': 'let n = 1',
      'x.log': 'no',
      'sub/deep/é.ts': 'let é = 1\n',
    })
    const pack = await review(join(folder, 'sub'))
    expect(paths(pack)).toEqual(['a.ts', 'b.ts', 'new.ts', 'sub/deep/é.ts'])
    expect(diffOf(pack)).toContain('-let a = 1\n+let a = 2\n')
    expect(diffOf(pack)).toContain(
      '+++ b/new.ts\n@@ -0,0 +1,1 @@\n+let n = 1\n\\ No newline at end of file\n',
    )
    expect(pack.diff).toBe('the working folder against where it left main')
    expect(pack.parts.map(({ name }) => name)).toEqual(['context', 'diff', 'context:a.ts', 'context:b.ts'])
    expect(pack.reviewed).toContainEqual({ path: 'new.ts', lines: 1, bytes: 9 })
    expect(pack.condensed.map(({ name }) => name)).toEqual(['context', 'diff'])
  })

  it('takes the last commit when nothing is changed, and says so', async () => {
    const folder = repositoryWith({ 'a.ts': 'let a = 1\n' })
    const first = await review(folder)
    expect(first.diff).toBe('the last commit, as nothing else is changed')
    expect(diffOf(first)).toContain('+let a = 1')
    plant(folder, { 'a.ts': 'let a = 2\n' })
    expect((await review(folder)).diff).toBe('the working folder against the last commit')
  })

  it('reads a repository without any commit', async () => {
    const folder = folderWith({ 'a.ts': 'let a = 1\n' })
    git(folder, 'init', '-q')
    expect(paths(await review(folder))).toEqual(['a.ts'])
    git(folder, 'add', 'a.ts')
    expect(diffOf(await review(folder))).toContain('+let a = 1')
  })

  it('gives the same bytes twice', async () => {
    const folder = branched()
    expect(packBytes(await review(folder))).toEqual(packBytes(await review(folder)))
  })
})

describe('arguments', () => {
  it('name a range, a commit or paths, and limit each other', async () => {
    const folder = branched()
    plant(folder, { 'b.ts': 'let b = 3\n' })
    commitAll(folder, 'third')
    expect(paths(await review(folder, 'main..feature'))).toEqual(['a.ts', 'b.ts'])
    expect(paths(await review(folder, 'main...'))).toEqual(['a.ts', 'b.ts'])
    expect(paths(await review(folder, 'HEAD~1'))).toEqual(['a.ts'])
    expect(paths(await review(folder, 'main..HEAD', 'b.ts'))).toEqual(['b.ts'])
    expect(paths(await review(folder, 'b.ts'))).toEqual(['b.ts'])
  })

  it('that name unchanged files include them whole', async () => {
    const folder = branched()
    const pack = await review(folder, 'b.ts')
    expect(pack.diff).toBeNull()
    expect(pack.parts.map(({ name }) => name)).toEqual(['context', 'context:b.ts'])
  })

  it('that name files outside any repository include them too', async () => {
    const folder = folderWith({ 'a.ts': 'let a = 1\n', 'b/c.ts': 'let c = 1\n' })
    expect(paths(await review(folder, 'a.ts', 'b'))).toEqual(['a.ts', 'b/c.ts'])
  })

  it.each([
    ['--output=stolen', 'RANGE_INVALID'],
    ['-O/etc/passwd', 'RANGE_INVALID'],
    ['main..--output=stolen', 'RANGE_INVALID'],
    ['main..nowhere', 'RANGE_INVALID'],
    ['nowhere', 'RANGE_INVALID'],
    ['main..HEAD^{/x;y}', 'RANGE_INVALID'],
    [':/first', 'RANGE_INVALID'],
    ['..', 'RANGE_INVALID'],
    ['main..main', 'NOTHING_TO_REVIEW'],
  ])('like %s are refused with %s and a next step', async (word, code) => {
    const folder = branched()
    await expect(review(folder, word)).rejects.toMatchObject({ code, next: expect.stringMatching(/\w/) })
    expect(existsSync(join(folder, 'stolen'))).toBe(false)
  })

  it('are needed where there is no repository, and git where there is one', async () => {
    await expect(review(folderWith({ 'a.ts': '' }))).rejects.toMatchObject({ code: 'NOT_A_REPOSITORY' })
    await expect(review(folderWith({ '.env': 'x' }), '.env')).rejects.toMatchObject({
      code: 'NOTHING_TO_REVIEW',
    })
    const folder = branched()
    const path = process.env.PATH
    process.env.PATH = folder
    try {
      await expect(review(folder)).rejects.toMatchObject({ code: 'GIT_MISSING' })
      expect(paths(await review(folder, 'b.ts'))).toEqual(['b.ts'])
    } finally {
      process.env.PATH = path
    }
    writeFileSync(join(folder, '.git', 'config'), '[broken')
    await expect(review(folder)).rejects.toMatchObject({ code: 'NOT_A_REPOSITORY' })
  })
})

describe('file names in a change', () => {
  it('keep their own piece, with any characters, and follow a rename', async () => {
    const odd = ['with space.ts', 'quo"te.ts', 'tab\there.ts', 'back\\slash.ts', 'ünï.ts', 'b b/a.ts']
    const folder = repositoryWith(
      Object.fromEntries([...odd, 'old name.ts'].map((name) => [name, 'let a = 1\n'.repeat(9)])),
    )
    for (const name of odd) writeFileSync(join(folder, name), `let changed = '${odd.indexOf(name)}'\n`)
    git(folder, 'mv', 'old name.ts', 'new name.ts')
    const pack = await review(folder)
    for (const name of odd) expect(diffOf(pack)).toContain(`+let changed = '${odd.indexOf(name)}'`)
    expect(diffOf(pack)).toContain('rename to new name.ts')
    expect(pack.excluded).toEqual([])
  })

  it('that hold secrets leave only the heading, as do binary and withheld files', async () => {
    const folder = repositoryWith({ 'a.ts': '', '.env': 'OLD=hidden-one\n', 'x/.witanignore': 'private*\n' })
    plant(folder, {
      '.env': 'NEW=hidden-two\n',
      'certs/site.pem': 'hidden-three\n',
      'x/private.ts': 'hidden-four\n',
      'blob.dat2': Uint8Array.of(0, 1, 2, 3, 0, 0),
      'node_modules/x/i.js': 'hidden-five\n',
    })
    git(folder, 'add', '-A', '-f')
    git(folder, 'mv', '-f', 'a.ts', 'b.ts')
    const pack = await review(folder)
    expect(fromUtf8(packBytes(pack))).not.toContain('hidden-')
    expect(Object.fromEntries(pack.excluded.map(({ path, reason }) => [path, reason]))).toEqual({
      '.env': 'secret-path',
      'blob.dat2': 'binary',
      'certs/site.pem': 'secret-path',
      'node_modules/x/i.js': 'dependency',
      'x/private.ts': 'ignored',
    })
    expect(diffOf(pack)).toContain('diff --git a/.env b/.env')
    const renamed = repositoryWith({ '.env': 'OLD=hidden-one\nA=1\nB=2\n' })
    git(renamed, 'mv', '.env', 'plain.txt')
    plant(renamed, { 'plain.txt': 'OLD=hidden-one\nA=1\nB=3\n' })
    expect(fromUtf8(packBytes(await review(renamed)))).not.toContain('hidden-')
  })
})

describe('a planted secret', () => {
  it('is in no diff: added, removed, around a change, in a new file, in a key', async () => {
    const values = [...PLANTED, ...ASSIGNED].map(([, value]) => value)
    const before = Array.from({ length: 20 }, (_, i) => `let v${i} = ${i}`).join('\n')
    const each = (make: (value: string, i: number) => readonly [string, string]) =>
      Object.fromEntries(values.map(make))
    const folder = repositoryWith({
      ...each((value, i) => [`a${i}.yml`, `${before}\n${value}\nx: 1\n`]),
      ...each((value, i) => [`gone${i}.yml`, `${value}\n`]),
    })
    for (const [i] of values.entries()) rmSync(join(folder, `gone${i}.yml`))
    plant(folder, {
      ...each((value, i) => [`a${i}.yml`, `${before}\n${value}\nx: 2\n`]),
      ...each((value, i) => [`new${i}.yml`, `${value}\n`]),
      'k.txt': `a\n${privateKey()}\nb\nc\nd\n`,
    })
    const pack = await review(folder)
    const bytes = fromUtf8(packBytes(pack)) ?? ''
    for (const value of values) expect(bytes).not.toContain(value)
    expect(bytes).not.toContain(privateKey().split('\n')[1] ?? '')
    expect(new Set(pack.removed.map(({ path }) => path)).size).toBe(3 * values.length + 1)
  })
})

describe('a hostile repository', () => {
  it('runs nothing: no filter, driver, hook, monitor, helper or pager of its own', async () => {
    const folder = repositoryWith({
      'a.txt': 'one\n',
      'sub/b.txt': 'one\n',
      '.gitattributes': '* filter=evil diff=evil\n',
    })
    const ran = join(folder, 'RAN')
    const script = join(folder, 'evil.sh')
    writeFileSync(script, `#!/bin/sh\necho "$0 $*" >> '${ran}'\ncat\n`)
    chmodSync(script, 0o755)
    const settings = [
      'filter.evil.clean',
      'filter.evil.smudge',
      'filter.evil.process',
      'diff.evil.command',
      'diff.evil.textconv',
      'diff.external',
      'core.fsmonitor',
      'core.pager',
      'core.sshCommand',
      'core.editor',
      'pager.diff',
      'core.askPass',
      'credential.helper',
      'uploadpack.packObjectsHook',
      'core.alternateRefsCommand',
    ]
    for (const setting of settings) git(folder, 'config', setting, script)
    for (const [name, value] of [
      ['filter.evil.required', 'true'],
      ['core.hooksPath', folder],
      ['core.worktree', '/'],
      ['extensions.partialClone', 'evil'],
      ['remote.evil.url', `ext::${script}`],
      ['remote.evil.promisor', 'true'],
      ['protocol.ext.allow', 'always'],
      ['diff.noprefix', 'true'],
      ['color.ui', 'always'],
    ]) {
      git(folder, 'config', name ?? '', value ?? '')
    }
    for (const hook of ['post-index-change', 'fsmonitor-watchman', 'post-checkout', 'pre-commit'])
      symlinkSync(script, join(folder, hook))
    plant(folder, { 'a.txt': 'two\n', 'sub/b.txt': 'two\n', 'c.txt': 'new\n' })
    const pack = await review(folder)
    expect(diffOf(pack)).toContain('-one\n+two\n')
    expect(paths(pack)).toContain('c.txt')
    expect(existsSync(ran) ? readFileSync(ran, 'utf8') : '').toBe('')
    await expect(review(folder, `${'0'.repeat(40)}..HEAD`)).rejects.toMatchObject({ code: 'RANGE_INVALID' })
    expect(existsSync(ran)).toBe(false)
  })

  it('cannot point at files elsewhere, by a link in place of a folder or a file', async () => {
    const outside = folderWith({ 'b.txt': 'far away\n' })
    const folder = repositoryWith({ 'sub/b.txt': 'one\n', 'c.txt': 'one\n' })
    rmSync(join(folder, 'sub'), { recursive: true })
    rmSync(join(folder, 'c.txt'))
    symlinkSync(outside, join(folder, 'sub'))
    symlinkSync(join(outside, 'b.txt'), join(folder, 'c.txt'))
    symlinkSync(join(outside, 'b.txt'), join(folder, 'fresh.txt'))
    expect(fromUtf8(packBytes(await review(folder)))).not.toContain('far away')
  })

  it('cannot fake a file by what a file says', async () => {
    const fake =
      'diff --git a/fake.ts b/fake.ts\nnew file mode 100644\n--- /dev/null\n+++ b/fake.ts\n@@ -0,0 +1 @@\n+x\n'
    const folder = repositoryWith({ 'a.txt': 'one\n' })
    plant(folder, { 'a.txt': fake, 'b.txt': fake })
    expect(paths(await review(folder))).toEqual(['a.txt', 'b.txt'])
  })
})

describe('a large change', () => {
  it('is shown as far as it fits, lock files last, and the rest is listed', async () => {
    const lines = (n: number) => Array.from({ length: n }, (_, i) => `let v = ${i}`).join('\n')
    const folder = repositoryWith({ 'x.txt': '' })
    plant(folder, { 'a.lock': lines(900), 'b.ts': lines(900), 'c.ts': lines(20_000) })
    const pack = await reviewPack({ folder, words: [] }, { limits: { bytes: 30_000 } })
    expect(pack.kind).toBe('summary')
    expect(pack.bytes).toBeLessThanOrEqual(30_000)
    expect(pack.excluded.map(({ path, reason }) => `${path} ${reason}`)).toEqual([
      'a.lock over-limit',
      'c.ts too-large',
    ])
    expect(pack.reviewed.map(({ path }) => path)).toEqual(['b.ts'])
    expect(diffOf(pack)).toContain('diff --git a/c.ts b/c.ts')
  })
})
