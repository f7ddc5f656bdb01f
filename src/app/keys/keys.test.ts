import { generateKeyPairSync } from 'node:crypto'
import { chmod, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Json, newHome, type Where, witan } from '../../../test/doors/command.ts'

interface Key {
  readonly id: string
  readonly agent: string
  readonly roles: readonly string[]
  readonly status: string
  readonly private_key_here: boolean
  readonly revoked: Json | null
}

async function keysOf(where: Where): Promise<readonly Key[]> {
  return (await witan(where, 'keys', 'list', '--json')).json.keys as readonly Key[]
}

const passes = async (where: Where): Promise<unknown> =>
  (await witan(where, 'verify', 'registry', '--json')).json.status

async function keyFile(where: { readonly cwd: string }, name: string): Promise<string> {
  const { publicKey } = generateKeyPairSync('ed25519')
  await writeFile(join(where.cwd, name), publicKey.export({ format: 'pem', type: 'spki' }))
  return name
}

describe('keys', () => {
  it('LED-11 are bound to a name and its roles, and only the owner can read the private one', async () => {
    const where = await newHome()
    await witan(where, 'keys', 'add', 'ana', '--role', 'critic,observer')
    const bob = await keyFile(where, 'bob.pem')
    const added = await witan(
      where,
      'keys',
      'add',
      'bob@desk',
      '--role',
      'observer',
      '--public',
      bob,
      '--json',
    )
    expect(added.json).toMatchObject({ agent: 'bob@desk', private_key_here: false })
    expect(
      (await keysOf(where)).map(({ agent, roles, private_key_here }) => [agent, ...roles, private_key_here]),
    ).toEqual([
      ['registrar', 'registrar', true],
      ['clerk', 'clerk', true],
      ['ana', 'critic', 'observer', true],
      ['bob@desk', 'observer', false],
    ])
    for (const name of await readdir(join(where.home, 'keys'))) {
      expect((await stat(join(where.home, 'keys', name))).mode & 0o777).toBe(0o600)
    }
    const twice = await witan(where, 'keys', 'add', 'eve', '--role', 'critic', '--public', bob)
    expect([twice.code, twice.stderr]).toEqual([2, expect.stringContaining('KEY_EXISTS')])
    for (const [name, role] of [
      ['ana', 'critic'],
      ['bob@desk', 'seat'],
    ] as const) {
      const taken = await witan(where, 'keys', 'add', name, '--role', role)
      expect([taken.code, taken.stderr]).toEqual([2, expect.stringContaining(`witan keys rotate ${name}`)])
    }
    const further = await witan(where, 'keys', 'add', 'ana', '--role', 'seat', '--json')
    expect([further.code, further.json]).toMatchObject([0, { agent: 'ana', roles: ['seat'] }])
    expect(await passes(where)).toBe('pass')
  })

  it('LED-10 are rotated and revoked on record, and old keys stay listed', async () => {
    const where = await newHome()
    const first = (await witan(where, 'keys', 'add', 'ana', '--role', 'critic', '--json')).json.id
    const second = await witan(where, 'keys', 'rotate', 'ana', '--json')
    expect(second.json).toMatchObject({ agent: 'ana', roles: ['critic'], replaces: first })
    const revoked = await witan(
      where,
      'keys',
      'revoke',
      'ana',
      '--reason',
      'laptop lost',
      '--compromised-since',
      '3',
      '--json',
    )
    expect(revoked.json).toMatchObject({ id: second.json.id, reason: 'laptop lost', compromised_since: 3 })
    expect((await keysOf(where)).slice(2).map(({ id, status }) => [id, status])).toEqual([
      [first, 'rotated'],
      [second.json.id, 'revoked'],
    ])
    const gone = await witan(where, 'keys', 'revoke', 'ana', '--reason', 'x')
    expect([gone.code, gone.stderr]).toEqual([5, expect.stringContaining('KEY_RETIRED')])
    const future = await witan(where, 'keys', 'revoke', 'clerk', '--reason', 'x', '--compromised-since', '99')
    expect([future.code, future.stderr]).toEqual([2, expect.stringContaining('not yet 99')])
    expect(await passes(where)).toBe('pass')
  })

  it('LED-10 of the registrar are rotated, and refused to be revoked before that', async () => {
    const where = await newHome()
    const old = (await keysOf(where))[0]?.id ?? ''
    const refused = await witan(where, 'keys', 'revoke', 'registrar', '--reason', 'x')
    expect([refused.code, refused.stderr]).toEqual([
      5,
      expect.stringContaining('witan keys rotate registrar'),
    ])
    expect((await witan(where, 'keys', 'rotate', 'registrar')).code).toBe(0)
    expect((await witan(where, 'keys', 'add', 'ana', '--role', 'critic')).code).toBe(0)
    expect((await witan(where, 'keys', 'revoke', old.slice(0, 16), '--reason', 'retired')).code).toBe(0)
    expect(await passes(where)).toBe('pass')
    await witan(where, 'export', 'registry', '-o', 'r.witan')
    const held = await witan(
      { ...where, home: '/nowhere' },
      'verify',
      'r.witan',
      '--trust',
      'home/registry.vkey',
      '--json',
    )
    expect(held.json).toMatchObject({ status: 'pass', trusted_by: 'key' })
  })

  it('LED-16 that are absent, exposed, of another kind or private are refused by code', async () => {
    const where = await newHome()
    await keyFile(where, 'bob.pem')
    await witan(where, 'keys', 'add', 'bob', '--role', 'observer', '--public', 'bob.pem')
    const elsewhere = await witan(where, 'keys', 'rotate', 'bob')
    expect([elsewhere.code, elsewhere.stderr]).toEqual([7, expect.stringContaining('--public FILE')])
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey
    await writeFile(join(where.cwd, 'rsa.pem'), rsa.export({ format: 'pem', type: 'spki' }))
    const ours = generateKeyPairSync('ed25519').privateKey
    await writeFile(join(where.cwd, 'private.pem'), ours.export({ format: 'pem', type: 'pkcs8' }))
    await writeFile(join(where.cwd, 'zero.hex'), '00'.repeat(32))
    for (const file of ['rsa.pem', 'private.pem', 'zero.hex']) {
      const { code, stderr } = await witan(where, 'keys', 'add', 'eve', '--role', 'seat', '--public', file)
      expect([file, code, stderr]).toEqual([file, 7, expect.stringContaining('KEY_FILE_INVALID')])
    }
    const nobody = await witan(where, 'keys', 'revoke', 'nobody', '--reason', 'x')
    expect([nobody.code, nobody.stderr]).toEqual([7, expect.stringContaining('KEY_NOT_FOUND')])
    const [file = ''] = (await readdir(join(where.home, 'keys'))).filter((name) =>
      name.startsWith('registrar'),
    )
    await chmod(join(where.home, 'keys', file), 0o644)
    const exposed = await witan(where, 'keys', 'add', 'eve', '--role', 'seat')
    expect([exposed.code, exposed.stderr]).toEqual([2, expect.stringContaining('chmod 600')])
    await rm(join(where.home, 'keys', file))
    const lost = await witan(where, 'export', 'registry', '-o', 'x.witan')
    expect([lost.code, lost.stderr]).toEqual([7, expect.stringContaining('KEY_NOT_FOUND')])
    expect(await passes(where)).toBe('pass')
  })
})
