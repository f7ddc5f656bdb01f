// Making a home. Registry, registrar and clerk come into being in one commit, so however many processes try at once
// and wherever one of them dies, there is either no registry or a complete one; whoever comes second finds it.

import { readdir, unlink, writeFile } from 'node:fs/promises'
import { Registrar } from '../../clerk/registrar.ts'
import { CLERK } from '../../ledger/calls.ts'
import { isWitanError, WitanError } from '../../ledger/errors.ts'
import { REGISTRAR } from '../../ledger/registry/registry.ts'
import { errnoOf, makeDirectory, onDisk } from '../../stores/disk.ts'
import { type Keyring, type PublicKey, readPrivateKeyFile } from '../../stores/keyring.ts'
import { configFile, type Home, openHome } from './home.ts'
import { pinRegistry } from './registry-pin.ts'

const OWN =
  /^(witan\.db.*|artifacts|keys|sessions|vectors|config\.yaml|trusted\.json|consents\.json|registry\.vkey|\..*)$/

const SETTINGS = `# Settings of this home. Whatever names a command, a server or an address counts only here, or in a
# file that you trusted with \`witan trust FILE\`.

# Keep ledgers in PostgreSQL instead of a file in this directory:
# vault:
#   postgres: postgres://user:password@host/database
`

/** Made if need be; refused when it belongs to something else. */
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

/** A key left by an attempt that was cut short is used, not doubled. */
async function keyOf(keyring: Keyring, agent: string): Promise<PublicKey> {
  const left = (await keyring.list()).find((entry) => entry.agent === agent)
  if (!left) return keyring.create(agent)
  return readPrivateKeyFile(left.file).catch((error: unknown) => {
    // Another process took its spare key away in between.
    if (isWitanError(error, 'KEY_NOT_FOUND')) return keyring.create(agent)
    throw error
  })
}

/** False when another process was faster. */
async function openRegistry(home: Home, name: string): Promise<boolean> {
  const registrarKey = await keyOf(home.keyring, REGISTRAR)
  const clerkKey = await keyOf(home.keyring, CLERK)
  const clerk = { agent: CLERK, roles: [CLERK], publicKey: clerkKey.publicKey, made: 'here' } as const
  try {
    await Registrar.create(home.ports, name, registrarKey.publicKey, [clerk])
    return true
  } catch (error) {
    // A key that another process left and took away again cannot sign; whoever took it away found a registry.
    const isLate = isWitanError(error, 'VAULT_REFUSED') || isWitanError(error, 'KEY_NOT_FOUND')
    if (!isLate || (await home.store.registry()) === null) throw error
    await dropUnused(home, [registrarKey.id, clerkKey.id])
    return false
  }
}

/** Keys that the registry which came first does not know can never sign anything. */
async function dropUnused(home: Home, own: readonly string[]): Promise<void> {
  const { keys } = (await home.registrar()).log.state
  for (const { id, file } of await home.keyring.list()) {
    if (own.includes(id) && !keys.has(id)) await unlink(file).catch(() => undefined)
  }
}

/** Makes what is missing and leaves what is there. */
export async function foundHome(options: {
  readonly directory: string
  readonly name: string
  readonly postgres: string | null
}): Promise<{ readonly home: Home; readonly created: boolean }> {
  const { directory, name, postgres } = options
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
