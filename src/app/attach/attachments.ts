// What this home knows of hosts that were attached to it: what was set up for each, and which trace holds which session of
// a host. Notes to ourselves and no evidence. A note is made once and never changed, so that however many hooks of a
// session begin at once, one of them names its trace; a session that goes on after its trace was closed gets the next.

import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Proof } from '../../agents/task.ts'
import { isWitanError, WitanError } from '../../ledger/errors.ts'
import type { PolicyFile } from '../../tools/index.ts'
import type { ParsedPolicy } from '../../tools/policy/parsed-policy.ts'
import { writeFileWhole } from '../home/files.ts'
import type { Mode } from './attached-policy.ts'
import type { StandingOrder } from './open-attached.ts'

export const HOSTS = ['claude', 'codex', 'gemini'] as const
export type HostName = (typeof HOSTS)[number]

/** By the name that is recorded. */
export const PROGRAM: Readonly<Record<HostName, string>> = {
  claude: 'claude-code',
  codex: 'codex',
  gemini: 'gemini-cli',
}

export type Scope = 'user' | 'project' | 'managed'

/** Under what the calls of a host are made. */
export interface Terms {
  readonly id: string
  readonly mode: Mode
  /** As it was when the host was attached. */
  readonly policy: PolicyFile
  /** As Cedar read it then; absent where nothing is gated. */
  readonly parsed?: ParsedPolicy
  readonly order: StandingOrder
  readonly proof: Proof
  /** For how many seconds a call waits for a person. */
  readonly wait: number
  readonly at: string
}

/** How a file was before hooks were first put into it, and what it is since. */
export interface Edited {
  /** `changed`: others have written it meanwhile, and the backup is no longer what detaching leads back to. */
  readonly before: 'absent' | 'backup' | 'changed'
  /** SHA-256 of the file as we wrote it. */
  readonly written: string
}

/** What `witan attach` set up, as it is read by each hook. */
export interface Attachment extends Terms {
  readonly host: HostName
  readonly scope: Scope
  /** The settings of the host that were edited. */
  readonly file: string
  /** The hooks as they were written into the settings. */
  readonly hooks: string
  /** What detaching leads back to; absent in older notes. */
  readonly edited?: Edited
  /** Since when the hooks are taken out; its sessions are still to be closed. */
  readonly detached?: string
}

/** A gateway as it was last started under this name; it has no settings of a host to edit. */
export interface Gateway extends Terms {
  readonly host: 'gateway'
  readonly name: string
}

export const folderIn = (home: string): string => join(home, 'attachments')
const ID = /^[a-z]+-[0-9a-f]{8}$/

/** As a name can be signed: not too long, and text throughout; null where there is none. */
export const shortName = (name: unknown): string | null =>
  typeof name === 'string' && name !== '' ? name.slice(0, 200).toWellFormed() : null

/** A session in which nothing happened for so long is closed; its host may go on in another one. */
export const IDLE_HOURS = 12

/** Where the resident process of this home listens. */
export const residentSocket = (home: string): string => join(folderIn(home), 'hook.sock')

/** `of`: the settings of a host, or the name of a gateway. */
export const attachmentId = (host: HostName | 'gateway', of: string): string =>
  `${host}-${createHash('sha256').update(of).digest('hex').slice(0, 8)}`

async function write(path: string, value: object, replace: boolean): Promise<void> {
  await writeFileWhole(path, Buffer.from(`${JSON.stringify(value)}\n`), { replace, mode: 0o600 })
}

export async function keepAttachment(home: string, attachment: Attachment | Gateway): Promise<void> {
  await mkdir(folderIn(home), { recursive: true, mode: 0o700 })
  await write(join(folderIn(home), `${attachment.id}.json`), attachment, true)
}

/** As it was before; null where there was none. */
export async function restoreAttachment(
  home: string,
  id: string,
  before: Attachment | Gateway | null,
): Promise<void> {
  if (before !== null) return keepAttachment(home, before)
  await rm(join(folderIn(home), `${id}.json`), { force: true })
}

/** Null where there is none; one that cannot be read is not taken for that. */
const readNote = <Note>(path: string): Promise<Note | null> =>
  readFile(path, 'utf8').then(
    (text) => JSON.parse(text) as Note,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
      throw error
    },
  )

/** Of a host or of a gateway. */
export async function termsNamed(home: string, id: string): Promise<Attachment | Gateway | null> {
  if (!ID.test(id)) return null
  return readNote<Attachment | Gateway>(join(folderIn(home), `${id}.json`))
}

export async function attachmentNamed(home: string, id: string): Promise<Attachment> {
  const terms = await termsNamed(home, id)
  if (terms !== null && terms.host !== 'gateway') return terms
  throw new WitanError(
    'CONFIG_INVALID',
    `this home knows no attachment ${id}`,
    'Attach the host again: witan attach claude|codex|gemini',
  )
}

/** Where the terms of a host stand that an administrator attached for all users, beside the settings that were edited. */
export const termsFile = (settings: string, id: string): string => join(dirname(settings), `witan-${id}.json`)

/** As a hook reads them: for all users, or those of this home. What is for all users is noted here for the closing of sessions. */
export async function attachmentFor(home: string, id: string, file: string | null): Promise<Attachment> {
  if (file === null) return attachmentNamed(home, id)
  const terms = JSON.parse(await readFile(file, 'utf8')) as Attachment
  const known = await termsNamed(home, id)
  if (known?.at !== terms.at) await keepAttachment(home, terms)
  return terms
}

export async function attachmentsIn(home: string): Promise<readonly Attachment[]> {
  const names = await readdir(folderIn(home)).catch(() => [])
  const ids = names.map((name) => name.replace(/\.json$/, '')).filter((id) => ID.test(id))
  const attachments = await Promise.all(ids.sort().map((id) => termsNamed(home, id)))
  return attachments.filter((one) => one !== null && one.host !== 'gateway')
}

/** Which trace holds a session of a host. */
export interface HostSession {
  readonly trace: string
  readonly attachment: string
  readonly session: string
  /** The program of the host, where its attachment does not tell. */
  readonly program?: string
  readonly version: string
  /** Where the host works, as a real path. */
  readonly workspace: string
  /** The host's own record of its session. */
  readonly transcript: string | null
  /** The trace before this one, of the same session. */
  readonly continues: string | null
}

const sessionsIn = (home: string): string => join(home, 'attached')
const keyOf = (attachment: string, session: string): string =>
  createHash('sha256')
    .update(JSON.stringify([attachment, session]))
    .digest('hex')
    .slice(0, 32)
const partFile = (home: string, key: string, nth: number): string =>
  join(sessionsIn(home), `${key}.${nth}.json`)
const traceFile = (home: string, trace: string): string => join(sessionsIn(home), `${trace}.json`)

const read = (path: string): Promise<HostSession | null> => readNote<HostSession>(path)

/** The latest part of a session of a host; null when there is none yet. */
export async function latestPart(
  home: string,
  attachment: string,
  session: string,
): Promise<{ readonly part: HostSession | null; readonly nth: number }> {
  const key = keyOf(attachment, session)
  let part: HostSession | null = null
  for (let nth = 1; ; nth++) {
    const next = await read(partFile(home, key, nth))
    if (!next) return { part, nth }
    part = next
  }
}

/** Begins the part of this number; where another process did so first, theirs counts. */
export async function beginPart(home: string, nth: number, part: HostSession): Promise<HostSession> {
  await mkdir(sessionsIn(home), { recursive: true, mode: 0o700 })
  const path = partFile(home, keyOf(part.attachment, part.session), nth)
  try {
    await write(path, part, false)
  } catch (error) {
    const theirs = isWitanError(error, 'FILE_EXISTS') ? await read(path) : null
    if (!theirs) throw error
    return theirs
  }
  await write(traceFile(home, part.trace), part, true)
  return part
}

/** What this home knows of the host of an attached trace. */
export const readHostSession = (home: string, trace: string): Promise<HostSession | null> =>
  read(traceFile(home, trace))
