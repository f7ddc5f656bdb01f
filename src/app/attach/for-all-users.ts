// What an administrator attaches for all users of a machine: the terms lie beside the host's settings, where each user's hooks
// can read them and none can change them, also where the mask of the administrator would forbid it.

import { chmod, mkdir, stat } from 'node:fs/promises'
import { dirname, isAbsolute } from 'node:path'
import { isWitanError, WitanError } from '../../ledger/errors.ts'
import { errnoOf } from '../../stores/disk.ts'
import { writeFileWhole } from '../home/files.ts'
import type { Attachment } from './attachments.ts'

const READABLE = 0o644
const ENTERED = 0o755

/** The folder of these settings; one that is made for them can be entered by all. */
async function openFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true })
  if (first === undefined) return
  for (let made = folder; made.length >= first.length; made = dirname(made)) await chmod(made, ENTERED)
}

export async function writeTerms(file: string, attachment: Attachment): Promise<void> {
  await openFolder(dirname(file))
  const text = `${JSON.stringify(attachment)}\n`
  await writeFileWhole(file, Buffer.from(text), { replace: true, mode: READABLE })
  await chmod(file, READABLE)
}

/** The first of these files, or of the folders that lead there, that other users cannot use. */
export async function closedToOthers(files: readonly string[]): Promise<string | null> {
  for (const file of files.filter(isAbsolute)) {
    if (((await stat(file)).mode & 0o004) === 0) return file
    for (let folder = dirname(file); ; folder = dirname(folder)) {
      if (((await stat(folder)).mode & 0o001) === 0) return folder
      if (folder === dirname(folder)) break
    }
  }
  return null
}

const NOT_ALLOWED = new Set(['EACCES', 'EPERM', 'EROFS'])

/** What went wrong with the settings of a host, in words that say who can write them. */
export function settingsFault(
  error: unknown,
  { scope, file, host }: Pick<Attachment, 'scope' | 'file' | 'host'>,
  verb: 'attach' | 'detach',
): unknown {
  if (!NOT_ALLOWED.has(errnoOf(error)) && !isWitanError(error, 'FILE_UNWRITABLE')) return error
  const next =
    scope === 'managed'
      ? `These are the settings for all users; an administrator types: sudo witan ${verb} ${host}${verb === 'attach' ? ' --managed' : ''}`
      : 'See who may write this file.'
  return new WitanError('FILE_UNWRITABLE', `${file}: you may not change it`, next, { cause: error })
}
