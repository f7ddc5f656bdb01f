// What is found under given paths and what is not, with the reason: ignore files, names, links, limits.

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderWith, plant, type Tree } from '../../test/fakes/folders.ts'
import { PLANTED } from '../../test/fakes/planted.ts'
import { fileReason, folderReason, pathReason } from './path-rules.ts'
import { walk } from './walk.ts'

const LIMITS = { entries: 50_000, files: 5_000 }

async function found(tree: Tree, paths: readonly string[] = ['.'], limits = LIMITS) {
  const root = folderWith(tree)
  const { files, excluded } = await walk(root, paths, limits)
  return {
    files: files.map(({ path }) => path),
    excluded: Object.fromEntries(excluded.map(({ path, reason }) => [path, reason])),
  }
}

describe('ignore files', () => {
  it('are read in every folder, and the deeper one wins', async () => {
    const { files, excluded } = await found({
      '.gitignore': '*.log\n/only-here.txt\ntmp/\n',
      'a.log': '',
      'only-here.txt': '',
      'sub/only-here.txt': '',
      'sub/.gitignore': '!keep.log\nx*\n',
      'sub/keep.log': '',
      'sub/drop.log': '',
      'sub/deep/xyz': '',
      'sub/tmp/file': '',
      xyz: '',
    })
    expect(files).toEqual(['.gitignore', 'sub/.gitignore', 'sub/keep.log', 'sub/only-here.txt', 'xyz'])
    expect(excluded).toEqual({
      'a.log': 'ignored',
      'only-here.txt': 'ignored',
      'sub/deep/xyz': 'ignored',
      'sub/drop.log': 'ignored',
      'sub/tmp/': 'ignored',
    })
  })

  it('with our own name count after those of git, and from the top of the repository', async () => {
    const tree = {
      '.git/HEAD': '',
      '.gitignore': '*.gen\n',
      '.witanignore': '!wanted.gen\nprivate/\n',
      'in/wanted.gen': '',
      'in/other.gen': '',
      'in/private/a.ts': '',
    }
    const { files, excluded } = await found(tree, ['in'])
    expect(files).toEqual(['in/wanted.gen'])
    expect(excluded).toEqual({ 'in/other.gen': 'ignored', 'in/private/': 'ignored' })
  })

  it('do not hide what the user names, but secrets stay hidden', async () => {
    const tree = {
      '.gitignore': 'dist/\n*.log\n.env\n',
      'dist/a.js': '',
      'b.log': '',
      '.env': '',
      'c.log': '',
    }
    const { files, excluded } = await found(tree, ['dist', 'b.log', '.env'])
    expect(files).toEqual(['b.log', 'dist/a.js'])
    expect(excluded).toEqual({ '.env': 'secret-path' })
  })

  it('cannot stall the walk with a pattern of many stars: it then hides more, not less', async () => {
    const stars = `${'*a'.repeat(30)}*b`
    const deep = `${'**/a/'.repeat(20)}b`
    const { files } = await found({
      '.gitignore': `${stars}\n!${stars}\n${deep}\n`,
      [`${'a'.repeat(200)}c`]: '',
      [`${'a'.repeat(90)}b`]: '',
    })
    expect(files).toEqual(['.gitignore', `${'a'.repeat(200)}c`])
  })
})

describe('names', () => {
  it.each([
    '.env',
    'app/.env.production',
    '.envrc',
    'config/prod.env',
    'id_rsa',
    'deploy/id_ed25519',
    'certs/site.pem',
    'server.key',
    'site.crt',
    'store.jks',
    'a.p12',
    'credentials',
    'config/credentials.json',
    'aws-credentials.csv',
    'secrets.yaml',
    'k8s/db-secret.yaml',
    'client_secret_123.json',
    'service-account-prod.json',
    '.netrc',
    '.pgpass',
    'etc/shadow',
    'backup/gshadow-',
    'infra/terraform.tfstate',
    'infra/prod.auto.tfvars',
    'secrets/db.txt',
    'secrets/master',
    'home/.ssh/config',
    'home/.aws/config',
  ])('keep %s out as a secret', (path) => {
    expect(pathReason(path)).toBe('secret-path')
  })

  it.each([
    'db/migrations/001_users.sql',
    'src/token_store.py',
    'src/access_token.ts',
    'design/tokens.json',
    'src/secrets.ts',
    'src/secrets/find.ts',
    'src/credentials/provider.go',
    '.env.example',
    'secrets.example.yaml',
    'id_rsa.pub',
    'docs/passwords.md',
    'src/shadow.ts',
    'src/build/index.ts',
    'keyboard.ts',
    'environment.ts',
  ])('let %s be read', (path) => {
    expect(pathReason(path)).toBeNull()
  })

  it('of folders say why they are not entered', () => {
    const reasons = [
      'node_modules',
      'a/.venv',
      'vendor',
      '.git',
      'dist',
      'packages/x/build',
      '__pycache__',
      '.next',
    ]
    expect(reasons.map(folderReason)).toEqual([
      'dependency',
      'dependency',
      'dependency',
      'vcs',
      'build',
      'build',
      'cache',
      'build',
    ])
    expect(['a.png', 'x.min.js', 'lib.so', '.eslintcache'].map(fileReason)).toEqual([
      'binary',
      'build',
      'binary',
      'cache',
    ])
  })

  it('that hold a secret are shown without it, files and folders alike', async () => {
    const key = PLANTED[0]?.[1] ?? ''
    const { files, excluded } = await found({ [`logs/${key}.txt`]: '', [`${key}/a.txt`]: '', 'ok.txt': '' })
    expect(files).toEqual(['ok.txt'])
    expect(Object.values(excluded)).toEqual(['secret-path', 'secret-path'])
    expect(JSON.stringify(excluded)).not.toContain(key.slice(-12))
  })

  it('with controls in them are shown as escapes', async () => {
    const { files } = await found({ 'a\u001b[31m\nb.txt': '' })
    expect(files).toEqual(['a\\u001b[31m\\u000ab.txt'])
  })
})

describe('links', () => {
  it('are never followed, neither out of the root nor into a loop', async () => {
    const outside = folderWith({ 'far/away.txt': 'far' })
    const root = folderWith({ 'a/in.txt': '' })
    symlinkSync(join(outside, 'far'), join(root, 'a', 'folder'))
    symlinkSync(join(outside, 'far', 'away.txt'), join(root, 'a', 'file.txt'))
    symlinkSync(root, join(root, 'a', 'loop'))
    const { files, excluded } = await walk(root, ['.'], LIMITS)
    expect(files.map(({ path }) => path)).toEqual(['a/in.txt'])
    expect(excluded.map(({ path, reason }) => `${path}: ${reason}`)).toEqual([
      'a/file.txt: symlink',
      'a/folder: symlink',
      'a/loop: symlink',
    ])
  })

  it('do not lead out of the root when they are named, and are read by their true name inside', async () => {
    const outside = folderWith({ 'away.txt': '' })
    const root = folderWith({ 'in.txt': '' })
    symlinkSync(outside, join(root, 'out'))
    symlinkSync(join(root, 'in.txt'), join(root, 'alias'))
    const { files, excluded } = await walk(root, ['out', 'out/away.txt', 'alias', 'in.txt'], LIMITS)
    expect(files.map(({ path }) => path)).toEqual(['in.txt'])
    expect(excluded.map(({ reason }) => reason)).toEqual(['symlink', 'symlink'])
  })

  it('are not needed for a folder elsewhere: it is named by its own name', async () => {
    const elsewhere = folderWith({ 'lib/a.txt': '' })
    const other = folderWith({ 'lib/a.txt': '' })
    const root = folderWith({ 'b.txt': '' })
    const { files } = await walk(root, ['.', join(elsewhere, 'lib'), join(other, 'lib')], LIMITS)
    expect(files.map(({ path }) => path)).toEqual(['b.txt', 'lib-2/a.txt', 'lib/a.txt'])
  })
})

describe('limits', () => {
  it('hold among ten thousand files, and what is beyond them is counted', async () => {
    const root = folderWith({ 'top.txt': '' })
    mkdirSync(join(root, 'many'))
    for (let i = 0; i < 10_000; i++) writeFileSync(join(root, 'many', `${i}.txt`), '')
    const { files, excluded } = await walk(root, ['.'], { entries: 8_000, files: 1_000 })
    expect(files).toHaveLength(1_000)
    expect(files.map(({ path }) => path)).toContain('top.txt')
    expect(excluded).toEqual([
      { path: 'many/', reason: 'over-limit', detail: '2002 names not looked at' },
      { path: 'many/', reason: 'over-limit', detail: '6999 files' },
    ])
  })

  it('never exclude a file that the user named', async () => {
    const tree = { 'a/1.txt': '', 'a/2.txt': '', 'z.txt': '' }
    expect((await found(tree, ['a', 'z.txt'], { entries: 100, files: 1 })).files).toEqual(['z.txt'])
  })

  it('a path that is not there is an error with a next step', async () => {
    await expect(walk(folderWith({}), ['nope'], LIMITS)).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' })
  })

  it('the same tree gives the same answer, however its files were made', async () => {
    const tree = { 'b/2': 'x', 'a/1': 'x', c: 'x', '.gitignore': 'b/9\n', 'b/9': 'x' }
    const backwards = folderWith({})
    plant(backwards, Object.fromEntries(Object.entries(tree).reverse()))
    const again = await walk(backwards, ['.', 'c'], LIMITS)
    const paths = again.files.map(({ path }) => path)
    expect((await found(tree)).files).toEqual(paths)
  })
})
