// The keys of a home, for programs: what the command does, with the same outcome.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { here } from '../../../test/doors/here.ts'
import {
  addKey,
  distrust,
  type HomeLocation,
  inHome,
  listKeys,
  listTrusted,
  revokeKey,
  rotateKey,
  setPassphrase,
  trust,
} from './index.ts'

let folder = ''
let at: HomeLocation = { directory: '' }

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'witan-library-keys-'))
  at = { directory: join(folder, 'home') }
  await (await inHome(at.directory)).close()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const words = ['correct horse', 'battery staple']
const passphrases = {
  ask: async () => words[0] ?? '',
  choose: async () => words.at(-1) ?? '',
}

describe('the keys of a home, for programs', () => {
  it('APP-5 are added, replaced, protected and revoked as the command does', async () => {
    const added = await addKey(at, 'ana', { roles: ['critic'] })
    expect(added).toMatchObject({ agent: 'ana', roles: ['critic'], private_key_here: true, locked: false })
    const rotated = await rotateKey(at, 'ana', { passphrases })
    expect(rotated).toMatchObject({ replaces: added.id, pin: null })
    const choose = async () => words[0] ?? ''
    const locked = await setPassphrase(at, 'ana', { passphrases: { ...passphrases, choose } })
    expect(locked).toMatchObject({ passphrase: true, replaces: rotated.id })
    expect(await setPassphrase(at, 'ana', { passphrases })).toMatchObject({ id: locked.id, replaces: null })
    const revoked = await revokeKey(at, 'ana', { reason: 'left' })
    expect(revoked).toMatchObject({ id: locked.id, reason: 'left', voided: [] })
    const listed = await listKeys(at)
    expect((await here({ home: at.directory }, 'keys', 'list', '--json')).json).toEqual(listed)
    const own = listed.keys.filter(({ agent }) => agent === 'ana').map(({ status }) => status)
    expect(own).toEqual(['rotated', 'rotated', 'revoked'])
  })

  it('APP-5 refuse what the command refuses, with the same code', async () => {
    await expect(addKey(at, 'no name', { roles: ['critic'] })).rejects.toMatchObject({ code: 'USAGE' })
    await expect(rotateKey(at, 'ana', { passphrases })).rejects.toMatchObject({ code: 'KEY_RETIRED' })
    await expect(revokeKey(at, 'registrar', { reason: 'x' })).rejects.toMatchObject({ code: 'EVENT_REFUSED' })
    const publicKeyFile = join(folder, 'none.pub')
    await expect(addKey(at, 'ben', { roles: ['critic'], publicKeyFile })).rejects.toMatchObject({
      code: 'FILE_NOT_FOUND',
    })
  })

  it('APP-5 files are trusted by their bytes, and listed with their state', async () => {
    const file = join(folder, 'witan.yaml')
    await writeFile(file, 'council: {}\n')
    await trust(at.directory, file)
    expect(await listTrusted(at.directory)).toMatchObject([{ state: 'trusted' }])
    await writeFile(file, 'council: {} # changed\n')
    expect(await listTrusted(at.directory)).toMatchObject([{ state: 'changed' }])
    expect(await distrust(at.directory, file)).toBe(true)
    expect(await listTrusted(at.directory)).toEqual([])
  })
})
