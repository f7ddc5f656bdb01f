// A home is a directory with private keys, settings and, unless they say otherwise, the ledger. This file
// decides where it is and wires store, keys, clock and randomness together; it does nothing else. Opened for
// reading, a home is never made, completed or written to.

import { readFile, rm, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Outside, Ports, SignRequest } from '../../clerk/ports.ts'
import type { Registrar } from '../../clerk/registrar.ts'
import { WitanError } from '../../ledger/errors.ts'
import type { Keyring } from '../../stores/keyring.ts'
import { liveTextChannel } from '../../stores/live-text/telling.ts'
import type { FolderSettings } from '../../stores/postgres/shared-folder.ts'
import type { Snapshots, Store } from '../../stores/store.ts'
import type { Config } from '../config/config.ts'

/** Where a home is. */
export interface HomeLocation {
  readonly directory: string
  /** A PostgreSQL URL from a trusted file; it overrides the home's own settings. */
  readonly postgres?: string | null
}

export interface Opening extends HomeLocation {
  readonly mode: 'read' | 'write' | 'create'
}

export interface Home {
  readonly directory: string
  readonly store: Store
  readonly keyring: Keyring
  readonly ports: Ports
  /** The PostgreSQL server of the ledger; null when the ledger is in the home. */
  readonly postgres: string | null
  /** Drives traces that others began: no one acts as a person here, and no such key is needed. */
  readonly isWorker?: true
  /** The registry, folded as it stands now. */
  registrar(): Promise<Registrar>
  close(): Promise<void>
}

/** The directory of the home: as given, or `$WITAN_HOME`, or `.witan` of the user. */
export const homeDirectory = (option: string | null = null): string =>
  resolve(option ?? (process.env.WITAN_HOME || join(homedir(), '.witan')))

export const configFile = (home: string): string => join(home, 'config.yaml')

/** Artifacts of more bytes than this are in the shared folder, where there is one. */
const DEFAULT_ABOVE = 8 << 20

/** Where vectors are kept so that no text is encoded twice. */
export const vectorsFolder = (home: string): string => join(home, 'vectors')

const missing = (directory: string): WitanError =>
  new WitanError('HOME_MISSING', `there is no home at ${directory}`, 'Run `witan init` to make one.')

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    // Opening the home reports this in more detail.
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT' && error.code !== 'ENOTDIR',
  )

async function requireFolder(directory: string): Promise<void> {
  if (!(await exists(directory))) throw missing(directory)
  const isFile = await stat(directory).then(
    (entry) => !entry.isDirectory(),
    () => false,
  )
  if (isFile)
    throw new WitanError('FILE_EXISTS', `${directory} is not a directory`, 'Choose another with --home.')
}

/** The home's own settings. A file with only comments, as `init` writes it, does not need a parser. */
export async function ownSettings(directory: string): Promise<Config | null> {
  const file = configFile(directory)
  const text = (await exists(file)) ? await readFile(file, 'utf8').catch(() => 'unreadable') : ''
  if (text.split('\n').every((line) => /^\s*(#|$)/.test(line))) return null
  const { readConfig } = await import('../config/config.ts')
  return readConfig(file, directory)
}

/** The URL of the PostgreSQL server that holds the ledger; null when it lies in the home itself. */
export const ledgerUrl = async ({ directory, postgres = null }: HomeLocation): Promise<string | null> =>
  postgres ?? (process.env.WITAN_POSTGRES_URL || ((await ownSettings(directory))?.postgres ?? null))

/** The shared folder for large artifacts of a ledger in PostgreSQL; null when all are in the database. */
async function artifactsFolder(directory: string): Promise<FolderSettings | null> {
  const { artifacts } = (await ownSettings(directory))?.sections.vault ?? {}
  const folder = process.env.WITAN_ARTIFACTS_FOLDER || artifacts?.folder
  const above = artifacts?.above_kib === undefined ? DEFAULT_ABOVE : artifacts.above_kib << 10
  return folder ? { folder: resolve(folder), above } : null
}

export async function openStore({ directory, mode, postgres = null }: Opening): Promise<Store> {
  const url = await ledgerUrl({ directory, postgres })
  if (url) {
    const { openPostgresStore } = await import('../../stores/postgres.ts')
    // A reader gets the error of an unreachable server soon.
    const artifacts = await artifactsFolder(directory)
    const create = mode === 'create'
    return openPostgresStore({ url, create, artifacts, ...(mode === 'read' && { patience: 5_000 }) })
  }
  if (mode !== 'create') await requireFolder(directory)
  const [{ openSqliteStore }, { databaseFile }] = await Promise.all([
    import('../../stores/sqlite.ts'),
    import('../../stores/sqlite/open.ts'),
  ])
  // Opening for writing would make the file, which only `create` may.
  if (mode === 'write' && !(await exists(databaseFile(directory)))) throw missing(directory)
  return openSqliteStore({ directory, readonly: mode === 'read' })
}

/** Opens the store alone for reading, and closes it in any case. */
export async function withStore<Result>(
  location: HomeLocation,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = await openStore({ ...location, mode: 'read' })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/** Keys are read when they are first needed: a clerk continues with the successor of a rotated key. */
async function signAll(keyring: Keyring, requests: readonly SignRequest[]): Promise<readonly Uint8Array[]> {
  const signatures: Uint8Array[] = new Array(requests.length)
  for (const key of new Set(requests.map((request) => request.actor.key))) {
    const own = [...requests.entries()].filter(([, request]) => request.actor.key === key)
    const made = await (await keyring.signer(key)).all(own.map(([, request]) => request.message))
    for (const [i, [place]] of own.entries()) signatures[place] = made[i] ?? new Uint8Array()
  }
  return signatures
}

/** Kept vectors reveal much about their texts: when anything is erased, they are deleted with the snapshots. */
const withVectors = (snapshots: Snapshots, directory: string): Snapshots => ({
  ...snapshots,
  async clear() {
    await snapshots.clear()
    await rm(vectorsFolder(directory), { recursive: true, force: true, maxRetries: 3 })
  },
})

/** Made for a home, with the ports that it is opened with. */
export type OutsideOf = (directory: string, ports: () => Ports) => Outside

let outsideOf: OutsideOf | null = null

/** Set once by the program that joins the parts: how homes reach outside, loaded when a run ends. */
export const reachOutside = (of: OutsideOf): void => {
  outsideOf = of
}

/** Several machines on one ledger have their own keys: which are here is known from the beginning. */
async function heldKeys(
  keyring: Keyring,
  isShared: boolean,
): Promise<{ readonly keyring: Keyring; readonly holds: Ports['holds'] }> {
  if (!isShared) return { keyring, holds: undefined }
  const here = new Set((await keyring.list()).map(({ id }) => id))
  const noted = <Key extends { readonly id: string }>(key: Key): Key => {
    here.add(key.id)
    return key
  }
  return {
    keyring: {
      ...keyring,
      create: async (...args) => noted(await keyring.create(...args)),
      importPem: async (...args) => noted(await keyring.importPem(...args)),
    },
    holds: (key) => here.has(key),
  }
}

export async function openHome(opening: Opening): Promise<Home> {
  const { directory } = opening
  const postgres = await ledgerUrl(opening)
  const store = await openStore({ ...opening, postgres })
  const [{ openKeyring }, { openSnapshotFiles }, { sha256 }, { saltSource }, { verifySignature }, { ulid }] =
    await Promise.all([
      import('../../stores/keyring.ts'),
      import('../../stores/snapshot-files.ts'),
      import('../../stores/digest.ts'),
      import('../../stores/digest.ts'),
      import('../../stores/signature-checks.ts'),
      import('ulid'),
    ])
  const live = opening.mode === 'read' ? null : liveTextChannel(directory, postgres)
  const { keyring, holds } = await heldKeys(openKeyring(directory), postgres !== null)
  const ports: Ports = {
    store,
    snapshots: withVectors(openSnapshotFiles(directory), directory),
    sha256,
    now: () => new Date().toISOString(),
    salt: saltSource(),
    newTrace: () => ulid(),
    ...(holds && { holds }),
    ...(live && { tell: live.tell }),
    sign: (requests) => signAll(keyring, requests),
    verify: verifySignature,
    ...(outsideOf && { outside: outsideOf(directory, () => ports) }),
  }
  return {
    directory,
    store,
    keyring,
    ports,
    postgres,
    async registrar() {
      const { Registrar } = await import('../../clerk/registrar.ts')
      return Registrar.open(ports)
    },
    async close() {
      await live?.close()
      await store.close()
    },
  }
}

/** Opens, works, and closes in any case. */
export async function withHome<Result>(
  opening: Opening,
  work: (home: Home) => Promise<Result>,
): Promise<Result> {
  const home = await openHome(opening)
  try {
    return await work(home)
  } finally {
    await home.close()
  }
}

/** The registry, for commands that write to it or sign checkpoints: they first check that its key is here. */
export async function signingRegistrar(home: Home): Promise<Registrar> {
  const registrar = await home.registrar()
  await home.keyring.signer(registrar.log.state.registrars.at(-1) ?? '')
  return registrar
}
