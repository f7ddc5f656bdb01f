// A person or program that signs needs a home and a key. Both are made on first use, as `witan init` and
// `witan keys add` would make them. No matter how many processes try at once, an agent gets one key for a
// role; a revoked key is never silently replaced.

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

// A home that a process opens several times is opened once. Parallel councils then share one connection, one
// folded registry and one queue of writers; separate registries would each be read in full, and every record
// by one of them would make the others check again.

interface Shared {
  readonly home: Promise<Home>
  readonly file: Promise<string | null>
  holders: number
}

const opened = new Map<string, Shared>()

/** The ledger's file; null where it is none. */
async function findSignersFile({ store, directory }: Home): Promise<string | null> {
  if (store.kind !== 'sqlite') return null
  const { dev, ino } = await stat(databaseFile(directory), { bigint: true })
  return `${dev}.${ino}`
}

/** Whether the ledger is still in its place, and its disk has not failed. */
async function isSound({ home, file }: Shared): Promise<boolean> {
  try {
    const there = await home
    await there.store.settled()
    return (await findSignersFile(there)) === (await file)
  } catch {
    // The next caller that opens it gets the reason.
    return false
  }
}

async function release(key: string, shared: Shared): Promise<void> {
  shared.holders--
  if (shared.holders > 0) return
  if (opened.get(key) === shared) opened.delete(key)
  await (await shared.home).close()
}

function lendHome(key: string, shared: Shared, home: Home): Home {
  let closing: Promise<void> | null = null
  const close = (): Promise<void> => {
    closing ??= release(key, shared)
    return closing
  }
  return { ...home, close }
}

/** The home under this key, opened if this process has not opened it; closed when its last user closes it. */
async function shareHome(key: string, open: () => Promise<Home>): Promise<Home> {
  const known = opened.get(key)
  if (known) {
    known.holders++
    if (await isSound(known)) return lendHome(key, known, await known.home)
    await release(key, known).catch(() => undefined)
    if (opened.get(key) === known) opened.delete(key)
  }
  const home = open()
  const file = home.then(findSignersFile)
  file.catch(() => undefined)
  const shared: Shared = { home, file, holders: 1 }
  opened.set(key, shared)
  try {
    return lendHome(key, shared, await home)
  } catch (error) {
    if (opened.get(key) === shared) opened.delete(key)
    throw error
  }
}

/** An agent that is to sign, and its roles. */
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

/** The home, made if there is none yet; shared by everything in this process that has it open. */
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

/** More often than other processes could possibly interfere. */
const TRIES = 20

/** Makes and registers the missing keys, in turn with other processes. */
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

/** Makes keys for a home one after the other within this process, so that none is made for nothing. */
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

/** On a machine without the registrar's key: requests what is missing here. */
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

/** When this returns, everyone named can sign in every role named; KEY_RETIRED when a key was revoked. */
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

// What traces of every protocol need: the store that keeps them, the keys that sign them, and the encoder
// that turns their texts into vectors.

/** An embedder with the function that closes it; one that the caller brought stays open. */
export interface LentEmbedder {
  readonly embedder: Embedder
  close(): Promise<void>
}

export interface RunKit {
  readonly ports: Ports
  /**
   * The home with the settings for notices, which also keeps what was learned for an encoder; absent where a
   * program keeps its own storage.
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
