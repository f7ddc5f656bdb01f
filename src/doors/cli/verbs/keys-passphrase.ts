// `witan keys passphrase`: sets, changes or removes the passphrase of a person's key. A key that ever lay open may have
// been copied, so a passphrase protects only a key that was made under one: setting and removing make a new key.

import { signingRegistrar, withHome } from '../../../app/home/home.ts'
import { pinSuccessor } from '../../../app/home/registry-pin.ts'
import { findKey, statusOf } from '../../../app/keys/find-key.ts'
import { WitanError } from '../../../ledger/errors.ts'
import type { KeyRecord, RegistryState } from '../../../ledger/registry/registry.ts'
import { shortKey } from '../../../render/story/registry.ts'
import type { Outcome, Verb } from '../command.ts'
import { usage } from '../parse.ts'
import { askPassphrase, newPassphrase } from '../passphrase.ts'

/** Who signs when nobody is there to be asked has no use for a passphrase. */
const OF_PEOPLE = ['critic', 'observer']

const isOfPerson = ({ roles }: KeyRecord): boolean => roles.every((role) => OF_PEOPLE.includes(role))

/** Who also has a key to open sessions with means the other one. */
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
      `${key.agent} signs as ${key.roles.join(', ')}, also when nobody is there to enter a passphrase`,
      `Only keys of people (${OF_PEOPLE.join(', ')}) can have one.`,
    )
  }
}

const outcome = (
  key: { readonly id: string; readonly agent: string },
  isProtected: boolean,
  old: string | null,
): Outcome => ({
  value: { id: key.id, agent: key.agent, passphrase: isProtected, replaces: old },
  lines: [
    isProtected
      ? `A passphrase protects the key of ${key.agent}`
      : `No passphrase protects the key of ${key.agent} any more`,
    `  key       ${key.id}`,
    ...(old === null
      ? []
      : [`  replaces  ${old}`, '  What the old key signed stays valid; nothing can be added by it.']),
    isProtected
      ? '  Nobody can use or recover it without the passphrase.'
      : '  Any program that runs as you can use it.',
  ],
  brief: [key.id],
})

export const run: Verb = (call) =>
  withHome({ directory: call.home, mode: 'write', postgres: call.postgres }, async (home) => {
    const registrar = await signingRegistrar(home)
    const old = keyNamed(registrar.log.state, call.args[0] ?? '')
    const entry = (await home.keyring.list()).find(({ id }) => id === old.id)
    checkKey(old, entry !== undefined)
    const removes = call.flag('remove')
    if (removes && !entry?.locked)
      throw usage(`no passphrase protects the key of ${old.agent}`, 'Leave --remove out to set one.')
    const before = entry?.locked ? await askPassphrase(`Passphrase of ${old.agent}: `) : null
    if (before !== null) await home.keyring.unlock(old.id, before)
    const passphrase = removes ? undefined : await newPassphrase(old.agent)
    if (passphrase !== undefined && before !== null && old.locked) {
      await home.keyring.changePassphrase(old.id, before, passphrase)
      return outcome(old, true, null)
    }
    const { publicKey } = await home.keyring.create(old.agent, passphrase)
    const key = await registrar.rotate(old, publicKey, { made: 'here', locked: passphrase !== undefined })
    await pinSuccessor(call.home, registrar.log.state)
    return outcome(key, passphrase !== undefined, old.id)
  })
