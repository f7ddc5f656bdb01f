// A ledger whose larger artifacts lie in a folder that machines share: the contract of every store, and what becomes of a
// machine that cannot reach the folder.

import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, inject, it } from 'vitest'
import { describeStoreContract } from '../../../test/contracts/stores.ts'
import * as chains from '../../../test/support/events.ts'
import { openStore } from '../../../test/support/postgres-store.ts'
import { GENESIS } from '../../ledger/event.ts'
import { openPostgresStore } from '../postgres.ts'
import type { Store } from '../store.ts'

const server = inject('postgresUrl')
const ABOVE = 1_000
const NEW = { size: 0, hash: GENESIS }
const unreachable = { code: 'ARTIFACT_UNREACHABLE', next: expect.any(String) }

const undo: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const one of undo.splice(0).reverse()) await one()
})

async function sharedFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'witan-shared-'))
  undo.push(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Files in the folder that are artifacts. */
const filesIn = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder, { recursive: true })).filter((name) => /[0-9a-f]{64}$/.test(name))

async function bytesOf(store: Store, hash: string): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of (await store.openArtifact(hash)) ?? []) parts.push(part)
  return Buffer.concat(parts)
}

async function open() {
  const folder = await sharedFolder()
  const opened = await openStore(server ?? '', { artifacts: { folder, above: ABOVE } })
  undo.push(() => opened.dispose())
  /** Another machine on the same database. */
  const other = async (at: string | null): Promise<Store> => {
    const artifacts = at === null ? null : { folder: at, above: ABOVE }
    const store = await openPostgresStore({ url: opened.place, artifacts })
    undo.push(() => store.close())
    return store
  }
  return { ...opened, folder, other }
}

if (server !== null)
  describeStoreContract('PostgreSQL with a shared folder', chains, async () => {
    const folder = await sharedFolder()
    return openStore(server, { artifacts: { folder, above: 8 } })
  })

describe.skipIf(server === null)('a shared folder for large artifacts', () => {
  it('APP-7 LED-8 keeps small artifacts in the database and large ones in the folder, for every machine', async () => {
    const { store, folder, other, rows } = await open()
    const [small, large] = [randomBytes(ABOVE), randomBytes(3_000_000)]
    const [one, two] = [await store.putArtifact(small), await store.putArtifact(large)]
    expect(await filesIn(folder)).toEqual([expect.stringContaining(two.hash)])
    expect(await rows('SELECT FROM artifact_chunks')).toHaveLength(1)
    const second = await other(folder)
    expect(Buffer.compare(await bytesOf(second, one.hash), small)).toBe(0)
    expect(Buffer.compare(await bytesOf(second, two.hash), large)).toBe(0)
    // Bytes that a machine without the folder had stored in the database lie there alone.
    const plain = await other(null)
    const both = randomBytes(ABOVE + 1)
    const { hash } = await plain.putArtifact(both)
    expect(await store.putArtifact(both)).toEqual({ hash, size: ABOVE + 1 })
    expect(await filesIn(folder)).toHaveLength(1)
    expect(Buffer.compare(await bytesOf(plain, hash), both)).toBe(0)
  })

  it('APP-7 reports the fault to a machine that names no folder, or has none mounted there, and writes nothing', async () => {
    const { store, folder, other } = await open()
    const { hash, size } = await store.putArtifact(randomBytes(5_000))
    const plain = await other(null)
    expect(await plain.statArtifact(hash)).toEqual({ hash, size })
    await expect(bytesOf(plain, hash)).rejects.toMatchObject(unreachable)
    const empty = await sharedFolder()
    const unmounted = await other(empty)
    for (const tried of [
      () => bytesOf(unmounted, hash),
      () => unmounted.putArtifact(randomBytes(5_000)),
      () => unmounted.settled(),
    ])
      await expect(tried()).rejects.toMatchObject(unreachable)
    expect(await readdir(empty)).toEqual([])
    await expect((await other(join(empty, 'none'))).settled()).rejects.toMatchObject(unreachable)
    // The mount goes away and comes back while the program runs.
    await rename(folder, `${folder}-away`)
    await mkdir(folder)
    await expect(store.settled()).rejects.toMatchObject(unreachable)
    await rm(folder, { recursive: true })
    await rename(`${folder}-away`, folder)
    await store.settled()
    expect((await bytesOf(store, hash)).length).toBe(size)
    await rm(join(folder, 'artifacts', hash.slice(0, 2), hash))
    await expect(bytesOf(store, hash)).rejects.toMatchObject(unreachable)
  })

  it('APP-7 is claimed by one ledger, while it is empty', async () => {
    const { store, folder } = await open()
    await store.settled()
    const another = await openStore(server ?? '', { artifacts: { folder, above: ABOVE } })
    undo.push(() => another.dispose())
    await expect(another.store.settled()).rejects.toMatchObject(unreachable)
    const full = await sharedFolder()
    await mkdir(join(full, 'photos'))
    const third = await openStore(server ?? '', { artifacts: { folder: full, above: ABOVE } })
    undo.push(() => third.dispose())
    await expect(third.store.settled()).rejects.toMatchObject(unreachable)
    expect(await readdir(full)).toEqual(['photos'])
  })

  it('LED-14 loses erased files only on a machine that reaches it', async () => {
    const { store, folder, other } = await open()
    const [registry, trace] = [chains.makeTrace(), chains.makeTrace()]
    await store.append(registry, NEW, chains.makeChain({ trace: registry, protocol: 'registry/1', count: 1 }))
    await store.append(trace, NEW, chains.makeChain({ trace, count: 1 }))
    const { hash } = await store.putArtifact(randomBytes(5_000))
    const erasure = { trace, seq: null, artifact: hash, registry: { trace: registry, seq: 0 } }
    await expect((await other(null)).erase(erasure)).rejects.toMatchObject(unreachable)
    expect(await filesIn(folder)).toHaveLength(1)
    const unrecorded = { ...erasure, registry: { trace: registry, seq: 7 } }
    await expect(store.erase(unrecorded)).rejects.toMatchObject({ code: 'VAULT_REFUSED' })
    expect(await filesIn(folder)).toHaveLength(1)
    await store.erase(erasure)
    expect([await filesIn(folder), await store.statArtifact(hash)]).toEqual([[], null])
  })
})
