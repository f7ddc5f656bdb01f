// Which files of a person may name commands, servers and addresses: the digest of each, by its real path, in the
// home. Trust is in the bytes that were read then; one changed byte, or a link that points elsewhere, ends it.

import { createHash } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { isHash } from '../../ledger/bytes.ts'
import { readingFault, readSmallFile } from './files.ts'
import { readKept, writeKept } from './json-file.ts'

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

export const trustedFiles = async (home: string): Promise<TrustedFiles> =>
  (await readKept(trustFile(home), {
    read: digestsIn,
    of: 'trusted files',
    next: 'Remove it and trust your files again.',
  })) ?? {}

/** Whether the file as it is now was trusted. Give the bytes that will be used, so that no other ones are judged. */
export async function isTrusted(home: string, file: string, bytes?: Uint8Array): Promise<boolean> {
  const path = await realPath(file)
  const known = (await trustedFiles(home))[path]
  return known !== undefined && known === digestOf(bytes ?? (await readSmallFile(path)))
}

/** Of two changes at the very same moment the later one stands; whoever lost his is asked again. */
async function change(home: string, path: string, digest: string | undefined): Promise<void> {
  const { [path]: _, ...others } = await trustedFiles(home)
  const files = digest === undefined ? others : { ...others, [path]: digest }
  await writeKept(trustFile(home), { witan: 'trusted/1', files })
}

/** Give the bytes when someone has just judged them: those are trusted, whatever the file holds by now. */
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
