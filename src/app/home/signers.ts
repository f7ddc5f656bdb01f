// Whoever is about to say something needs a home and a key. Both are made on first use without ceremony, as
// `witan init` and `witan keys add` would make them. However many processes try at once, an agent gets one key for a
// role; one that was revoked is never replaced behind its owner's back.

import { unlink } from 'node:fs/promises'
import type { NewKey, Registrar } from '../../clerk/registrar.ts'
import { isWitanError } from '../../ledger/errors.ts'
import { isAgentName } from '../../ledger/event.ts'
import type { RegistryState } from '../../ledger/registry/registry.ts'
import type { MadeKey } from '../../stores/keyring.ts'
import { foundHome } from './create-home.ts'
import { type Home, ledgerUrl, openHome, signingRegistrar } from './home.ts'
import { shareHome } from './shared-home.ts'
import { userName } from './user-name.ts'

/** Someone who is to sign, and in which roles. */
export interface Signer {
  readonly agent: string
  readonly roles: readonly string[]
}

interface Where {
  readonly directory: string
  readonly postgres: string | null
}

async function openNow(options: Where): Promise<Home> {
  try {
    const home = await openHome({ ...options, mode: 'write' })
    if ((await home.store.registry()) !== null) return home
    await home.close()
  } catch (error) {
    if (!isWitanError(error, 'HOME_MISSING')) throw error
  }
  return (await foundHome({ ...options, name: userName() })).home
}

/** The home, made if there is none yet; one and the same for all of this process that have it open. */
export async function openOrFound(options: Where): Promise<Home> {
  const key = JSON.stringify([options.directory, await ledgerUrl(options)])
  return shareHome(key, () => openNow(options))
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

/** More often than others could possibly be in the way. */
const TRIES = 20

/** Makes the keys that are missing and registers them, in turn with other processes. */
async function enrolMissing(home: Home, registrar: Registrar, signers: readonly Signer[]): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    const made: (NewKey & MadeKey)[] = []
    for (const { agent, roles: wanted } of signers) {
      const roles = missingRoles(registrar.log.state, { agent, roles: wanted })
      if (roles.length > 0) made.push({ agent, roles, made: 'here', ...(await home.keyring.create(agent)) })
    }
    if (made.length === 0) return
    const taken = (await registrar.enrol(made)).map(({ id }) => id)
    for (const { id, file } of made) if (!taken.includes(id)) await unlink(file)
  }
}

/** Who makes keys for a home, one after the other within this process: none is then made in vain. */
const turns = new Map<string, Promise<void>>()

async function inTurn(directory: string, work: () => Promise<void>): Promise<void> {
  const turn = (turns.get(directory) ?? Promise.resolve()).then(work)
  const over = turn.catch(() => undefined)
  turns.set(directory, over)
  try {
    await turn
  } finally {
    if (turns.get(directory) === over) turns.delete(directory)
  }
}

/** Everyone named can sign in every role named when this returns; KEY_RETIRED when someone no longer may. */
export async function employ(home: Home, signers: readonly Signer[]): Promise<Registrar> {
  const registrar = await signingRegistrar(home)
  const isMissing = (signer: Signer): boolean => missingRoles(registrar.log.state, signer).length > 0
  if (signers.some(isMissing)) {
    await inTurn(home.directory, async () => {
      await registrar.log.refresh()
      await enrolMissing(home, registrar, signers)
    })
  }
  for (const { agent, roles } of signers) for (const role of roles) registrar.actor(agent, role)
  return registrar
}
