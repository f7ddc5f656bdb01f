// Many at once in one process, on one home: what would make each of them pay for all the others.

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { directory } from '../../../test/doors/command.ts'
import { openKeyring } from '../../stores/keyring.ts'
import type { Home } from './home.ts'
import { openOrCreateHome, registerSigners } from './signers.ts'

const SIGNERS = [
  { agent: 'ana', roles: ['convener'] },
  { agent: 'claude', roles: ['participant', 'chair'] },
]

const place = async (): Promise<string> => join(await directory(), 'home')
const openAt = (home: string): Promise<Home> => openOrCreateHome({ directory: home, postgres: null })

describe('a home that is opened many times in one process', () => {
  it('LED-7 is one home, which closes with its last user', async () => {
    const at = await place()
    const [one, other] = await Promise.all([openAt(at), openAt(at)])
    expect(other.ports).toBe(one.ports)
    await one.close()
    await one.close()
    expect(await other.store.registry()).not.toBeNull()
    await other.close()
    await expect(other.store.registry()).rejects.toThrow()
    const again = await openAt(at)
    expect(again.ports).not.toBe(one.ports)
    expect(await again.store.registry()).not.toBeNull()
    await again.close()
  })

  it('LED-7 is another home if its folder was replaced', async () => {
    const at = await place()
    const gone = await openAt(at)
    const before = await gone.store.registry()
    await rm(at, { recursive: true })
    const made = await openAt(at)
    expect(await made.store.registry()).not.toBe(before)
    await gone.close()
    const again = await openAt(at)
    expect(again.ports).toBe(made.ports)
    await Promise.all([made.close(), again.close()])
  })

  it('LED-9 is opened again after its disk has failed', async () => {
    const at = await place()
    const home = await openAt(at)
    const broken = Object.assign(home.store, { settled: () => Promise.reject(new Error('no')) })
    const next = await openAt(at)
    expect(next.store).not.toBe(broken)
    await Promise.all([home.close(), next.close()])
  })

  it('LED-16 makes each key once, for any number of requests at once', async () => {
    const at = await place()
    const homes = await Promise.all(Array.from({ length: 12 }, () => openAt(at)))
    let made = 0
    const counting = homes.map((home): Home => {
      const create = (agent: string) => {
        made++
        return home.keyring.create(agent)
      }
      return { ...home, keyring: { ...home.keyring, create } }
    })
    await Promise.all(counting.map((home) => registerSigners(home, SIGNERS)))
    expect(made).toBe(SIGNERS.length)
    expect(await openKeyring(at).list()).toHaveLength(4)
    await Promise.all(homes.map((home) => home.close()))
  })
})
