// Whoever is about to say something needs a home and a key. Both are made on first use without ceremony, as
// `witan init` and `witan keys add` would make them. However many processes try at once, an agent gets one key for a
// role; one that was revoked is never replaced behind its owner's back.

import { unlink } from 'node:fs/promises'
import type { NewKey, Registrar } from '../clerk/registrar.ts'
import { isWitanError } from '../ledger/errors.ts'
import { isAgentName } from '../ledger/event.ts'
import type { RegistryState } from '../ledger/registry.ts'
import { foundHome } from './founding.ts'
import { type Home, openHome, signingRegistrar } from './home.ts'
import { userName } from './user.ts'

/** Someone who is to sign, and in which roles. */
export interface Signer {
  readonly agent: string
  readonly roles: readonly string[]
}

/** The home, made if there is none yet. */
export async function openOrFound(options: {
  readonly directory: string
  readonly postgres: string | null
}): Promise<Home> {
  try {
    const home = await openHome({ ...options, mode: 'write' })
    if ((await home.vault.registry()) !== null) return home
    await home.close()
  } catch (error) {
    if (!isWitanError(error, 'HOME_MISSING')) throw error
  }
  return (await foundHome({ ...options, name: userName() })).home
}

/** The person at the keyboard as a name that can own a key. */
export function personName(): string {
  const name = userName()
    .replaceAll(/[^A-Za-z0-9._@-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 64)
  return isAgentName(name) ? name : 'someone'
}

function missingRoles({ keys }: RegistryState, { agent, roles }: Signer): readonly string[] {
  const own = [...keys.values()].filter((key) => key.agent === agent)
  return roles.filter((role) => !own.some((key) => key.roles.includes(role)))
}

async function drop(home: Home, ids: readonly string[]): Promise<void> {
  for (const { id, file } of await home.keyring.list()) if (ids.includes(id)) await unlink(file)
}

/** More often than others could possibly be in the way. */
const TRIES = 20

/** Everyone named can sign in every role named when this returns; KEY_RETIRED when someone no longer may. */
export async function employ(home: Home, signers: readonly Signer[]): Promise<Registrar> {
  const registrar = await signingRegistrar(home)
  for (let tries = 0; tries < TRIES; tries++) {
    const made: (NewKey & { readonly id: string })[] = []
    for (const { agent, roles: wanted } of signers) {
      const roles = missingRoles(registrar.book.state, { agent, roles: wanted })
      if (roles.length > 0) made.push({ agent, roles, ...(await home.keyring.create(agent)) })
    }
    if (made.length === 0) break
    const taken = (await registrar.enrol(made)).map(({ id }) => id)
    const unused = made.filter(({ id }) => !taken.includes(id)).map(({ id }) => id)
    if (unused.length > 0) await drop(home, unused)
  }
  for (const { agent, roles } of signers) for (const role of roles) registrar.actor(agent, role)
  return registrar
}
