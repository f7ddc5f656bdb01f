import { execFileSync } from 'node:child_process'
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { toHex, utf8 } from '../ledger/bytes.ts'
import { keyId } from '../ledger/signing.ts'
import { verifierKey } from '../ledger/tree/checkpoint.ts'
import { sha256 } from './digest.ts'
import { openKeyring, readPrivateKeyFile, readPublicKey } from './keyring.ts'

const pair = () => generateKeyPairSync('ed25519')
const pemOf = (key = pair().privateKey) => key.export({ format: 'pem', type: 'pkcs8' }).toString()

describe('the keyring', () => {
  let directory: string
  const fault = (code: string) => ({ code, next: expect.stringMatching(/\w/) })
  const write = (name: string, text: string, mode = 0o600) => {
    const path = join(directory, name)
    writeFileSync(path, text)
    chmodSync(path, mode)
    return path
  }

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'witan-keys-'))
  })
  afterEach(() => rm(directory, { recursive: true }))

  it('makes keys that sign, stores them for their owner alone and finds them again', async () => {
    const { id, publicKey } = await openKeyring(directory).create('anna@home.example')
    expect(id).toBe(keyId(sha256, publicKey))
    const name = `anna@home.example.${id.slice(0, 16)}.pem`
    expect(readdirSync(join(directory, 'keys'))).toEqual([name])
    const file = join(directory, 'keys', name)
    expect([statSync(file).mode & 0o777, statSync(join(directory, 'keys')).mode & 0o777]).toEqual([
      0o600, 0o700,
    ])

    const again = openKeyring(directory)
    const sign = await again.signer(id)
    const message = utf8('the motion is carried')
    expect(verify(null, message, createPublicKey(readFileSync(file)), sign(message))).toBe(true)
    expect(await again.list()).toEqual([{ id, agent: 'anna@home.example', file, locked: false }])
  })

  it('reads a key file once', async () => {
    const keyring = openKeyring(directory)
    const { id } = await keyring.create('anna')
    await rm(join(directory, 'keys'), { recursive: true })
    expect((await keyring.signer(id))(utf8('x'))).toHaveLength(64)
    expect(await keyring.list()).toEqual([])
  })

  it('takes keys made elsewhere, once, and overwrites none', async () => {
    const keyring = openKeyring(directory)
    const pem = pemOf()
    const { id } = await keyring.importPem('anna', pem)
    const [entry] = await keyring.list()
    await expect(keyring.importPem('anna', pem)).rejects.toMatchObject(fault('KEY_EXISTS'))
    expect(readFileSync(entry?.file ?? '', 'utf8')).toBe(pem)
    expect((await keyring.signer(id))(utf8('x'))).toHaveLength(64)
    await expect(keyring.create('../evil')).rejects.toMatchObject(fault('USAGE'))
  })

  it('keeps apart the keys of agents with similar names', async () => {
    const keyring = openKeyring(directory)
    const made = [await keyring.create('anna'), await keyring.create('anna.b'), await keyring.create('anna')]
    const found = (await keyring.list()).map(({ agent, id }) => `${agent} ${id}`).sort()
    expect(found).toEqual(['anna', 'anna.b', 'anna'].map((agent, i) => `${agent} ${made[i]?.id}`).sort())
  })

  it('LED-16 reports a missing key', async () => {
    const id = 'ab'.repeat(32)
    await expect(openKeyring(directory).signer(id)).rejects.toMatchObject(fault('KEY_NOT_FOUND'))
    const missing = join(directory, 'no.pem')
    await expect(readPrivateKeyFile(missing)).rejects.toMatchObject(fault('KEY_NOT_FOUND'))
  })

  it('LED-16 reports a key as missing that another process deletes while it is read', async () => {
    const path = join(directory, 'spare.pem')
    execFileSync('mkfifo', ['-m', '600', path])
    const reading = readPrivateKeyFile(path)
    const writer = openSync(path, 'w')
    writeSync(writer, pemOf())
    unlinkSync(path)
    closeSync(writer)
    await expect(reading).rejects.toMatchObject(fault('KEY_NOT_FOUND'))
  })

  it.each([0o640, 0o604, 0o660, 0o644])(
    'LED-16 refuses a private key that others can read: mode %o',
    async (mode) => {
      const path = write('k.pem', pemOf(), mode)
      await expect(readPrivateKeyFile(path)).rejects.toMatchObject({
        code: 'KEY_FILE_EXPOSED',
        next: expect.stringContaining(`chmod 600 ${path}`),
      })
      const keyring = openKeyring(directory)
      const { id } = await keyring.create('anna')
      const [entry] = await keyring.list()
      chmodSync(entry?.file ?? '', mode)
      await expect(openKeyring(directory).signer(id)).rejects.toMatchObject(fault('KEY_FILE_EXPOSED'))
    },
  )

  it('LED-16 refuses what is not an Ed25519 PKCS#8 PEM', async () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey
    const sealed = pair().privateKey.export({
      format: 'pem',
      type: 'pkcs8',
      cipher: 'aes-256-cbc',
      passphrase: 'x',
    })
    const x25519 = generateKeyPairSync('x25519').privateKey
    const wrong = ['', 'no key', pemOf(rsa), pemOf(x25519), String(sealed), pemOf().slice(0, 80)]
    for (const text of wrong) {
      await expect(readPrivateKeyFile(write('k.pem', text))).rejects.toMatchObject(fault('KEY_FILE_INVALID'))
      await expect(openKeyring(directory).importPem('anna', text)).rejects.toMatchObject(
        fault('KEY_FILE_INVALID'),
      )
    }
  })

  it('LED-16 refuses a file that holds another key than its name says', async () => {
    const keyring = openKeyring(directory)
    const { id } = await keyring.create('anna')
    const other = await keyring.create('bert')
    const file = (name: string, key: string) => join(directory, 'keys', `${name}.${key.slice(0, 16)}.pem`)
    renameSync(file('bert', other.id), file('anna', id))
    await expect(openKeyring(directory).signer(id)).rejects.toMatchObject(fault('KEY_FILE_INVALID'))
  })

  it('reads a public key as SPKI PEM, as hex and as a verifier key', () => {
    const { publicKey } = pair()
    const raw = new Uint8Array(Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'))
    const spki = publicKey.export({ format: 'pem', type: 'spki' }).toString()
    for (const text of [
      spki,
      `\n${spki}\n`,
      toHex(raw),
      `${toHex(raw).toUpperCase()}\n`,
      verifierKey(sha256, 'w/t', raw),
    ]) {
      expect(toHex(readPublicKey(text))).toBe(toHex(raw))
    }
  })

  it('LED-16 refuses other texts in place of a public key, a private key above all', () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey
    const spki = rsa.export({ format: 'pem', type: 'spki' }).toString()
    const wrong = [
      '',
      'abc',
      '00'.repeat(32),
      `01${'00'.repeat(31)}`,
      'ab'.repeat(31),
      spki,
      'w/t+00000000+AAAA',
      pemOf(),
    ]
    for (const text of wrong) {
      expect(() => readPublicKey(text)).toThrow(expect.objectContaining(fault('KEY_FILE_INVALID')))
    }
  })

  it('AGT-X-2 opens one that a passphrase protects only with that passphrase, and lists it all the same', async () => {
    const { id } = await openKeyring(directory).create('anna', 'correct horse')
    const keyring = openKeyring(directory)
    const [entry] = await keyring.list()
    expect(entry).toMatchObject({ id, agent: 'anna', locked: true })
    expect(readFileSync(entry?.file ?? '', 'utf8')).not.toContain('PRIVATE KEY')
    await expect(keyring.signer(id)).rejects.toMatchObject(fault('KEY_LOCKED'))
    await expect(keyring.unlock(id, 'wrong horse')).rejects.toMatchObject(fault('KEY_LOCKED'))
    await keyring.unlock(id, 'correct horse')
    expect((await keyring.signer(id))(utf8('x'))).toHaveLength(64)
  })
})
