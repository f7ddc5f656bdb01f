import { createHash, randomBytes } from 'node:crypto'
import { cpSync, existsSync, readFileSync, truncateSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { endOf, makeChain, makeTrace } from '../../../test/support/events.ts'
import { openArtifactFiles } from '../artifact-files.ts'
import { openSqliteStore } from '../sqlite.ts'
import { loadSqlite } from './driver.ts'
import { databaseFile } from './open.ts'

let base: string
let home: string
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'witan-artifacts-'))
  home = join(base, 'home')
})
afterEach(() => rm(base, { recursive: true }))

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

async function bytesOf(source: AsyncIterable<Uint8Array> | null): Promise<Buffer | null> {
  if (source === null) return null
  const chunks: Uint8Array[] = []
  for await (const chunk of source) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(1000)
  for (let at = 0; at < bytes.length; at += 1000) {
    const piece = bytes.subarray(at, at + 1000)
    buffer.set(piece)
    yield buffer.subarray(0, piece.length)
  }
}

describe('an artifact of a SQLite home', () => {
  it.each([0, 1, 65_536])('LED-9 of %i bytes is a row, whole or in pieces, and stored once', async (size) => {
    const store = await openSqliteStore({ directory: home })
    const bytes = randomBytes(size)
    const expected = { hash: digest(bytes), size }
    expect([await store.putArtifact(bytes), await store.putArtifact(inPieces(bytes))]).toEqual([
      expected,
      expected,
    ])
    expect(await store.statArtifact(expected.hash)).toEqual(expected)
    expect(await bytesOf(await store.openArtifact(expected.hash))).toEqual(bytes)
    await store.close()
    expect(existsSync(join(home, 'artifacts'))).toBe(false)
  })

  it('LED-9 that is longer is a file, whole or in pieces', async () => {
    const store = await openSqliteStore({ directory: home })
    for (const bytes of [randomBytes(65_537), randomBytes(300_000)]) {
      const { hash } = await store.putArtifact(inPieces(bytes))
      expect(hash).toBe(digest(bytes))
      expect((await store.putArtifact(bytes)).hash).toBe(hash)
      expect(readFileSync(join(home, 'artifacts', hash.slice(0, 2), hash))).toEqual(bytes)
      expect(await bytesOf(await store.openArtifact(hash))).toEqual(bytes)
    }
    await store.close()
  })

  it('LED-9 exists after any power cut that leaves an event that names it', async () => {
    const store = await openSqliteStore({ directory: home })
    const trace = makeTrace()
    const names: string[] = []
    let end = endOf([])
    for (let i = 0; i < 6; i++) {
      names.push((await store.putArtifact(randomBytes(20_000))).hash)
      const events = makeChain({ trace, count: 1, from: end.size, prev: end.hash })
      await store.append(trace, end, events, undefined, true)
      end = endOf(events, end.size)
    }
    await store.settled()
    const cut = join(base, 'cut')
    const log = readFileSync(`${databaseFile(home)}-wal`).length
    const sizes = new Set<number>()
    const cuts = Array.from({ length: Math.ceil(log / 4096) }, (_, i) => i * 4096)
    for (const at of [...cuts, log]) {
      await rm(cut, { recursive: true, force: true })
      cpSync(home, cut, { recursive: true })
      truncateSync(`${databaseFile(cut)}-wal`, at)
      await rm(`${databaseFile(cut)}-shm`, { force: true })
      const left = await openSqliteStore({ directory: cut }).catch(() => null)
      const size = left ? ((await left.head(trace))?.size ?? 0) : 0
      for (const name of names.slice(0, size)) {
        expect(await left?.statArtifact(name)).toEqual({ hash: name, size: 20_000 })
      }
      sizes.add(size)
      await left?.close()
    }
    await store.close()
    expect([...sizes]).toEqual([0, 1, 2, 3, 4, 5, 6])
  })

  it('LED-8 that an older Witan stored as a file is read as before, also in a read-only home', async () => {
    await (await openSqliteStore({ directory: home })).close()
    const { DatabaseSync } = await loadSqlite()
    const db = new DatabaseSync(databaseFile(home))
    db.exec('DROP TABLE artifacts; PRAGMA user_version = 1')
    db.close()
    const bytes = Buffer.from('kept long ago')
    const { hash } = await openArtifactFiles(home).put(bytes)
    const reader = await openSqliteStore({ directory: home, readonly: true })
    expect(await bytesOf(await reader.openArtifact(hash))).toEqual(bytes)
    expect(await reader.statArtifact('0'.repeat(64))).toBeNull()
    const writer = await openSqliteStore({ directory: home })
    const later = await writer.putArtifact(Buffer.from('kept now'))
    expect(await writer.statArtifact(hash)).toEqual({ hash, size: bytes.length })
    expect(await reader.statArtifact(later.hash)).toEqual(later)
    await writer.close()
    await reader.close()
  })
})
