// Manages keys: they are listed, added, replaced, protected and revoked. A private key is on disk before its
// public half is registered, so that no registered key is ever without its private half.

import { isInForce, type Registrar } from '../../clerk/registrar.ts'
import { WitanError } from '../../ledger/errors.ts'
import { isAgentName, isRoleName } from '../../ledger/event.ts'
import { type KeyRecord, REGISTRAR, type RegistryState } from '../../ledger/registry/registry.ts'
import { shortKey } from '../../ledger/signing.ts'
import { pinFile, pinSuccessor } from '../home/create-home.ts'
import { type Home, type HomeLocation, signingRegistrar, withHome } from '../home/home.ts'
import { withoutTypedSecrets } from '../person.ts'
import { findKey, type KeyStatus, readNewKey, statusOf } from './find-key.ts'

const usage = (message: string, next: string): WitanError => new WitanError('USAGE', message, next)

/** How a person enters passphrases. */
export interface Passphrases {
  /** The passphrase of a protected key. */
  ask(agent: string): Promise<string>
  /** A new one. */
  choose(agent: string): Promise<string>
}

/** Opens the home, lets the registrar sign, and pins the resulting registry. */
export const changing = <Result>(
  location: HomeLocation,
  work: (home: Home, registrar: Registrar) => Promise<Result>,
): Promise<Result> =>
  withHome({ ...location, mode: 'write' }, async (home) => {
    const registrar = await signingRegistrar(home)
    const result = await work(home, registrar)
    await pinSuccessor(home.directory, registrar.log.state)
    return result
  })

/** A key as the registry has it. */
export interface ListedKey {
  readonly id: string
  readonly public_key: string
  readonly agent: string
  readonly roles: readonly string[]
  readonly status: KeyStatus
  readonly registered: number
  readonly rotated: number | null
  readonly revoked: {
    readonly seq: number
    readonly reason: string
    readonly compromised_since: number | null
  } | null
  readonly private_key_here: boolean
  readonly made: 'here' | 'elsewhere' | null
  readonly locked: boolean
}

const revocationOf = ({ revoked }: KeyRecord): ListedKey['revoked'] =>
  revoked && !revoked.retired
    ? { seq: revoked.seq, reason: revoked.reason, compromised_since: revoked.compromisedSince }
    : null

/** Every key of a home, with its status. */
export const listKeys = (
  location: HomeLocation,
): Promise<{ readonly registry: string; readonly keys: readonly ListedKey[] }> =>
  withHome({ ...location, mode: 'read' }, async (home) => {
    const { trace, log } = await home.registrar()
    const here = new Set((await home.keyring.list()).map(({ id }) => id))
    const keys = [...log.state.keys.values()].map((key) => ({
      id: key.id,
      public_key: key.public_key,
      agent: key.agent,
      roles: key.roles,
      status: statusOf(key),
      registered: key.registered,
      rotated: key.rotated,
      revoked: revocationOf(key),
      private_key_here: here.has(key.id),
      made: key.made ?? null,
      locked: key.locked === true,
    }))
    return { registry: trace, keys }
  })

function checkNames(agent: string, roles: readonly string[]): void {
  if (!isAgentName(agent)) {
    throw usage(
      `'${agent}' cannot be a name`,
      'Use letters, digits and . _ @ -, at most 64, a letter or digit first.',
    )
  }
  for (const role of roles) {
    if (!isRoleName(role)) {
      throw usage(
        `'${role}' cannot be a role`,
        'Use lower-case letters, digits, _ and -, at most 32, a letter first.',
      )
    }
  }
  if (agent === REGISTRAR || roles.includes(REGISTRAR)) {
    throw usage(
      'there is one registrar, and it has its key',
      'Replace that key with `witan keys rotate registrar`.',
    )
  }
}

/** A further key must be for further roles, and for an agent whose other keys are here: a name cannot be reused by others. */
function refuseTaken(
  registry: RegistryState,
  agent: string,
  roles: readonly string[],
  here: readonly string[],
): void {
  const own = [...registry.keys.values()].filter((key) => key.agent === agent && isInForce(key))
  const same = own.find((key) => key.roles.some((role) => roles.includes(role)))
  const away = own.find(({ id }) => !here.includes(id))
  if (!same && !away) return
  throw new WitanError(
    'KEY_EXISTS',
    same ? `${agent} has a key in force as ${same.roles.join(', ')}` : `the key of ${agent} is elsewhere`,
    `Replace it with \`witan keys rotate ${agent}\`; for other roles revoke it first.`,
  )
}

const idsIn = async ({ keyring }: Home): Promise<readonly string[]> =>
  (await keyring.list()).map(({ id }) => id)

/** The purpose of a new key, and its source. */
export interface AddOptions {
  readonly roles: readonly string[]
  /** The file of a public key that was made elsewhere; otherwise a key is made here. */
  readonly publicKeyFile?: string | null
  /** Who is asked for a passphrase that protects the new key; null for a key without one. */
  readonly passphrase?: Pick<Passphrases, 'choose'> | null
}

/** A key that was added. */
export interface AddedKey {
  readonly id: string
  readonly public_key: string
  readonly agent: string
  readonly roles: readonly string[]
  readonly private_key_here: boolean
  readonly locked: boolean
}

/** A name, its roles and its key. */
export async function addKey(
  location: HomeLocation,
  agent: string,
  { roles: named, publicKeyFile: file = null, passphrase: protection = null }: AddOptions,
): Promise<AddedKey> {
  const roles = [...new Set(named)]
  return changing(location, async (home, registrar) => {
    checkNames(agent, roles)
    const { state } = registrar.log
    const here = await idsIn(home)
    refuseTaken(state, agent, roles, here)
    if (file !== null && protection !== null)
      throw usage('the private key is not here to be protected', 'Leave --passphrase or --public out.')
    const passphrase = await protection?.choose(agent)
    const { publicKey, made } =
      file === null
        ? { ...(await home.keyring.create(agent, passphrase)), made: 'here' as const }
        : await readNewKey(state, file, here)
    const locked = passphrase !== undefined
    const key = await registrar.register(agent, roles, publicKey, { made, locked })
    return { id: key.id, public_key: key.public_key, agent, roles, private_key_here: file === null, locked }
  })
}

const refuseRetired = (key: KeyRecord): void => {
  if (isInForce(key)) return
  const next = 'See `witan keys list`.'
  throw new WitanError('KEY_RETIRED', `key ${shortKey(key.id)} is no longer in force`, next)
}

/** A key that replaced another. */
export interface RotatedKey {
  readonly id: string
  readonly public_key: string
  readonly agent: string
  readonly roles: readonly string[]
  readonly replaces: string
  /** Where others find the registrar's new key, if the registrar's was replaced. */
  readonly pin: string | null
}

/**
 * Replaces an old key by a new one. A key whose private half is elsewhere is replaced by one that its owner made,
 * never by one of ours under that name. The registrar signs here, so its key is made here.
 */
export const rotateKey = (
  location: HomeLocation,
  name: string,
  {
    publicKeyFile: file = null,
    passphrases,
  }: { readonly publicKeyFile?: string | null; readonly passphrases: Pick<Passphrases, 'choose'> },
): Promise<RotatedKey> =>
  changing(location, async (home, registrar) => {
    const { state } = registrar.log
    const old = findKey(state, name)
    refuseRetired(old)
    const entries = await home.keyring.list()
    const entry = entries.find(({ id }) => id === old.id)
    if (file === null && !entry) {
      throw new WitanError(
        'KEY_NOT_FOUND',
        `the private key of ${old.agent} is not in this home`,
        `Give the new public key that its owner made, with --public FILE. If the key is lost, run \`witan keys revoke ${old.agent} --reason TEXT\`, then \`witan keys add\`.`,
      )
    }
    const isRegistrar = old.roles.includes(REGISTRAR)
    if (file !== null && isRegistrar) {
      throw usage('the key of the registrar is made in its home', 'Run `witan keys rotate registrar`.')
    }
    // A key with a passphrase is replaced by one with a passphrase.
    const passphrase = file === null && entry?.locked ? await passphrases.choose(old.agent) : undefined
    const ids = entries.map(({ id }) => id)
    const { publicKey, made } =
      file === null
        ? { ...(await home.keyring.create(old.agent, passphrase)), made: 'here' as const }
        : await readNewKey(state, file, ids)
    const key = await registrar.rotate(old, publicKey, { made, locked: passphrase !== undefined })
    const { id, public_key, agent, roles } = key
    return {
      id,
      public_key,
      agent,
      roles,
      replaces: old.id,
      pin: isRegistrar ? pinFile(home.directory) : null,
    }
  })

/** A key that was revoked. */
export interface RevokedKey {
  readonly id: string
  readonly agent: string
  readonly roles: readonly string[]
  readonly reason: string
  readonly compromised_since: number | null
  /** Events that were signed at that very moment, and no longer count. */
  readonly voided: readonly string[]
  /** Keys that the machine of this key had requested, which were revoked with it. */
  readonly with_it?: readonly string[]
}

/** Revokes a key. The head of every trace is recorded with it, so that the key cannot add anything unnoticed later. */
export const revokeKey = (
  location: HomeLocation,
  name: string,
  {
    reason: writtenReason,
    compromisedSince: since = null,
  }: { readonly reason: string; readonly compromisedSince?: number | null },
): Promise<RevokedKey> =>
  changing(location, async (_, registrar) => {
    const { value: reason } = await withoutTypedSecrets(writtenReason)
    const { state, size } = registrar.log
    const key = findKey(state, name)
    const earlier = key.revoked && !key.revoked.retired ? key.revoked : null
    if (earlier && (since === null || since >= (earlier.compromisedSince ?? earlier.seq))) {
      throw new WitanError(
        'KEY_RETIRED',
        `key ${shortKey(key.id)} is revoked already`,
        'Nothing was changed. If it was stolen before that, say since when: --compromised-since SIZE',
      )
    }
    if (state.registrars.at(-1) === key.id) {
      throw new WitanError(
        'EVENT_REFUSED',
        'the registrar cannot revoke the key it signs with',
        `Run \`witan keys rotate registrar\`, then \`witan keys revoke ${shortKey(key.id)} --reason TEXT\`.`,
      )
    }
    if (since !== null && since > size) {
      throw usage(`the registry has ${size} events, not yet ${since}`, 'Give a size it had.')
    }
    const voided = [...(await registrar.revoke(key, reason, since))]
    // With a machine's key, everything that it requested is revoked.
    const { keysOfMachine } = await import('./machines.ts')
    const ended = keysOfMachine(state, key.id)
    for (const endedKey of ended) voided.push(...(await registrar.revoke(endedKey, reason, since)))
    const { id, agent, roles } = key
    const with_it = ended.map((one) => one.id)
    return {
      id,
      agent,
      roles,
      reason,
      compromised_since: since,
      voided,
      ...(with_it.length > 0 && { with_it }),
    }
  })
