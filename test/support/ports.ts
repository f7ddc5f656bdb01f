// A home for tests over any store: real keys, real registry, and a clock and salts that can be made the same in
// every run, so that a golden trace has the same bytes wherever it is made.

import { createPrivateKey, createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto'
import type { Ports } from '../../src/clerk/ports.ts'
import { Registrar } from '../../src/clerk/registrar.ts'
import { WitanError } from '../../src/ledger/errors.ts'
import { keyId } from '../../src/ledger/signing.ts'
import type { Actor } from '../../src/protocol.ts'
import { sha256 } from '../../src/stores/digest.ts'
import { verifySignature } from '../../src/stores/signature-checks.ts'
import type { Store } from '../../src/stores/store.ts'

const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex')

export interface TestKey {
  readonly id: string
  readonly publicKey: Uint8Array
  readonly privateKey: KeyObject
}

const made = new Map<string, TestKey>()

/** The key of this name: the same name always gives the same key. */
export function namedKey(name: string): TestKey {
  const key = made.get(name) ?? makeKey(name)
  made.set(name, key)
  return key
}

function makeKey(name: string): TestKey {
  const seed = sha256(Buffer.from(`witan test key ${name}`))
  const privateKey = createPrivateKey({
    key: Buffer.concat([PKCS8_ED25519, seed]),
    format: 'der',
    type: 'pkcs8',
  })
  const publicKey = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-32)
  return { id: keyId(sha256, publicKey), publicKey, privateKey }
}

export interface TestPorts extends Ports {
  readonly keys: Map<string, TestKey>
  key(name: string): TestKey
  signNow(actor: Actor, message: Uint8Array): Uint8Array
}

/** With `fixed`, clock, salts and trace ids count up from the same start in every run. */
export function testPorts(store: Store, fixed = false): TestPorts {
  const keys = new Map<string, TestKey>()
  let tick = 0
  let traces = 0
  return {
    store,
    sha256,
    keys,
    key(name) {
      const key = namedKey(name)
      keys.set(key.id, key)
      return key
    },
    now: () => (fixed ? new Date(Date.UTC(2026, 0, 1) + tick++ * 1000) : new Date()).toISOString(),
    salt: () => (fixed ? sha256(Buffer.from(`salt ${tick++}`)).subarray(0, 16) : randomBytes(16)),
    newTrace: () => {
      if (fixed) return `01KE000000${String(traces++).padStart(16, '0')}`
      return `01${[...randomBytes(24)].map((byte) => '0123456789ABCDEFGHJKMNPQRSTVWXYZ'[byte % 32]).join('')}`
    },
    async sign(requests) {
      return requests.map(({ actor, message }) => this.signNow(actor, message))
    },
    signNow(actor, message) {
      const key = keys.get(actor.key)
      if (!key)
        throw new WitanError('KEY_NOT_FOUND', `no private key ${actor.key}`, 'Use a key of this office.')
      return sign(null, message, key.privateKey)
    },
    verify: verifySignature,
  }
}

/** Roles of the errand protocol, each with its own key; the clerk among them. */
export const AGENTS: Readonly<Record<string, readonly string[]>> = {
  clerk: ['clerk'],
  paula: ['planner'],
  sam: ['seat'],
  eve: ['executor'],
  carl: ['critic'],
  aude: ['auditor'],
}

/** Opens a registry in the store with a key for every agent. */
export async function openPorts(
  store: Store,
  fixed = false,
): Promise<{ ports: TestPorts; registrar: Registrar }> {
  const ports = testPorts(store, fixed)
  const registrar = await Registrar.create(ports, 'test home', ports.key('registrar').publicKey)
  for (const [agent, roles] of Object.entries(AGENTS))
    await registrar.register(agent, roles, ports.key(agent).publicKey)
  return { ports, registrar }
}
