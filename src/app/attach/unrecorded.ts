// Calls that were let pass though the home could not be written: remembered outside of it, in a folder of this user alone,
// until a hook of the same session can record them as gaps. What is lost here is lost: a transcript may still tell.

import { createHash } from 'node:crypto'
import { appendFile, lstat, mkdir, readFile, rename, unlink } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import type { AttachedSession } from './attached-session.ts'

export interface Unrecorded {
  readonly tool: string
  readonly call: string | null
  readonly reason: string
}

const folder = (): string => join(tmpdir(), `witan-unrecorded-${userInfo().uid}`)
const fileOf = (session: string): string =>
  join(folder(), `${createHash('sha256').update(session).digest('hex').slice(0, 32)}.jsonl`)

/** Somebody else could have made it under our name. */
async function isOurs(): Promise<boolean> {
  const entry = await lstat(folder()).catch(() => null)
  return entry?.isDirectory() === true && entry.uid === userInfo().uid && (entry.mode & 0o077) === 0
}

export async function rememberUnrecorded(session: string, call: Unrecorded): Promise<void> {
  await mkdir(folder(), { recursive: true, mode: 0o700 })
  if (await isOurs()) await appendFile(fileOf(session), `${JSON.stringify(call)}\n`, { mode: 0o600 })
}

const MOST = 1_000

/** Each is given to one taker. */
async function takeUnrecorded(session: string): Promise<readonly Unrecorded[]> {
  if (!(await isOurs())) return []
  const takenFile = `${fileOf(session)}.${process.pid}`
  const isTaken = await rename(fileOf(session), takenFile).then(
    () => true,
    () => false,
  )
  if (!isTaken) return []
  const lines = (await readFile(takenFile, 'utf8')).split('\n').filter((line) => line !== '')
  await unlink(takenFile)
  return lines.slice(0, MOST).map((line) => {
    const { tool, call, reason } = JSON.parse(line) as Unrecorded
    return {
      tool: String(tool),
      call: call === null ? null : String(call),
      reason: String(reason).toWellFormed(),
    }
  })
}

/** As gaps of the session, once it can be written again. */
export async function recordUnrecorded(session: AttachedSession, of: string): Promise<void> {
  for (const { tool, call, reason } of await takeUnrecorded(of))
    await session.gap({ why: 'unrecorded', tool, call, reason })
}
