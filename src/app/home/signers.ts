// A person or program about to say something needs a home and a key. Both are made on first use without ceremony, as
// `witan init` and `witan keys add` would make them. No matter how many processes try at once, an agent gets one key for a
// role; one that was revoked is never replaced behind its owner's back.

import { stat, unlink } from 'node:fs/promises'
import type { Ports } from '../../clerk/ports.ts'
import { isInForce, type NewKey, type Registrar } from '../../clerk/registrar.ts'
import type { Embedder } from '../../embeddings/embedder.ts'
import { CLERK } from '../../ledger/calls.ts'
import { isWitanError } from '../../ledger/errors.ts'
import { isAgentName } from '../../ledger/event.ts'
import type { KeyRecord, RegistryState } from '../../ledger/registry/registry.ts'
import type { MadeKey } from '../../stores/keyring.ts'
import { databaseFile } from '../../stores/sqlite/open.ts'
import { createHome, userName } from './create-home.ts'
import { type Home, type HomeLocation, ledgerUrl, openHome, signingRegistrar, vectorsFolder } from './home.ts'

export type { Embedder } from '../../embeddings/embedder.ts'

// A home that a process opens several times over is opened once. Councils that run side by side then share one
// connection, one folded registry and one queue of writers to it; a registry folded by each of them would be read as
// often as it has readers, and every record that one of them makes would send the others back to judge again.

interface Shared {
  readonly home: Promise<Home>
  readonly file: Promise<string | null>
  holders: number
}

const opened = new Map<string, Shared>()

/** Which file the ledger lies in; null where it is none. */
async function fileOf({ store, directory }: Home): Promise<string | null> {
  if (store.kind !== 'sqlite') return null
  const { dev, ino } = await stat(databaseFile(directory), { bigint: true })
  return `${dev}.${ino}`
}

/** Whether the ledger is still in its place, and its disk has not failed. */
async function isSound({ home, file }: Shared): Promise<boolean> {
  try {
    const there = await home
    await there.store.settled()
    return (await fileOf(there)) === (await file)
  } catch {
    // The next to open it is told why.
    return false
  }
}

async function release(key: string, shared: Shared): Promise<void> {
  shared.holders--
  if (shared.holders > 0) return
  if (opened.get(key) === shared) opened.delete(key)
  await (await shared.home).close()
}

function held(key: string, shared: Shared, home: Home): Home {
  let closing: Promise<void> | null = null
  const close = (): Promise<void> => {
    closing ??= release(key, shared)
    return closing
  }
  return { ...home, close }
}

/** The home under this key, opened if this process has not opened it; closed when its last holder closes it. */
async function shareHome(key: string, open: () => Promise<Home>): Promise<Home> {
  const known = opened.get(key)
  if (known) {
    known.holders++
    if (await isSound(known)) return held(key, known, await known.home)
    await release(key, known).catch(() => undefined)
    if (opened.get(key) === known) opened.delete(key)
  }
  const home = open()
  const file = home.then(fileOf)
  file.catch(() => undefined)
  const shared: Shared = { home, file, holders: 1 }
  opened.set(key, shared)
  try {
    return held(key, shared, await home)
  } catch (error) {
    if (opened.get(key) === shared) opened.delete(key)
    throw error
  }
}

/** Someone who is to sign, and in which roles. */
export interface Signer {
  readonly agent: string
  readonly roles: readonly string[]
}

async function openNow(options: HomeLocation): Promise<Home> {
  try {
    const home = await openHome({ ...options, mode: 'write' })
    if ((await home.store.registry()) !== null) return home
    await home.close()
  } catch (error) {
    if (!isWitanError(error, 'HOME_MISSING')) throw error
  }
  return (await createHome({ ...options, name: userName() })).home
}

/** The home, made if there is none yet; one and the same for all of this process that have it open. */
export async function openOrCreateHome(options: HomeLocation): Promise<Home> {
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

/** Keys of other machines do not count. */
function missingRoles(
  { keys }: RegistryState,
  { agent, roles }: Signer,
  counts: (key: KeyRecord) => boolean = ({ machine }) => machine === undefined,
): readonly string[] {
  const own = [...keys.values()].filter((key) => key.agent === agent && counts(key))
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

/** Who makes keys for a home, one after the other within this process: none is then made without success. */
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

/** On a machine without the registrar's key: what is missing here is asked for. */
async function requestMissingKeys(
  home: Home,
  registrar: Registrar,
  signers: readonly Signer[],
): Promise<Registrar> {
  const { PERSONAL, requestKeys } = await import('../../clerk/request-keys.ts')
  const isNeeded = (role: string): boolean => !home.isWorker || !PERSONAL.includes(role)
  const isHere = (key: KeyRecord): boolean => isInForce(key) && home.ports.holds?.(key.id) === true
  const lacking = (): readonly Signer[] =>
    [{ agent: CLERK, roles: [CLERK] }, ...signers].flatMap(({ agent, roles }) => {
      const needed = { agent, roles: roles.filter(isNeeded) }
      const missing = missingRoles(registrar.log.state, needed, isHere)
      return missing.length > 0 ? [{ agent, roles: missing }] : []
    })
  if (lacking().length > 0) {
    await inTurn(home.directory, async () => {
      await registrar.log.refresh()
      const wanted = lacking()
      if (wanted.length === 0) return
      const { withQueue } = await import('../queue/queue.ts')
      await withQueue(home, (queue) => requestKeys({ ...home, queue }, registrar, wanted))
    })
  }
  return registrar
}

/** Everyone named can sign in every role named when this returns; KEY_RETIRED when someone no longer may. */
export async function registerSigners(home: Home, signers: readonly Signer[]): Promise<Registrar> {
  const known = await home.registrar()
  if (!known.holdsKey) return requestMissingKeys(home, known, signers)
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

// What traces of every protocol are worked on with: the store that keeps them, the keys that sign them, and the encoder
// that turns their texts into vectors.

/** An embedder with the way to give it back; one that the caller brought stays open. */
export interface LentEmbedder {
  readonly embedder: Embedder
  close(): Promise<void>
}

export interface RunKit {
  readonly ports: Ports
  /**
   * The home whose settings say who is told, and which keeps what was learned for an encoder; absent where a program
   * keeps its own storage.
   */
  readonly home?: string
  registerSigners(signers: readonly Signer[]): Promise<Registrar>
  openEmbedder(): Promise<LentEmbedder>
}

export const owned = (embedder: Embedder): LentEmbedder => ({ embedder, close: () => embedder.close() })

/** In a home: vectors are kept there. */
export const runKitOf = (home: Home): RunKit => ({
  ports: home.ports,
  home: home.directory,
  registerSigners: (signers) => registerSigners(home, signers),
  async openEmbedder() {
    const { openNamedEmbedder } = await import('../../embeddings/named.ts')
    return owned(await openNamedEmbedder(vectorsFolder(home.directory)))
  },
})
