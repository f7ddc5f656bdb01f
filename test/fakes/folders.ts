// Folders of files made for one test, and repositories in them, removed when the test is over.

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

export type Tree = Readonly<Record<string, string | Uint8Array>>

export function plant(folder: string, tree: Tree): void {
  for (const [path, content] of Object.entries(tree)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
}

/** Call inside a test. */
export function folderWith(tree: Tree): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'witan-pack-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  plant(folder, tree)
  return folder
}

const IDENTITY = ['-c', 'user.name=t', '-c', 'user.email=t@example.org', '-c', 'commit.gpgsign=false']
const QUIET = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }

export const git = (folder: string, ...args: string[]): string =>
  execFileSync('git', [...IDENTITY, ...args], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: folder, ...QUIET },
  })

/** A repository whose first commit holds the tree. */
export function repositoryWith(tree: Tree): string {
  const folder = folderWith(tree)
  git(folder, 'init', '-q', '-b', 'main')
  commitAll(folder, 'first')
  return folder
}

export function commitAll(folder: string, message: string): void {
  git(folder, 'add', '-A', '-f')
  git(folder, 'commit', '-q', '--allow-empty', '-m', message)
}
