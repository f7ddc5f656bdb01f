import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openKeyring } from '../../src/stores/keyring.ts'
import { directory, newHome, witan } from './command.ts'

describe('making a home', () => {
  it('LED-16 leaves one whole home when six processes try at once', async () => {
    const where = { home: join(await directory(), 'deep', 'home') }
    const ran = await Promise.all(Array.from({ length: 6 }, () => witan(where, 'init', '--json')))
    expect(ran.map(({ code, stderr }) => [code, stderr])).toEqual(ran.map(() => [0, '']))
    expect(ran.filter(({ json }) => json.created === true)).toHaveLength(1)
    expect(new Set(ran.map(({ json }) => `${json.registry} ${json.key}`)).size).toBe(1)
    const keys = (await witan(where, 'keys', 'list', '--json')).json.keys as readonly { agent: string }[]
    expect(keys.map(({ agent }) => agent)).toEqual(['registrar', 'clerk'])
    expect(await openKeyring(where.home).list()).toHaveLength(2)
    expect((await witan(where, 'verify', 'registry', '--json')).json).toMatchObject({
      status: 'pass',
      size: 2,
    })
    expect((await readdir(where.home)).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })

  it('LED-16 goes on with the keys of an attempt that was cut short', async () => {
    const where = await newHome()
    for (const name of await readdir(where.home)) {
      if (name !== 'keys') await rm(join(where.home, name), { recursive: true })
    }
    const left = (await openKeyring(where.home).list()).map(({ id }) => id).sort()
    const { json } = await witan(where, 'init', '--json')
    expect(json.created).toBe(true)
    const keys = (await witan(where, 'keys', 'list', '--json')).json.keys as readonly { id: string }[]
    expect(keys.map(({ id }) => id).sort()).toEqual(left)
  })

  it('LED-16 is never done by a command that reads', async () => {
    const home = await directory()
    for (const args of [
      ['list'],
      ['show', 'last'],
      ['verify', 'last'],
      ['keys', 'list'],
      ['export', 'last', '-o', 'x'],
    ]) {
      expect((await witan({ home }, ...args)).code).toBe(7)
    }
    expect(await readdir(home)).toEqual([])
    const where = await newHome()
    const before = (await readdir(where.home)).sort()
    for (const args of [['list'], ['show', 'registry'], ['verify', 'registry'], ['keys', 'list']]) {
      expect((await witan(where, ...args)).code).toBe(0)
    }
    expect((await readdir(where.home)).sort()).toEqual(before)
  })
})
