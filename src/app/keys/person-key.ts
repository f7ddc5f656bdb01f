// The key that a person signs with: one of this home, unprotected or under a passphrase, or one in a file.
// How they signed follows from that, and is recorded.

import type { Ports, SignRequest } from '../../clerk/ports.ts'
import type { Registrar } from '../../clerk/registrar.ts'
import { WitanError } from '../../ledger/errors.ts'
import type { Means } from '../../ledger/means.ts'
import type { Actor } from '../../protocol.ts'
import { lookAtKeyFile, type PrivateKey, readPrivateKeyFile } from '../../stores/keyring.ts'
import type { Home } from '../home/home.ts'

/** The key that a person would sign with, as far as it is on this machine. */
export interface KeyAtHand {
  readonly isLocked: boolean
  /** Whether the passphrase proves a person: the key was never stored without it. */
  readonly isSafe: boolean
  readonly unlock: (passphrase: string) => Promise<void>
}

/** A key from a file, and how its passphrase is asked for. */
export interface KeyFile {
  readonly path: string
  readonly askPassphrase: (question: string) => Promise<string>
}

/** Null when the private key is not in this home. */
export async function keyAtHand(
  { keyring }: Pick<Home, 'keyring'>,
  registrar: Registrar,
  id: string,
): Promise<KeyAtHand | null> {
  const entry = (await keyring.list()).find((one) => one.id === id)
  if (!entry) return null
  return {
    isLocked: entry.locked,
    isSafe: entry.locked && registrar.log.state.keys.get(id)?.locked === true,
    unlock: (passphrase) => keyring.unlock(id, passphrase),
  }
}

/** Who signs, how, and the ports that sign so. */
export interface KeyHolder<Via> {
  readonly actor: Actor
  readonly via: Via | 'file'
  readonly ports: Ports
}

/** With the key in a file. A key that was made in this home does not count as such, wherever its file is. */
export async function findHolder<Via extends Means>(
  home: Home,
  {
    role,
    keyFile: { path: file, askPassphrase },
    means,
  }: {
    readonly role: string
    readonly keyFile: KeyFile
    readonly means: (actor: Actor, key: KeyAtHand) => Promise<Via>
  },
): Promise<KeyHolder<Via>> {
  const registrar = await home.registrar()
  const { id, locked } = await lookAtKeyFile(file)
  const known = registrar.log.state.keys.get(id)
  if (!known) {
    const next = `Register it first: witan keys add NAME --role ${role} --public FILE`
    throw new WitanError('KEY_NOT_FOUND', `the key in ${file} is not registered here`, next)
  }
  const actor = { agent: known.agent, role, key: id }
  const own = await keyAtHand(home, registrar, id)
  if (own) return { actor, via: await means(actor, own), ports: home.ports }
  let key: PrivateKey | null = null
  const unlock = async (passphrase: string | null): Promise<void> => {
    key = await readPrivateKeyFile(file, passphrase)
  }
  if (!locked) await unlock(null)
  const isBrought = known.made === 'elsewhere'
  if (isBrought && locked) await unlock(await askPassphrase(`Passphrase of ${file}: `))
  const isSafe = locked && known.locked === true
  const via = isBrought ? 'file' : await means(actor, { isLocked: locked, isSafe, unlock })
  const sign = async (requests: readonly SignRequest[]): Promise<readonly Uint8Array[]> =>
    Promise.all(
      requests.map(async (request) =>
        request.actor.key === id && key
          ? key.sign(request.message)
          : ((await home.ports.sign([request]))[0] ?? new Uint8Array()),
      ),
    )
  return { actor, via, ports: { ...home.ports, sign } }
}
