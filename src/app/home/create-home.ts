// Makes a home. Registry, registrar and clerk are created in one commit, so no matter how many processes try
// at once and wherever one of them dies, there is either no registry or a complete one; later processes find
// it.

import { readdir, unlink, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { Registrar } from '../../clerk/registrar.ts'
import { fromHex } from '../../ledger/bytes.ts'
import { CLERK } from '../../ledger/calls.ts'
import { isWitanError, WitanError } from '../../ledger/errors.ts'
import { REGISTRAR, type RegistryState } from '../../ledger/registry/registry.ts'
import { keyId } from '../../ledger/signing.ts'
import { parseVerifierKey, verifierKey } from '../../ledger/tree/checkpoint.ts'
import { sha256 } from '../../stores/digest.ts'
import { errnoOf, makeDirectory, onDisk } from '../../stores/disk.ts'
import { type Keyring, type PublicKey, readPrivateKeyFile } from '../../stores/keyring.ts'
import { readSmallFile, writeFileWhole } from './files.ts'
import { configFile, type Home, openHome } from './home.ts'

// The name of the person at the keyboard, if not given. A label, never an authority.

export function userName(): string {
  try {
    return userInfo().username
  } catch {
    // A user id without an account, as containers have them.
    return process.env.USER || 'someone'
  }
}

// The key of a home's registrar, kept beside the ledger as a C2SP verifier key. A home checks its own ledger
// against it, wherever the ledger is: a registry that was swapped in the database does not match. Its owner
// gives the same file to others for `--trust`, so it follows the registrar: a rotation by this home writes
// the new key.

export const pinFile = (home: string): string => join(home, 'registry.vkey')

/** This home's registry, and the id of the key that identifies it. */
export interface Pin {
  readonly registry: string
  readonly key: string
}

/** Null when the home has none. */
export async function readPin(home: string): Promise<Pin | null> {
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

/** Never replaces a pin: anyone who could change it unnoticed could swap the registry. */
async function pinRegistry(home: string, state: RegistryState): Promise<void> {
  try {
    await write(home, state, false)
  } catch (error) {
    if (!isWitanError(error, 'FILE_EXISTS')) throw error
  }
}

/**
 * Pins the registrar that has just signed, if the pinned key was registrar before it. The file is complete at any
 * moment, with the old key or the new one.
 */
export async function pinSuccessor(home: string, state: RegistryState): Promise<void> {
  const pin = await readPin(home)
  const isEarlier = pin?.registry === state.registry && state.registrars.slice(0, -1).includes(pin?.key ?? '')
  if (isEarlier) await write(home, state, true)
}

const OWN =
  /^(witan\.db.*|artifacts|attached|attachments|keys|sessions|snapshots|exports|search\.db.*|vectors|config\.yaml|trusted\.json|consents\.json|registry\.vkey|\..*)$/

const SETTINGS = `# Settings of this home. What names a command, a server or an address counts only here, or in a
# file that you trusted with \`witan trust FILE\`.

# Keep ledgers in PostgreSQL instead of a file in this directory:
# vault:
#   postgres: postgres://user:password@host/database
`

/** Created if missing; refused if it belongs to something else. */
async function claimDirectory(directory: string): Promise<void> {
  let names: readonly string[]
  try {
    names = await onDisk(directory, async () => {
      await makeDirectory(directory)
      return readdir(directory)
    })
  } catch (error) {
    if (errnoOf(error) !== 'ENOTDIR') throw error
    throw new WitanError('FILE_EXISTS', `${directory} is not a directory`, 'Choose another with --home.')
  }
  const others = names.filter((name) => !OWN.test(name))
  if (others.length === 0) return
  throw new WitanError(
    'HOME_EXISTS',
    `${directory} holds other things already (${others.slice(0, 3).join(', ')})`,
    'Choose a new or empty directory with --home.',
  )
}

/** A key left by an interrupted attempt is used, not doubled. */
async function findKey(keyring: Keyring, agent: string): Promise<PublicKey> {
  const leftover = (await keyring.list()).find((entry) => entry.agent === agent)
  if (!leftover) return keyring.create(agent)
  return readPrivateKeyFile(leftover.file).catch((error: unknown) => {
    // Another process deleted its spare key in between.
    if (isWitanError(error, 'KEY_NOT_FOUND')) return keyring.create(agent)
    throw error
  })
}

/** False when another process was faster. */
async function openRegistry(home: Home, name: string): Promise<boolean> {
  const registrarKey = await findKey(home.keyring, REGISTRAR)
  const clerkKey = await findKey(home.keyring, CLERK)
  const clerk = { agent: CLERK, roles: [CLERK], publicKey: clerkKey.publicKey, made: 'here' } as const
  try {
    await Registrar.create(home.ports, name, registrarKey.publicKey, [clerk])
    return true
  } catch (error) {
    // A spare key that another process deleted cannot sign; that process found a registry.
    const isLate = isWitanError(error, 'VAULT_REFUSED') || isWitanError(error, 'KEY_NOT_FOUND')
    if (!isLate || (await home.store.registry()) === null) throw error
    await dropUnused(home, [registrarKey.id, clerkKey.id])
    return false
  }
}

/** Keys that are not in the registry that was first can never sign anything. */
async function dropUnused(home: Home, own: readonly string[]): Promise<void> {
  const { keys } = (await home.registrar()).log.state
  for (const { id, file } of await home.keyring.list()) {
    if (own.includes(id) && !keys.has(id)) await unlink(file).catch(() => undefined)
  }
}

/** Makes what is missing and keeps what exists. */
export async function createHome(options: {
  readonly directory: string
  readonly name: string
  readonly postgres?: string | null
}): Promise<{ readonly home: Home; readonly created: boolean }> {
  const { directory, name, postgres = null } = options
  await claimDirectory(directory)
  await onDisk(directory, () =>
    writeFile(configFile(directory), SETTINGS, { flag: 'wx', mode: 0o600 }).catch((error: unknown) => {
      if (errnoOf(error) !== 'EEXIST') throw error
    }),
  )
  const home = await openHome({ directory, mode: 'create', postgres })
  try {
    const created = (await home.store.registry()) === null && (await openRegistry(home, name))
    await pinRegistry(directory, (await home.registrar()).log.state)
    return { home, created }
  } catch (error) {
    await home.close()
    throw error
  }
}
