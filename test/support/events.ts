// Chains of really signed events for tests that need a ledger and no protocol. One key per process signs them all
// unless another is given; times run on a clock of their own, so that a chain's bytes are as plain as can be.
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { type Artifact, GENESIS, type Payload, type SealedEvent } from '../../src/ledger/event.ts'
import { keyId, sealChain } from '../../src/ledger/signing.ts'
import { sha256 } from '../../src/stores/digest.ts'

export interface TestKey {
  readonly id: string
  readonly publicKey: Uint8Array
  readonly publicObject: KeyObject
  readonly sign: (message: Uint8Array) => Uint8Array
}

export interface ChainOptions {
  readonly trace: string
  readonly protocol?: string
  readonly count: number
  /** The number of the first event; with it the hash of the one before. */
  readonly from?: number
  readonly prev?: string
  readonly type?: string
  readonly payload?: (seq: number) => Payload
  readonly key?: TestKey
}

export function makeKey(): TestKey {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const raw = new Uint8Array(Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'))
  return {
    id: keyId(sha256, raw),
    publicKey: raw,
    publicObject: publicKey,
    sign: (message) => sign(null, message, privateKey),
  }
}

export const testKey: TestKey = makeKey()

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A random trace id. */
export const makeTrace = (): string =>
  `0${Array.from(randomBytes(25), (byte) => ALPHABET[byte % ALPHABET.length]).join('')}`

export function makeChain(options: ChainOptions): readonly SealedEvent[] {
  const {
    trace,
    protocol = 'agents/1',
    count,
    from = 0,
    prev = GENESIS,
    type = 'noted',
    key = testKey,
  } = options
  const payload = options.payload ?? ((seq: number): Payload => ({ text: `event ${seq}` }))
  const actor = { agent: 'tester', role: 'planner', key: key.id }
  return sealChain(
    { sha256, salt: () => new Uint8Array(randomBytes(16)), sign: (_actor, message) => key.sign(message) },
    { protocol, trace, registry: { size: 0, hash: GENESIS }, at: '2026-01-02T03:04:05.678Z' },
    { size: from, hash: prev, at: '' },
    Array.from({ length: count }, (_, i) => ({ type, actor, payload: payload(from + i) })),
  )
}

/** Where a chain ends, as `append` expects it. */
export function endOf(events: readonly SealedEvent[], from = 0): { size: number; hash: string } {
  return { size: from + events.length, hash: events.at(-1)?.hash ?? GENESIS }
}

export const descriptor = (hash: string, size: number): Artifact => ({
  hash,
  size,
  name: 'bytes.bin',
  media_type: 'application/octet-stream',
})
