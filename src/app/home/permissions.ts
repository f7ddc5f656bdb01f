// What may leave this machine: which folder was shown to which provider with the consent of the person at the
// keyboard. Kept in the home by real path, and asked once for each folder and provider.

import { createHash } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { isHash } from '../../ledger/bytes.ts'
import { isWitanError } from '../../ledger/errors.ts'
import { readingFault, readKept, readSmallFile, writeKept } from './files.ts'

// Which files of a person may name commands, servers and addresses: the digest of each, by its real path, in
// the home. Trust covers the bytes that were read then; one changed byte, or a link to another file, ends it.

export type TrustedFiles = Readonly<Record<string, string>>

const trustFile = (home: string): string => join(home, 'trusted.json')
const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

async function realPath(file: string): Promise<string> {
  try {
    return await realpath(file)
  } catch (error) {
    throw readingFault(error, file)
  }
}

function digestsIn(value: unknown): TrustedFiles | null {
  const entries = Object.entries((value as { files?: unknown }).files as object)
  return entries.every(([, digest]) => isHash(digest)) ? Object.fromEntries(entries) : null
}

const trustedFiles = async (home: string): Promise<TrustedFiles> =>
  (await readKept(trustFile(home), {
    read: digestsIn,
    of: 'trusted files',
    next: 'Remove it and trust your files again.',
  })) ?? {}

/** Whether the current file was trusted. Pass the bytes that will be used, so that no others are checked. */
export async function isTrusted(home: string, file: string, bytes?: Uint8Array): Promise<boolean> {
  const path = await realPath(file)
  const known = (await trustedFiles(home))[path]
  return known !== undefined && known === digestOf(bytes ?? (await readSmallFile(path)))
}

/** A file that was trusted, and whether it is unchanged. */
export interface TrustedFile {
  readonly file: string
  readonly sha256: string
  readonly state: 'trusted' | 'changed' | 'missing'
}

async function readState(home: string, file: string): Promise<TrustedFile['state']> {
  try {
    return (await isTrusted(home, file)) ? 'trusted' : 'changed'
  } catch (error) {
    if (isWitanError(error, 'FILE_NOT_FOUND')) return 'missing'
    throw error
  }
}

/** Every file that was trusted, with its current state. */
export const listTrusted = async (home: string): Promise<readonly TrustedFile[]> =>
  Promise.all(
    Object.entries(await trustedFiles(home)).map(async ([file, sha256]) => ({
      file,
      sha256,
      state: await readState(home, file),
    })),
  )

/** Of two changes at the same moment the later one wins; the person whose change was lost is asked again. */
async function change(home: string, path: string, digest: string | undefined): Promise<void> {
  const { [path]: _, ...others } = await trustedFiles(home)
  const files = digest === undefined ? others : { ...others, [path]: digest }
  await writeKept(trustFile(home), { witan: 'trusted/1', files })
}

/** Pass the bytes when someone has just read them: those are trusted, no matter what the file contains by now. */
export async function trust(
  home: string,
  file: string,
  bytes?: Uint8Array,
): Promise<{ file: string; sha256: string }> {
  const path = await realPath(file)
  const digest = digestOf(bytes ?? (await readSmallFile(path)))
  await change(home, path, digest)
  return { file: path, sha256: digest }
}

/** Also for a file that no longer exists. False when it was not trusted. */
export async function distrust(home: string, file: string): Promise<boolean> {
  const path = await realPath(file).catch(() => file)
  const known = (await trustedFiles(home))[path] !== undefined
  if (known) await change(home, path, undefined)
  return known
}

type Consents = Readonly<Record<string, readonly string[]>>

const consentFile = (home: string): string => join(home, 'consents.json')

function foldersIn(value: unknown): Consents | null {
  const folders = (value as { folders?: unknown } | null)?.folders
  if (typeof folders !== 'object' || folders === null) return null
  const isSound = Object.values(folders).every(
    (providers) => Array.isArray(providers) && providers.every((name) => typeof name === 'string'),
  )
  return isSound ? (folders as Consents) : null
}

const readConsents = async (home: string): Promise<Consents> =>
  (await readKept(consentFile(home), {
    read: foldersIn,
    of: 'consents',
    next: 'Remove it; you will be asked again.',
  })) ?? {}

/** The subject of consent: a folder, or what a recorded council was shown, whose folder is no longer known. */
export type Shown = { readonly folder: string } | { readonly trace: string }

/** No real path begins like this. */
const hashShown = async (shown: Shown): Promise<string> =>
  'trace' in shown ? `trace:${shown.trace}` : realpath(shown.folder)

/** The providers that were not shown it yet. */
export async function providersWithoutConsent(
  home: string,
  shown: Shown,
  providers: readonly string[],
): Promise<readonly string[]> {
  const path = await hashShown(shown)
  const consents = await readConsents(home)
  const known = Object.hasOwn(consents, path) ? (consents[path] ?? []) : []
  return [...new Set(providers)].filter((name) => !known.includes(name))
}

/** Of two changes at the same moment the later one wins; the person whose change was lost is asked again. */
export async function consent(home: string, shown: Shown, providers: readonly string[]): Promise<void> {
  const path = await hashShown(shown)
  const consents = await readConsents(home)
  const known = Object.hasOwn(consents, path) ? (consents[path] ?? []) : []
  const folders = { ...consents, [path]: [...new Set([...known, ...providers])].sort() }
  await writeKept(consentFile(home), { witan: 'consents/1', folders })
}
