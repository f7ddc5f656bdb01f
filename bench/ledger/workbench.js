// A home in a temporary directory with a protocol that allows everything, so that what is measured is the ledger.
import { createPrivateKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Book } from '../../dist/clerk/book.js'
import { Registrar } from '../../dist/clerk/registrar.js'
import { keyId } from '../../dist/ledger/signing.js'
import { sha256 } from '../../dist/vaults/digest.js'
import { verifySignature } from '../../dist/vaults/signature-bench.js'

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const newTrace = () => `01${[...randomBytes(24)].map((byte) => ALPHABET[byte % 32]).join('')}`

export const diary = {
  id: 'diary/1',
  initial: 0,
  evolve: (count) => count + 1,
  refuse: () => null,
  decide: () => [],
  finished: () => false,
}

export function temporary() {
  const directory = mkdtempSync(join(tmpdir(), 'witan-bench-'))
  return { directory, remove: () => rmSync(directory, { recursive: true, force: true }) }
}

export function keyPair() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  return {
    id: keyId(sha256, raw),
    raw,
    privateKey: createPrivateKey(privateKey.export({ format: 'pem', type: 'pkcs8' })),
  }
}

/** An office over the vault with one agent, `ann`, and her actor. */
export async function settle(vault) {
  const keys = new Map()
  const office = {
    vault,
    sha256,
    now: () => new Date().toISOString(),
    salt: () => randomBytes(16),
    newTrace,
    sign: (actor, message) => sign(null, message, keys.get(actor.key).privateKey),
    verify: verifySignature,
  }
  const root = keyPair()
  const ann = keyPair()
  keys.set(root.id, root)
  keys.set(ann.id, ann)
  const registrar = await Registrar.create(office, 'bench', root.raw)
  await registrar.register('ann', ['writer'], ann.raw)
  const actor = { agent: 'ann', role: 'writer', key: ann.id }
  return { office, registrar, actor, key: ann, root, newBook: () => new Book(office, diary, newTrace()) }
}

/** A payload of just over 1 KiB, different every time. */
export const note = (actor, n) => ({
  type: 'noted',
  actor,
  payload: { n, kind: 'benchmark', tags: ['ledger', 'append'], text: randomBytes(480).toString('hex') },
})
