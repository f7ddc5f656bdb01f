// Where a workspace has no `.git`, an empty folder of that name stands in for the time of a sandbox, so that something
// can be mounted there and nothing be planted. Git takes an empty folder for no repository. Every sandbox that needs it
// keeps a file in it, and it goes with the last of them: a folder is removed only when it is empty.

import { randomBytes } from 'node:crypto'
import { lstat, mkdir, readdir, rm, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '../files/folder.ts'
import { isAlive } from './processes.ts'

const MARK = /^witan-(\d+)-[0-9a-f]{16}$/
const WORDS =
  'Witan keeps this folder while a sandbox runs, so that no repository can be planted here. When no\n' +
  'Witan runs in this folder, it can be deleted.\n'
const MOST_TRIES = 20

/** Whether the folder is only a cover, from this process, another one, or one that was killed. */
async function isCover(path: string): Promise<boolean> {
  const found = await lstat(path)
  if (!found.isDirectory()) return false
  const names = await readdir(path)
  for (const name of names) {
    const [, pid] = MARK.exec(name) ?? []
    if (pid === undefined) return false
    if (!isAlive(Number(pid))) await rm(join(path, name), { force: true })
  }
  return true
}

export interface GitCover {
  /** Leaves no trace, unless the user has made a repository there since. */
  release(): Promise<void>
}

async function remove(path: string, mark: string): Promise<void> {
  await rm(mark, { force: true })
  await rmdir(path).catch((error: unknown) => {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR'].includes(codeOf(error))) throw error
  })
}

/** Null where a real `.git` is there, or where nothing can be made by anyone. */
export async function coverGit(root: string): Promise<GitCover | null> {
  const path = join(root, '.git')
  const mark = join(path, `witan-${process.pid}-${randomBytes(8).toString('hex')}`)
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    try {
      await mkdir(path).catch((error: unknown) => {
        if (codeOf(error) !== 'EEXIST') throw error
      })
      if (!(await isCover(path))) return null
      await writeFile(mark, WORDS, { flag: 'wx' })
      return { release: () => remove(path, mark) }
    } catch (error) {
      if (['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error))) return null
      // Another sandbox has just taken the folder away.
      if (codeOf(error) !== 'ENOENT') throw error
    }
  }
  throw new Error(`${path} comes and goes`)
}
