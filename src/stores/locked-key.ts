// A private key that only a passphrase opens: the PKCS#8 PEM under AES-256-GCM, with a key that scrypt makes of the
// passphrase. The id stands outside, so that the key can be listed while it is locked; it is bound in as associated data.

import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto'
import { WitanError } from '../ledger/errors.ts'

const BEGIN = '-----BEGIN WITAN LOCKED KEY-----'
const END = '-----END WITAN LOCKED KEY-----'
/** 128 MiB and some tenths of a second for each guess. */
const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 2 ** 20 }

interface Locked {
  readonly v: 1
  readonly id: string
  readonly salt: string
  readonly nonce: string
  readonly tag: string
  readonly data: string
}

const keyFrom = (passphrase: string, salt: Buffer): Buffer =>
  scryptSync(passphrase.normalize('NFKC'), salt, 32, COST)

export function lockKey(pem: string, id: string, passphrase: string): string {
  const [salt, nonce] = [randomBytes(16), randomBytes(12)]
  const cipher = createCipheriv('aes-256-gcm', keyFrom(passphrase, salt), nonce)
  cipher.setAAD(Buffer.from(id))
  const data = Buffer.concat([cipher.update(pem, 'utf8'), cipher.final()])
  const hex = (bytes: Buffer): string => bytes.toString('hex')
  const locked: Locked = {
    v: 1,
    id,
    salt: hex(salt),
    nonce: hex(nonce),
    tag: hex(cipher.getAuthTag()),
    data: hex(data),
  }
  return `${BEGIN}\n${Buffer.from(JSON.stringify(locked)).toString('base64')}\n${END}\n`
}

const isLocked = (value: unknown): value is Locked => {
  const locked = value as Partial<Locked> | null
  const texts = [locked?.id, locked?.salt, locked?.nonce, locked?.tag, locked?.data]
  return locked?.v === 1 && texts.every((text) => typeof text === 'string' && /^([0-9a-f]{2})+$/.test(text))
}

/** Null when the text is no locked key. */
export function readLocked(text: string): Locked | null {
  const [first, body = '', last] = text.trim().split('\n')
  if (first !== BEGIN || last !== END) return null
  try {
    const value: unknown = JSON.parse(Buffer.from(body, 'base64').toString('utf8'))
    return isLocked(value) ? value : null
  } catch {
    // Not JSON: the caller says what a key file should have been.
    return null
  }
}

/** The PEM; KEY_LOCKED when the passphrase is another. */
export function unlockKey(locked: Locked, passphrase: string, where: string): string {
  const bytes = (text: string): Buffer => Buffer.from(text, 'hex')
  try {
    const cipher = createDecipheriv(
      'aes-256-gcm',
      keyFrom(passphrase, bytes(locked.salt)),
      bytes(locked.nonce),
    )
    cipher.setAAD(Buffer.from(locked.id))
    cipher.setAuthTag(bytes(locked.tag))
    return Buffer.concat([cipher.update(bytes(locked.data)), cipher.final()]).toString('utf8')
  } catch (error) {
    throw new WitanError('KEY_LOCKED', `${where}: the passphrase does not open this key`, 'Try again.', {
      cause: error,
    })
  }
}
