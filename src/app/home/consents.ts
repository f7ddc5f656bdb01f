// What may leave this machine: which folder was shown to which provider with the consent of the person at the
// keyboard. Kept in the home by real path, and asked for once a folder and provider.

import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { readKept, writeKept } from './json-file.ts'

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

/** Those of the providers to whom this folder was not yet shown. */
export async function strangers(
  home: string,
  folder: string,
  providers: readonly string[],
): Promise<readonly string[]> {
  const path = await realpath(folder)
  const consents = await readConsents(home)
  const known = Object.hasOwn(consents, path) ? (consents[path] ?? []) : []
  return [...new Set(providers)].filter((name) => !known.includes(name))
}

/** Of two changes at the very same moment the later one stands; whoever lost his is asked again. */
export async function consent(home: string, folder: string, providers: readonly string[]): Promise<void> {
  const path = await realpath(folder)
  const consents = await readConsents(home)
  const known = Object.hasOwn(consents, path) ? (consents[path] ?? []) : []
  const folders = { ...consents, [path]: [...new Set([...known, ...providers])].sort() }
  await writeKept(consentFile(home), { witan: 'consents/1', folders })
}
