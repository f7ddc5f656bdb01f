// The settings under which a store's file is used: durability and erasure rest on them, and no query shows them.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Connection, connectionOf } from './connection.ts'
import { databaseFile, openDatabase } from './open.ts'

describe('a connection to a store', () => {
  let directory: string
  const opened: Connection[] = []
  const open = async (readonly = false): Promise<Connection> => {
    const connection = connectionOf(
      await openDatabase(directory, readonly),
      databaseFile(directory),
      readonly,
    )
    opened.push(connection)
    return connection
  }
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'witan-connection-'))
  })
  afterEach(async () => {
    for (const connection of opened.splice(0)) connection.close()
    await rm(directory, { recursive: true })
  })

  const setting = (connection: Connection, name: string): unknown =>
    Object.values(connection.get(`PRAGMA ${name}`) ?? {})[0]
  const settings = (connection: Connection) =>
    Object.fromEntries(
      ['synchronous', 'secure_delete', 'foreign_keys', 'cell_size_check', 'temp_store', 'busy_timeout'].map(
        (name) => [name, setting(connection, name)],
      ),
    )
  const SETTINGS = {
    synchronous: 2,
    secure_delete: 1,
    foreign_keys: 1,
    cell_size_check: 1,
    temp_store: 2,
    busy_timeout: 10_000,
  }

  it('LED-9 LED-14 waits for the disk, keeps a log, checks what it reads and zeroes what it erases', async () => {
    for (const connection of [await open(), await open()]) {
      expect(settings(connection)).toEqual(SETTINGS)
      expect(setting(connection, 'journal_mode')).toBe('wal')
    }
  })

  it('LED-9 waits for the disk in every commit, except one that may be durable later', async () => {
    const connection = await open()
    const within = (later?: boolean): unknown =>
      connection.transact(() => setting(connection, 'synchronous'), later)
    const enter = (clerk: string | null, later: boolean): void =>
      connection.runAlone(
        later,
        "INSERT INTO attendance(clerk, host, pid, started) VALUES (?, 'h', 1, 's')",
        clerk,
      )
    expect([within(), within(true), within(), within(false)]).toEqual([2, 1, 2, 2])
    enter('a', true)
    expect(within()).toBe(2)
    expect(() => enter(null, true)).toThrowError(expect.objectContaining({ code: 'VAULT_REFUSED' }))
    expect(within()).toBe(2)
    const failing = (): never =>
      connection.transact(() => {
        throw new Error('no')
      }, true)
    expect(failing).toThrowError('no')
    expect(within()).toBe(2)
  })

  it('LED-1 takes back all of a transaction that fails, and goes on', async () => {
    const connection = await open()
    const enter = (clerk: string) =>
      connection.run("INSERT INTO attendance(clerk, host, pid, started) VALUES (?, 'h', 1, 's')", clerk)
    expect(() =>
      connection.transact(() => {
        enter('a')
        throw new Error('no')
      }),
    ).toThrowError('no')
    connection.transact(() => enter('b'))
    expect(connection.all('SELECT clerk FROM attendance').map(({ clerk }) => clerk)).toEqual(['b'])
  })

  it('LED-16 changes nothing through a read-only connection, with or without a log', async () => {
    const writer = await open()
    const insert = "INSERT INTO attendance(clerk, host, pid, started) VALUES ('a', 'h', 1, 's')"
    const refused = async (): Promise<void> => {
      const reader = await open(true)
      expect(() => reader.run(insert)).toThrowError(expect.objectContaining({ code: 'HOME_READONLY' }))
    }
    writer.run(insert)
    await refused()
    for (const connection of opened.splice(0)) connection.close()
    for (const name of ['wal', 'shm']) await rm(`${databaseFile(directory)}-${name}`, { force: true })
    await refused()
  })

  it('APP-15 reads one state of a file while others write to it', async () => {
    const [writer, reader] = [await open(), await open(true)]
    const traces = (): unknown => reader.get('SELECT count(*) AS n FROM traces')?.n
    const add = (): void => {
      writer.transact(() => writer.run("INSERT INTO traces(trace, protocol) VALUES ('t', 'council/1')"))
    }
    const seen = reader.snapshot(() => [traces(), add(), traces()])
    expect(seen).toEqual([0, undefined, 0])
    expect(traces()).toBe(1)
  })
})
