// The hooks in a host's own settings. What is there already is left as it is: our hooks are put beside it and taken out
// again, and nothing else in the file changes. A file that cannot be parsed is never written.

import { createHash } from 'node:crypto'
import { chmod, copyFile, lstat, mkdir, readFile, rename, stat, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { canonicalize, type Json } from '../../ledger/canonical.ts'
import { WitanError } from '../../ledger/errors.ts'
import { writeFileWhole } from '../home/files.ts'
import type { Edited, HostName } from './attachments.ts'

export type Settings = { readonly [name: string]: Json }

/** A hook of ours as it stands in settings: one entry of one event. */
export interface HookEntry {
  readonly event: string
  readonly entry: Settings
}

/** Ours are known by the command that they start. */
const OWN = /\bhook(?:\.cjs)?['"]? (?:claude|codex|gemini) --(?:gate|record) --as [a-z]+-[0-9a-f]{8}\b/

const isFields = (value: unknown): value is Settings =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isOwn = (entry: Json): boolean => OWN.test(JSON.stringify(entry))

const unusable = (file: string, why: string): WitanError =>
  new WitanError(
    'CONFIG_INVALID',
    `${file} ${why}; it was left as it is`,
    'Correct the file, then attach again.',
  )

/** Null where there is no file. */
export async function readSettings(file: string): Promise<Settings | null> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw unusable(file, `cannot be read: ${error.message}`)
  })
  if (text === null) return null
  if (text.trim() === '') return {}
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw unusable(file, `is no JSON (${error instanceof Error ? error.message : String(error)})`)
  }
  if (!isFields(value)) throw unusable(file, 'holds no JSON object')
  if (value.hooks !== undefined && !isFields(value.hooks))
    throw unusable(file, 'has hooks that are no object')
  for (const [event, entries] of Object.entries(value.hooks ?? {}))
    if (!Array.isArray(entries)) throw unusable(file, `has hooks.${event}, which is no list`)
  return value
}

const hooksOf = ({ hooks }: Settings): Readonly<Record<string, readonly Json[]>> =>
  (hooks ?? {}) as Readonly<Record<string, readonly Json[]>>

/** Without ours. */
function withoutHooks(settings: Settings): Settings {
  const remaining = Object.entries(hooksOf(settings))
    .map(([event, entries]) => [event, entries.filter((entry) => !isOwn(entry))] as const)
    .filter(([, entries]) => entries.length > 0)
  const { hooks: _, ...rest } = settings
  return remaining.length > 0 ? { ...rest, hooks: Object.fromEntries(remaining) as Json } : rest
}

/** Adds these beside what is there; our earlier hooks are replaced. */
export function withHooks(settings: Settings, hooks: readonly HookEntry[]): Settings {
  const clean = withoutHooks(settings)
  const all: Record<string, Json[]> = Object.fromEntries(
    Object.entries(hooksOf(clean)).map(([event, entries]) => [event, [...entries]]),
  )
  for (const { event, entry } of hooks) all[event] = [...(all[event] ?? []), entry]
  return { ...clean, hooks: all as Json }
}

/** Our hooks as one text, to tell whether they are still what they were. */
export const hooksText = (settings: Settings): string =>
  canonicalize(
    Object.entries(hooksOf(settings))
      .map(([event, entries]): Json => [event, entries.filter(isOwn) as Json])
      .filter((pair) => ((pair as readonly Json[])[1] as readonly Json[]).length > 0)
      .sort((a, b) => (String((a as readonly Json[])[0]) < String((b as readonly Json[])[0]) ? -1 : 1)),
  )

/** Of the file as it is now; a text that matches nothing where it cannot be read, or where hooks are switched off. */
export async function hooksIn(host: HostName, file: string): Promise<string> {
  try {
    const settings = (await readSettings(file)) ?? {}
    const isOff = host === 'claude' && settings.disableAllHooks === true
    return isOff ? 'switched off' : hooksText(settings)
  } catch {
    return 'unreadable'
  }
}

/** Where the file was before it was edited. */
export const backupOf = (file: string): string => `${file}.before-witan`

/** As they are written. */
const settingsText = (settings: Settings): string => `${JSON.stringify(settings, null, 2)}\n`

const digestOf = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** What becomes of the file when these settings are written. `last`: how it was edited before. */
export async function makeEdit(file: string, settings: Settings, last: Edited | null): Promise<Edited> {
  const written = digestOf(settingsText(settings))
  const now = await readFile(file).catch(() => null)
  if (now === null) return { before: 'absent', written }
  if (hooksText((await readSettings(file)) ?? {}) === '[]') return { before: 'backup', written }
  return { before: last?.written === digestOf(now) ? last.before : 'changed', written }
}

/** Whole or not at all; the file as it was is kept beside it. Its permissions stay the same. */
export async function writeSettings(
  file: string,
  settings: Settings,
  /** Of a file that is not there yet. */
  fresh = 0o600,
): Promise<{ readonly backup: string | null }> {
  await mkdir(dirname(file), { recursive: true })
  const existing = await lstat(file).catch(() => null)
  if (existing?.isSymbolicLink()) throw unusable(file, 'is a link to another file')
  const mode = existing ? (await stat(file)).mode & 0o777 : fresh
  // With our hooks in it already, what it was before them is kept.
  const isOurs = existing !== null && hooksText((await readSettings(file)) ?? {}) !== '[]'
  if (existing && !isOurs) await copyFile(file, backupOf(file))
  await writeFileWhole(file, Buffer.from(settingsText(settings)), { replace: true, mode })
  await chmod(file, mode)
  const backup = await lstat(backupOf(file)).catch(() => null)
  return { backup: existing && backup ? backupOf(file) : null }
}

/** Takes our hooks out: restores the exact earlier bytes if no one else has changed the file since. */
export async function restoreSettings(file: string, edited: Edited | null): Promise<void> {
  const settings = await readSettings(file)
  if (settings === null) return
  const isAsWritten = edited !== null && digestOf(await readFile(file)) === edited.written
  if (isAsWritten && edited.before === 'absent') return unlink(file)
  const backup = await lstat(backupOf(file)).catch(() => null)
  if (isAsWritten && edited.before === 'backup' && backup?.isFile()) return rename(backupOf(file), file)
  await writeSettings(file, withoutHooks(settings))
}
