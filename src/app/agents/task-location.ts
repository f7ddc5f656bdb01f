// Where a session's task lies on this machine, so that it can be gone on with: the ledger tells others what was done,
// not where a folder is. This is a note to ourselves and no evidence; without it the task is named again.

import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { WitanError } from '../../ledger/errors.ts'
import { writeFileWhole } from '../home/files.ts'
import { readTask, type TaskFile } from './task-file.ts'

const folder = (home: string): string => join(home, 'sessions')
const noteOf = (home: string, trace: string): string => join(folder(home), `${trace}.json`)

export async function keepTask(home: string, trace: string, task: TaskFile): Promise<void> {
  await mkdir(folder(home), { recursive: true, mode: 0o700 })
  const text = `${JSON.stringify({ task: task.file })}\n`
  await writeFileWhole(noteOf(home, trace), Buffer.from(text), { replace: true, mode: 0o600 })
}

/** The task of a session, from the file that is named or the one that was noted. */
export async function taskOf(home: string, trace: string, named: string | null): Promise<TaskFile> {
  if (named !== null) return readTask(named, home)
  const text = await readFile(noteOf(home, trace), 'utf8').catch(() => null)
  const file: unknown = text === null ? null : (JSON.parse(text) as { task?: unknown }).task
  if (typeof file === 'string') return readTask(file, home)
  throw new WitanError(
    'FILE_NOT_FOUND',
    `this home does not know where the task of ${trace} lies`,
    `Name it: witan resume ${trace} --task FILE`,
  )
}
