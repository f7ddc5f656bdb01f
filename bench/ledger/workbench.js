// A home in a temporary directory with a protocol that allows everything, so that what is measured is the ledger.
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Registrar } from '../../dist/clerk/registrar.js'
import { TraceLog } from '../../dist/clerk/trace-log.js'
import { saltSource, sha256 } from '../../dist/stores/digest.js'
import { openKeyring } from '../../dist/stores/keyring.js'
import { verifySignature } from '../../dist/stores/signature-checks.js'

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

/** An runKit over the vault with one agent, `ann`, and her actor. `key` is one more, for the bare work to sign with. */
export async function settle(store) {
  const keys = temporary()
  const keyring = openKeyring(keys.directory)
  const ports = {
    store,
    sha256,
    now: () => new Date().toISOString(),
    salt: saltSource(),
    newTrace,
    sign: async (requests) => {
      const sign = await keyring.signer(requests[0].actor.key)
      return sign.all(requests.map((request) => request.message))
    },
    verify: verifySignature,
  }
  const root = await keyring.create('registrar')
  const ann = await keyring.create('ann')
  const registrar = await Registrar.create(ports, 'bench', root.publicKey)
  await registrar.register('ann', ['writer'], ann.publicKey)
  const actor = { agent: 'ann', role: 'writer', key: ann.id }
  const { privateKey } = generateKeyPairSync('ed25519')
  process.once('exit', keys.remove)
  return {
    ports,
    registrar,
    actor,
    privateKey,
    ann,
    root,
    newBook: () => new TraceLog(ports, diary, newTrace()),
  }
}

/** A payload of just over 1 KiB, different every time. */
export const note = (actor, n) => ({
  type: 'noted',
  actor,
  payload: { n, kind: 'benchmark', tags: ['ledger', 'append'], text: randomBytes(480).toString('hex') },
})
