// How an observer acts in a home: with the passphrase of their key, with a key file, or, with an unprotected
// key here, as the person who gives the command proves it.

import type { Ports } from '../../clerk/ports.ts'
import type { Registrar } from '../../clerk/registrar.ts'
import { OBSERVER } from '../../exchange/events.ts'
import { isWitanError, WitanError } from '../../ledger/errors.ts'
import type { Means } from '../../ledger/means.ts'
import type { Home } from '../home/home.ts'
import { findHolder, type KeyAtHand, type KeyFile, keyAtHand } from '../keys/person-key.ts'

/** How an observer identifies. */
export interface ObserverProof {
  readonly keyFile: KeyFile | null
  /** `key` is null where they have none here yet. */
  readonly means: (name: string, key: KeyAtHand | null) => Promise<Means>
}

export interface ObserverSigner {
  readonly via: Means
  readonly ports: Ports
}

/** Null where they have no key yet: it is made when they become the observer. */
function keyNamed(registrar: Registrar, name: string): string | null {
  try {
    return registrar.actor(name, OBSERVER).key
  } catch (error) {
    if (isWitanError(error, 'KEY_NOT_FOUND') || isWitanError(error, 'KEY_RETIRED')) return null
    throw error
  }
}

export async function observerSigner(
  home: Home,
  name: string,
  { keyFile, means }: ObserverProof,
): Promise<ObserverSigner> {
  const registrar = await home.registrar()
  const id = keyNamed(registrar, name)
  if (keyFile === null) {
    const key = id === null ? null : await keyAtHand(home, registrar, id)
    return { via: await means(name, key), ports: home.ports }
  }
  const { actor, via, ports } = await findHolder(home, {
    role: OBSERVER,
    keyFile,
    means: (who, key) => means(who.agent, key),
  })
  // Otherwise the home's key would sign, and the record would name the file.
  if (actor.agent === name && actor.key === id) return { via, ports }
  throw new WitanError(
    'USAGE',
    `the key in ${keyFile.path} is not the one by which ${name} observes here`,
    '`witan keys list` says who signs by which key.',
  )
}
