// What may leave this machine: which folder was shown to which provider with the consent of the person at the
// keyboard. Kept in the home by real path, and asked for once a folder and provider.

import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { isWitanError, WitanError } from '../ledger/errors.ts'
import { readSmallFile, writeFileWhole } from './file.ts'

type Consents = Readonly<Record<string, readonly string[]>>

const consentFile = (home: string): string => join(home, 'consents.json')

const isConsents = (value: unknown): value is { readonly folders: Consents } => {
  const folders = (value as { folders?: unknown } | null)?.folders
  if (typeof folders !== 'object' || folders === null) return false
  return Object.values(folders).every(
    (providers) => Array.isArray(providers) && providers.every((name) => typeof name === 'string'),
  )
}

async function readConsents(home: string): Promise<Consents> {
  const file = consentFile(home)
  let text: string
  try {
    text = (await readSmallFile(file)).toString('utf8')
  } catch (error) {
    if (isWitanError(error, 'FILE_NOT_FOUND')) return {}
    throw error
  }
  try {
    const value: unknown = JSON.parse(text)
    if (isConsents(value)) return value.folders
  } catch {
    // Falls through to the one message for everything that is wrong with this file.
  }
  throw new WitanError(
    'CONFIG_INVALID',
    `${file} is not a list of consents`,
    'Remove it; you will be asked again.',
  )
}

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
  const text = `${JSON.stringify({ witan: 'consents/1', folders }, null, 2)}\n`
  await writeFileWhole(consentFile(home), Buffer.from(text), { replace: true, mode: 0o600 })
}
