import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { directory, witan } from '../../../test/doors/command.ts'
import { bundleScript, startScript } from '../../../test/support/children.ts'
import { openKeyring } from '../../stores/keyring.ts'
import { openOrCreateHome, registerSigners } from './signers.ts'

let script: string

beforeAll(async () => {
  script = await bundleScript('test/support/register-signers.ts')
})

type Keys = readonly { readonly agent: string; readonly roles: readonly string[] }[]

const keysOf = async (home: string): Promise<readonly string[]> =>
  ((await witan({ home }, 'keys', 'list', '--json')).json.keys as Keys)
    .map(({ agent, roles }) => `${agent} ${[...roles].sort()}`)
    .sort()

describe('an agent that will sign', () => {
  it('LED-16 gets a home and one key for each role, for any number of processes that start at once', async () => {
    const home = join(await directory(), 'home')
    const wanted = ['ana:convener', 'claude:participant,chair', 'openai:participant']
    const ends = await Promise.all(
      Array.from({ length: 5 }, () => startScript(script, [home, ...wanted]).ended),
    )
    expect(ends).toEqual(ends.map(() => ({ code: 0, signal: null, errors: '' })))
    expect(await keysOf(home)).toEqual([
      'ana convener',
      'claude chair,participant',
      'clerk clerk',
      'openai participant',
      'registrar registrar',
    ])
    expect(await openKeyring(home).list()).toHaveLength(5)
    expect((await witan({ home }, 'verify', 'registry', '--json')).json.status).toBe('pass')
  })

  it('LED-16 gets a second key when a role was added, and none when nothing is missing', async () => {
    const directoryOfHome = join(await directory(), 'home')
    const home = await openOrCreateHome({ directory: directoryOfHome, postgres: null })
    await registerSigners(home, [{ agent: 'ana', roles: ['convener'] }])
    await registerSigners(home, [{ agent: 'ana', roles: ['convener', 'critic'] }])
    const registrar = await registerSigners(home, [{ agent: 'ana', roles: ['convener', 'critic'] }])
    expect(registrar.actor('ana', 'critic').key).not.toBe(registrar.actor('ana', 'convener').key)
    await home.close()
    expect(await keysOf(directoryOfHome)).toContain('ana critic')
    expect(await openKeyring(directoryOfHome).list()).toHaveLength(4)
  })

  it('LED-10 gets no new key after its old one was revoked', async () => {
    const directoryOfHome = join(await directory(), 'home')
    const home = await openOrCreateHome({ directory: directoryOfHome, postgres: null })
    await registerSigners(home, [{ agent: 'claude', roles: ['participant'] }])
    expect(
      (await witan({ home: directoryOfHome }, 'keys', 'revoke', 'claude', '--reason', 'leaked')).code,
    ).toBe(0)
    await expect(registerSigners(home, [{ agent: 'claude', roles: ['participant'] }])).rejects.toMatchObject({
      code: 'KEY_RETIRED',
    })
    await home.close()
  })
})
