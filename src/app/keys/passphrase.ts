// Sets, changes or removes the passphrase of a person's key. An unprotected key may have been copied, so a
// passphrase protects only a key that was made under one: setting and removing make a new key.

import { WitanError } from '../../ledger/errors.ts'
import type { KeyRecord, RegistryState } from '../../ledger/registry/registry.ts'
import { shortKey } from '../../ledger/signing.ts'
import type { HomeLocation } from '../home/home.ts'
import { findKey, statusOf } from './find-key.ts'
import { changing, type Passphrases } from './keys.ts'

const usage = (message: string, next: string): WitanError => new WitanError('USAGE', message, next)

/** An agent that signs without a person present has no use for a passphrase. */
const OF_PEOPLE = ['critic', 'observer']

const isOfPerson = ({ roles }: KeyRecord): boolean => roles.every((role) => OF_PEOPLE.includes(role))

/** If they also have a key to open sessions, the other one is meant. */
function keyNamed(registry: RegistryState, name: string): KeyRecord {
  const own = [...registry.keys.values()].filter(
    (key) => key.agent === name && statusOf(key) === 'in force' && isOfPerson(key),
  )
  const [only] = own
  return only && own.length === 1 ? only : findKey(registry, name)
}

function checkKey(key: KeyRecord, isHere: boolean): void {
  if (statusOf(key) !== 'in force') {
    const next = 'See `witan keys list`.'
    throw new WitanError('KEY_RETIRED', `key ${shortKey(key.id)} is no longer in force`, next)
  }
  if (!isHere) {
    const next = 'Protect it where it is; `witan keys list` marks the keys that are here.'
    throw new WitanError('KEY_NOT_FOUND', `the private key of ${key.agent} is not in this home`, next)
  }
  if (!isOfPerson(key)) {
    throw usage(
      `${key.agent} signs as ${key.roles.join(', ')}, also when no person is there to enter a passphrase`,
      `Only keys of people (${OF_PEOPLE.join(', ')}) can have one.`,
    )
  }
}

/** A key whose passphrase was set, changed or removed. */
export interface ProtectedKey {
  readonly id: string
  readonly agent: string
  /** Whether a passphrase protects it now. */
  readonly passphrase: boolean
  /** The key that it replaces; null when it stayed the same. */
  readonly replaces: string | null
}

/** Sets, changes or removes the passphrase of a key; `name` is its owner or the beginning of its id. */
export const setPassphrase = (
  location: HomeLocation,
  name: string,
  { remove = false, passphrases }: { readonly remove?: boolean; readonly passphrases: Passphrases },
): Promise<ProtectedKey> =>
  changing(location, async (home, registrar) => {
    const old = keyNamed(registrar.log.state, name)
    const { agent } = old
    const entry = (await home.keyring.list()).find(({ id }) => id === old.id)
    checkKey(old, entry !== undefined)
    if (remove && !entry?.locked)
      throw usage(`no passphrase protects the key of ${agent}`, 'Leave --remove out to set one.')
    const before = entry?.locked ? await passphrases.ask(agent) : null
    if (before !== null) await home.keyring.unlock(old.id, before)
    const passphrase = remove ? undefined : await passphrases.choose(agent)
    if (passphrase !== undefined && before !== null && old.locked) {
      await home.keyring.changePassphrase(old.id, before, passphrase)
      return { id: old.id, agent, passphrase: true, replaces: null }
    }
    const locked = passphrase !== undefined
    const { publicKey } = await home.keyring.create(agent, passphrase)
    const key = await registrar.rotate(old, publicKey, { made: 'here', locked })
    return { id: key.id, agent: key.agent, passphrase: locked, replaces: old.id }
  })
