// Where a program keeps its traces: in a home, like the command, or in a store of its own with keys that live
// as long as the process. Either way everything is signed and can be verified.

import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { ulid } from 'ulid'
import type { Ports } from '../clerk/ports.ts'
import { Registrar } from '../clerk/registrar.ts'
import type { Embedder } from '../embeddings/embedder.ts'
import { CLERK } from '../ledger/calls.ts'
import { WitanError } from '../ledger/errors.ts'
import { keyId } from '../ledger/signing.ts'
import { saltSource, sha256 } from '../stores/digest.ts'
import { MemoryStore } from '../stores/memory.ts'
import { verifySignature } from '../stores/signature-checks.ts'
import type { Store } from '../stores/store.ts'
import { type Home, homeDirectory, reachOutside } from './home/home.ts'
import { openOrCreateHome, owned, type RunKit, registerSigners, type Signer } from './home/signers.ts'
import { bySettings } from './outside/by-settings.ts'

/** Where traces are kept, and which keys sign them. */
export interface Storage {
  /** The store and the keys, for `witan/clerk`: `wholeBundle(storage.ports.store, trace)` is what anyone can check. */
  readonly ports: Ports
  /** Everyone named can sign in every role named. */
  registerSigners(signers: readonly Signer[]): Promise<Registrar>
  close(): Promise<void>
}

/** A storage whose keys, settings and notes are those of a home. */
export interface HomeStorage extends Storage {
  readonly home: Home
}

/** In the home at this directory, made if there is none; by default the home of the command. */
export async function inHome(directory: string | null = null): Promise<HomeStorage> {
  reachOutside(bySettings)
  const home = await openOrCreateHome({ directory: homeDirectory(directory), postgres: null })
  return {
    home,
    ports: home.ports,
    registerSigners: (signers) => registerSigners(home, signers),
    close: () => home.close(),
  }
}

/** In this store, which must be new, or in memory; the keys are lost with the process. */
export async function inStore(store: Store = new MemoryStore()): Promise<Storage> {
  const keys = new Map<string, KeyObject>()
  const create = (): Uint8Array => {
    const { privateKey } = generateKeyPairSync('ed25519')
    const publicKey = new Uint8Array(Buffer.from(privateKey.export({ format: 'jwk' }).x ?? '', 'base64url'))
    keys.set(keyId(sha256, publicKey), privateKey)
    return publicKey
  }
  const ports: Ports = {
    store,
    sha256,
    now: () => new Date().toISOString(),
    salt: saltSource(),
    newTrace: () => ulid(),
    async sign(requests) {
      return requests.map(({ actor, message }) => {
        const key = keys.get(actor.key)
        if (key) return sign(null, message, key)
        const next = 'Use a store that this process has opened itself.'
        throw new WitanError('KEY_NOT_FOUND', `this process does not hold the key of ${actor.agent}`, next)
      })
    },
    verify: verifySignature,
  }
  const clerk = { agent: CLERK, roles: [CLERK], publicKey: create() }
  const registrar = await Registrar.create(ports, 'library', create(), [clerk])
  return {
    ports,
    async registerSigners(signers) {
      const known = [...registrar.log.state.keys.values()]
      const lacking = signers.flatMap(({ agent, roles }) => {
        const own = known.filter((key) => key.agent === agent).flatMap((key) => key.roles)
        const missing = roles.filter((role) => !own.includes(role))
        return missing.length > 0 ? [{ agent, roles: missing, publicKey: create() }] : []
      })
      if (lacking.length > 0) await registrar.enrol(lacking)
      return registrar
    },
    close: async () => undefined,
  }
}

/** In the storage of a program, with its own embedder or the one that comes with Witan. */
export const runKitIn = (
  { ports, registerSigners: registerSignersIn }: Storage,
  embedder?: Embedder,
): RunKit => ({
  ports,
  registerSigners: registerSignersIn,
  async openEmbedder() {
    if (embedder) return { embedder, close: async () => undefined }
    const { openBuiltInEmbedder } = await import('../embeddings/embedded.ts')
    return owned(await openBuiltInEmbedder())
  },
})
