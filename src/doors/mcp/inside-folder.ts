// A file that a host names must be inside the folder of the server: as written, and after links are followed.

import { realpath } from 'node:fs/promises'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { WitanError } from '../../ledger/errors.ts'

/** Throws when a path leads out of the folder. Links are checked where they are followed. */
export function insideOf(folder: string, path: string): string {
  const way = relative(folder, resolve(folder, path))
  const leaves = way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)
  if (!leaves && !isAbsolute(path) && !path.includes('\0')) return path
  throw new WitanError(
    'USAGE',
    `${JSON.stringify(path.slice(0, 120))} is not inside the folder that this server works in`,
    'Name paths relative to it, or give the text itself.',
  )
}

export async function fileInside(folder: string, path: string): Promise<string> {
  if (path === '')
    throw new WitanError(
      'USAGE',
      'no file was named',
      'Name one of the working folder, or a trace to continue.',
    )
  const root = await realpath(folder)
  const absolute = resolve(root, insideOf(root, path))
  const real = await realpath(absolute).catch(() => null)
  if (real === null) {
    throw new WitanError(
      'FILE_NOT_FOUND',
      `there is no file ${JSON.stringify(path.slice(0, 120))}`,
      'Check the path.',
    )
  }
  if (real.startsWith(`${root}/`)) return real
  throw new WitanError(
    'USAGE',
    `${JSON.stringify(path.slice(0, 120))} leads out of the folder that this server works in`,
    'Name a file inside it.',
  )
}
