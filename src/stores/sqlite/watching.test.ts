import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Connection, connectionOf } from './connection.ts'
import { databaseFile, openDatabase } from './open.ts'
import { watching } from './watching.ts'

let home: string
let connection: Connection
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'witan-watching-'))
  connection = connectionOf(await openDatabase(home, false), databaseFile(home), false)
})
afterEach(async () => {
  connection.close()
  await rm(home, { recursive: true })
})

const never = () => new AbortController().signal

describe('watchers of traces', () => {
  it('are woken at once by what their own handle appends, and only where the trace is long enough', async () => {
    const { watch, grown, close } = watching(connection, () => 0)
    const woken: string[] = []
    const waits = [
      watch('one', 0, never()).then(() => woken.push('one beyond 0')),
      watch('one', 1, never()).then(() => woken.push('one beyond 1')),
      watch('two', 0, never()).then(() => woken.push('two beyond 0')),
    ]
    grown('one', 1)
    await waits[0]
    expect(woken).toEqual(['one beyond 0'])
    close()
    await Promise.all(waits)
  })

  it('check once for all of them whether another handle committed', async () => {
    let asked = 0
    let size = 0
    const { watch, close } = watching(connection, () => {
      asked++
      return size
    })
    const many = Array.from({ length: 50 }, () => watch('one', 0, never()))
    expect(asked).toBe(50)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(asked).toBe(50)
    const other = connectionOf(await openDatabase(home, false), databaseFile(home), false)
    size = 1
    other.run("INSERT INTO attendance(clerk, host, pid, started) VALUES ('a', 'h', 1, 's')")
    await Promise.all(many)
    expect(asked).toBe(100)
    other.close()
    close()
  })

  it('get the fault of a file that can no longer be read', async () => {
    const broken = { ...connection, get: connection.get }
    const { watch, close } = watching(broken, () => 0)
    const waits = watch('one', 0, never())
    broken.get = () => {
      throw new Error('no such file')
    }
    await expect(waits).rejects.toThrow('no such file')
    close()
  })
})
