// Private keys on this machine: Ed25519 as PKCS#8 PEM, one file a key, readable by their owner alone. A key file
// that others may read is refused rather than used. A file is parsed once and its KeyObject kept; parsing costs
// fifteen times a signature.

import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { access, open, readdir, readFile, rename, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fromHex } from '../ledger/bytes.ts'
import { isWitanError, WitanError } from '../ledger/errors.ts'
import { isAgentName } from '../ledger/event.ts'
import { admissibleKey, keyId } from '../ledger/signing.ts'
import { parseVerifierKey } from '../ledger/tree/checkpoint.ts'
import { sha256 } from './digest.ts'
import { errnoOf, makeDirectory, onDisk, syncDirectory } from './disk.ts'
import { lockKey, readLocked, unlockKey } from './locked-key.ts'
import { type Sign, signWith } from './sign-with.ts'

export type { Sign } from './sign-with.ts'

/** A key that others can know. */
export interface PublicKey {
  readonly id: string
  readonly publicKey: Uint8Array
}

/** A key that was made here, and the file that holds its private half. */
export interface MadeKey extends PublicKey {
  readonly file: string
}

export interface PrivateKey extends PublicKey {
  readonly sign: Sign
}

/** A private key in this keyring, by its file. */
export interface KeyEntry {
  readonly id: string
  readonly agent: string
  readonly file: string
  /** Whether a passphrase protects it. */
  readonly locked: boolean
}

/** The private keys of this home, which never leave it. */
export interface Keyring {
  /** Makes a key and stores it, under a passphrase if one is given; the private half never leaves the file. */
  create(agent: string, passphrase?: string): Promise<MadeKey>
  /** Stores a key made elsewhere. KEY_EXISTS when it is here already. */
  importPem(agent: string, pem: string): Promise<PublicKey>
  /** Opens a key that a passphrase protects, for this process. KEY_LOCKED when the passphrase is another. */
  unlock(id: string, passphrase: string): Promise<void>
  /** Another passphrase for a key that one protects. KEY_LOCKED when the old one is another. */
  changePassphrase(id: string, old: string, passphrase: string): Promise<void>
  /** KEY_NOT_FOUND when this machine has no private key of that id; KEY_LOCKED when it was not opened. */
  signer(id: string): Promise<Sign>
  list(): Promise<readonly KeyEntry[]>
}

const FILE_NAME = /^(.+)\.([0-9a-f]{16})\.pem$/
const SHORT = 16

const invalid = (where: string, what: string): WitanError =>
  new WitanError(
    'KEY_FILE_INVALID',
    `${where}: ${what}`,
    'A private key is an Ed25519 PKCS#8 PEM; a public key is an SPKI PEM, 64 hex digits or a verifier key.',
  )

/** The raw key stands in the JWK form of either half. */
function rawPublicKey(key: KeyObject, where: string): Uint8Array {
  if (key.asymmetricKeyType !== 'ed25519') throw invalid(where, `this is a key for ${key.asymmetricKeyType}`)
  return new Uint8Array(Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url'))
}

function parsePrivate(text: string, where: string, passphrase: string | null = null): PrivateKey {
  const locked = readLocked(text)
  if (locked && passphrase === null) {
    const next = 'Run this at a terminal, where the passphrase can be asked for.'
    throw new WitanError('KEY_LOCKED', `${where}: a passphrase protects this key`, next)
  }
  const pem = locked && passphrase !== null ? unlockKey(locked, passphrase, where) : text
  let key: KeyObject
  try {
    key = createPrivateKey({ key: pem, format: 'pem', type: 'pkcs8' })
  } catch {
    // The reason would quote the parser's internals; what the file should have been helps more.
    throw invalid(where, 'this is not an unencrypted PKCS#8 PEM')
  }
  const publicKey = rawPublicKey(key, where)
  return { id: keyId(sha256, publicKey), publicKey, sign: signWith(key) }
}

const unreadable = (path: string, error: unknown): WitanError =>
  errnoOf(error) === 'ENOENT'
    ? new WitanError('KEY_NOT_FOUND', `there is no key file ${path}`, 'Check the path.')
    : new WitanError('FILE_UNREADABLE', `${path}: ${String(error)}`, 'Check who may read this file.')

async function readKeyFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw unreadable(path, error)
  }
}

/** Another process may have deleted the file since it was read. */
async function refuseExposed(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const { mode } = await stat(path).catch((error: unknown) => {
    throw unreadable(path, error)
  })
  if ((mode & 0o077) === 0) return
  throw new WitanError(
    'KEY_FILE_EXPOSED',
    `${path}: others on this machine can use this private key (mode ${(mode & 0o777).toString(8)})`,
    `If no one else has read it, close it with: chmod 600 ${path}; otherwise revoke the key.`,
  )
}

/** For `--key FILE`. */
export async function readPrivateKeyFile(
  path: string,
  passphrase: string | null = null,
): Promise<PrivateKey> {
  const pem = await readKeyFile(path)
  await refuseExposed(path)
  return parsePrivate(pem, path, passphrase)
}

/** The id of the key in the file, and whether a passphrase protects it. */
export async function lookAtKeyFile(path: string): Promise<Pick<KeyEntry, 'id' | 'locked'>> {
  const text = await readKeyFile(path)
  await refuseExposed(path)
  const locked = readLocked(text)
  return { id: locked?.id ?? parsePrivate(text, path).id, locked: locked !== null }
}

function publicKeyIn(text: string, where: string): Uint8Array {
  if (text.includes('PRIVATE KEY')) {
    throw invalid(where, 'this is a private key; only the public half may be given away')
  }
  try {
    if (!text.startsWith('-----BEGIN')) return parseVerifierKey(sha256, text).publicKey
    return rawPublicKey(createPublicKey({ key: text, format: 'pem', type: 'spki' }), where)
  } catch (error) {
    throw isWitanError(error, 'KEY_FILE_INVALID') ? error : invalid(where, 'this is none of them')
  }
}

/** For `--public FILE`: SPKI PEM, 64 hex digits, or a C2SP verifier key. */
export function readPublicKey(text: string, where = 'the public key'): Uint8Array {
  const trimmed = text.trim()
  const key = fromHex(trimmed.toLowerCase(), 32) ?? publicKeyIn(trimmed, where)
  if (!admissibleKey(key)) throw invalid(where, 'these bytes are not a key that could have signed anything')
  return key
}

/** The keys in this folder; it is made when it is not there. */
export function openKeyring(directory: string): Keyring {
  const folder = join(directory, 'keys')
  const cached = new Map<string, PrivateKey>()

  async function names(): Promise<readonly string[]> {
    try {
      return (await readdir(folder)).filter((name) => FILE_NAME.test(name)).sort()
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return []
      throw error
    }
  }

  async function write(path: string, pem: string): Promise<void> {
    const temporary = `${path}.${randomBytes(8).toString('hex')}.tmp`
    const handle = await open(temporary, 'wx', 0o600)
    try {
      await handle.writeFile(pem)
      await handle.sync()
    } catch (error) {
      await unlink(temporary)
      throw error
    } finally {
      await handle.close()
    }
    await rename(temporary, path)
    await syncDirectory(folder)
  }

  async function refuseTaken(path: string, id: string): Promise<void> {
    const exists = await access(path).then(
      () => true,
      () => false,
    )
    if (exists) throw new WitanError('KEY_EXISTS', `key ${id} is stored already`, 'Use it, or make another.')
  }

  async function store(agent: string, key: PrivateKey, pem: string): Promise<MadeKey> {
    if (!isAgentName(agent)) {
      throw new WitanError(
        'USAGE',
        `'${agent}' is not a name`,
        'Use letters, digits and . _ @ -, at most 64, beginning with a letter or digit.',
      )
    }
    const path = join(folder, `${agent}.${key.id.slice(0, SHORT)}.pem`)
    await onDisk(folder, async () => {
      await makeDirectory(folder)
      await refuseTaken(path, key.id)
      await write(path, pem)
      await syncDirectory(directory)
    })
    cached.set(key.id, key)
    return { id: key.id, publicKey: key.publicKey, file: path }
  }

  async function find(id: string, passphrase: string | null = null): Promise<PrivateKey> {
    for (const name of await names()) {
      if (FILE_NAME.exec(name)?.[2] !== id.slice(0, SHORT)) continue
      const key = await readPrivateKeyFile(join(folder, name), passphrase)
      if (key.id === id) return key
      throw invalid(join(folder, name), `the name promises key ${id.slice(0, SHORT)}, the file holds another`)
    }
    throw new WitanError(
      'KEY_NOT_FOUND',
      `this machine has no private key ${id}`,
      'Sign where the key is, or register a new one with: witan keys rotate',
    )
  }

  return {
    async create(agent, passphrase) {
      const pem = generateKeyPairSync('ed25519')
        .privateKey.export({ format: 'pem', type: 'pkcs8' })
        .toString()
      const key = parsePrivate(pem, 'the new key')
      return store(agent, key, passphrase === undefined ? pem : lockKey(pem, key.id, passphrase))
    },

    async unlock(id, passphrase) {
      cached.set(id, await find(id, passphrase))
    },

    async changePassphrase(id, old, passphrase) {
      const entry = (await this.list()).find((one) => one.id === id)
      const locked = entry && readLocked(await readKeyFile(entry.file))
      if (!entry || !locked) throw invalid(entry?.file ?? id, 'no passphrase protects this key')
      await write(entry.file, lockKey(unlockKey(locked, old, entry.file), id, passphrase))
    },

    importPem: async (agent, pem) => store(agent, parsePrivate(pem, 'the key'), pem),

    async signer(id) {
      const key = cached.get(id) ?? (await find(id))
      cached.set(id, key)
      return key.sign
    },

    async list() {
      const entries: KeyEntry[] = []
      for (const name of await names()) {
        const file = join(folder, name)
        const pem = await readKeyFile(file).catch((error: unknown) => {
          // Taken away since the folder was read: by another process, of which it was a spare key.
          if (isWitanError(error, 'KEY_NOT_FOUND')) return null
          throw error
        })
        if (pem === null) continue
        const locked = readLocked(pem)
        const id = locked?.id ?? parsePrivate(pem, file).id
        entries.push({ id, agent: FILE_NAME.exec(name)?.[1] ?? '', file, locked: locked !== null })
      }
      return entries
    },
  }
}
