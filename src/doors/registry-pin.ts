// The key that a home's registry was opened with, kept beside the ledger as a C2SP verifier key. It is what a home
// holds its own ledger against, wherever that rests: a registry swapped in the database does not fit it. The same
// file is what its owner hands to others for `--trust`.

import { join } from 'node:path'
import { fromHex } from '../ledger/bytes.ts'
import { parseVerifierKey, verifierKey } from '../ledger/checkpoint.ts'
import { isWitanError, WitanError } from '../ledger/errors.ts'
import type { RegistryState } from '../ledger/registry.ts'
import { keyId } from '../ledger/signing.ts'
import { sha256 } from '../vaults/digest.ts'
import { readSmallFile, writeFileWhole } from './file.ts'

export const pinFile = (home: string): string => join(home, 'registry.vkey')

/** The id of the pinned key; null when the home has none. */
export async function pinnedKey(home: string): Promise<string | null> {
  const file = pinFile(home)
  try {
    const text = (await readSmallFile(file)).toString('utf8').trim()
    return keyId(sha256, parseVerifierKey(sha256, text).publicKey)
  } catch (error) {
    if (isWitanError(error, 'FILE_NOT_FOUND')) return null
    if (!isWitanError(error, 'NOTE_INVALID')) throw error
    const next = 'Restore it from a backup, or from someone who holds it: it says whose ledger this is.'
    throw new WitanError('NOTE_INVALID', `${file}: ${error.message}`, next, { cause: error })
  }
}

/** Never replaces a pin: whoever could change it unseen could swap the registry. */
export async function pinRegistry(home: string, state: RegistryState): Promise<void> {
  const key = state.keys.get(state.registrars[0] ?? '')
  const publicKey = key && fromHex(key.public_key, 32)
  if (!publicKey || state.registry === null) return
  const text = `${verifierKey(sha256, state.registry, publicKey)}\n`
  try {
    await writeFileWhole(pinFile(home), Buffer.from(text), { replace: false, mode: 0o644 })
  } catch (error) {
    if (!isWitanError(error, 'FILE_EXISTS')) throw error
  }
}
