// The key of a home's registrar, kept beside the ledger as a C2SP verifier key. It is what a home holds its own ledger
// against, wherever that rests: a registry swapped in the database does not fit it. The same file is what its owner
// hands to others for `--trust`, so it follows the registrar: a rotation that this home made writes the new key.

import { join } from 'node:path'
import { fromHex } from '../../ledger/bytes.ts'
import { isWitanError, WitanError } from '../../ledger/errors.ts'
import type { RegistryState } from '../../ledger/registry/registry.ts'
import { keyId } from '../../ledger/signing.ts'
import { parseVerifierKey, verifierKey } from '../../ledger/tree/checkpoint.ts'
import { sha256 } from '../../stores/digest.ts'
import { readSmallFile, writeFileWhole } from './files.ts'

export const pinFile = (home: string): string => join(home, 'registry.vkey')

/** Which registry is this home's, and the id of the key by which it is known. */
export interface Pin {
  readonly registry: string
  readonly key: string
}

/** Null when the home has none. */
export async function pinOf(home: string): Promise<Pin | null> {
  const file = pinFile(home)
  try {
    const text = (await readSmallFile(file)).toString('utf8').trim()
    const { name, publicKey } = parseVerifierKey(sha256, text)
    return { registry: name, key: keyId(sha256, publicKey) }
  } catch (error) {
    if (isWitanError(error, 'FILE_NOT_FOUND')) return null
    if (!isWitanError(error, 'NOTE_INVALID')) throw error
    const next = 'Restore it from a backup, or from someone who holds it: it says whose ledger this is.'
    throw new WitanError('NOTE_INVALID', `${file}: ${error.message}`, next, { cause: error })
  }
}

async function write(
  home: string,
  { registry, registrars, keys }: RegistryState,
  replace: boolean,
): Promise<void> {
  const publicKey = fromHex(keys.get(registrars.at(-1) ?? '')?.public_key ?? '', 32)
  if (!publicKey || registry === null) return
  const text = Buffer.from(`${verifierKey(sha256, registry, publicKey)}\n`)
  await writeFileWhole(pinFile(home), text, { replace, mode: 0o644 })
}

/** Never replaces a pin: whoever could change it unseen could swap the registry. */
export async function pinRegistry(home: string, state: RegistryState): Promise<void> {
  try {
    await write(home, state, false)
  } catch (error) {
    if (!isWitanError(error, 'FILE_EXISTS')) throw error
  }
}

/**
 * Pins the registrar that has just signed, when the key that is pinned was registrar before it. The file is there
 * whole at any moment, with the old key or the new one.
 */
export async function pinSuccessor(home: string, state: RegistryState): Promise<void> {
  const pin = await pinOf(home)
  const isEarlier = pin?.registry === state.registry && state.registrars.slice(0, -1).includes(pin?.key ?? '')
  if (isEarlier) await write(home, state, true)
}
