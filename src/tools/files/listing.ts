// What is in a folder, and in the folders below it as deep as asked. Links are named and not followed; places that may
// not be touched are left out as if they were not there.

import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Place } from '../allowed-paths.ts'
import { Fault } from '../call-tool.ts'
import { codeOf, type Folder, withFolder } from './folder.ts'

export interface Entry {
  /** From the folder that was asked about. */
  readonly path: string
  readonly kind: 'file' | 'folder' | 'link' | 'other'
  /** Of files. */
  readonly bytes?: number
}

export interface Listing {
  readonly entries: readonly Entry[]
  readonly truncated: boolean
}

function allowed(place: Place, path: string): boolean {
  try {
    place.check(path)
    return true
  } catch (error) {
    if (error instanceof Fault) return false
    throw error
  }
}

async function entryAt(folder: Folder, name: string, path: string): Promise<Entry | null> {
  try {
    const found = await lstat(folder.at(name))
    if (found.isFile()) return { path, kind: 'file', bytes: found.size }
    if (found.isDirectory()) return { path, kind: 'folder' }
    return { path, kind: found.isSymbolicLink() ? 'link' : 'other' }
  } catch (error) {
    // Gone between the listing and the look.
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

export async function listFolder(place: Place, depth: number, most: number): Promise<Listing> {
  const entries: Entry[] = []
  let truncated = false
  const visit = async (path: string, prefix: string, left: number): Promise<void> => {
    const folders = await withFolder(path, async (folder) => {
      const names = (await readdir(folder.at('.'))).sort()
      const below: string[] = []
      for (const name of names) {
        if (!allowed(place, join(path, name))) continue
        if (entries.length === most) truncated = true
        if (truncated) return []
        const entry = await entryAt(folder, name, `${prefix}${name}`)
        if (entry !== null) entries.push(entry)
        if (entry?.kind === 'folder') below.push(name)
      }
      return below
    })
    if (left <= 1) return
    for (const name of folders) await visit(join(path, name), `${prefix}${name}/`, left - 1)
  }
  if (!place.exists) throw new Fault('not_found', 'there is no such folder')
  await visit(place.path, '', depth)
  return { entries, truncated }
}
