// Looks at a stored trace as an outsider would: places, links, hashes, payload hashes, signatures and the bytes of
// every artifact. Throws at the first thing that is not as it should be.
import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import {
  artifactsOf,
  eventHash,
  GENESIS,
  payloadHash,
  readHeader,
  readPayload,
} from '../../src/ledger/event.ts'
import { eventMessage } from '../../src/ledger/signing.ts'
import { sha256 } from '../../src/stores/digest.ts'
import type { Store } from '../../src/stores/store.ts'
import type { TestKey } from './events.ts'

export type Keys = Map<string, KeyObject>

/** As a child process prints its key, and as the parent reads it. */
export const announced = (key: TestKey): string =>
  `key ${key.id} ${key.publicObject.export({ format: 'der', type: 'spki' }).toString('base64')}`

export function collectKeys(lines: readonly string[], into: Keys): void {
  for (const line of lines) {
    const [word, id = '', der = ''] = line.split(' ')
    if (word !== 'key') continue
    into.set(id, createPublicKey({ key: Buffer.from(der, 'base64'), format: 'der', type: 'spki' }))
  }
}

function insist(holds: boolean, what: string): void {
  if (!holds) throw new Error(what)
}

async function checkArtifact(store: Store, hash: string, where: string): Promise<void> {
  const digest = createHash('sha256')
  const found = await store.openArtifact(hash)
  if (found === null) throw new Error(`${where}: the artifact ${hash} is missing`)
  for await (const chunk of found) digest.update(chunk)
  insist(digest.digest('hex') === hash, `${where}: the artifact ${hash} is damaged`)
}

export interface Audit {
  readonly hashes: readonly string[]
  readonly payloads: readonly Readonly<Record<string, unknown>>[]
  readonly artifacts: number
}

export async function audit(store: Store, trace: string, keys: Keys): Promise<Audit> {
  const hashes: string[] = []
  const payloads: Readonly<Record<string, unknown>>[] = []
  let artifacts = 0
  for await (const { header: bytes, hash, signature, payload, salt } of store.read(trace)) {
    const where = `event ${hashes.length}`
    const header = readHeader(bytes)
    if (typeof header === 'string') throw new Error(`${where}: ${header}`)
    insist(header.seq === hashes.length && header.trace === trace, `${where} is out of place`)
    insist(header.prev === (hashes.at(-1) ?? GENESIS), `${where} does not follow the one before`)
    insist(eventHash(sha256, bytes) === hash, `${where}: wrong hash`)
    const key = keys.get(header.actor.key)
    insist(
      key !== undefined && verify(null, eventMessage(bytes), key, signature),
      `${where}: wrong signature`,
    )
    if (payload === null || salt === null) throw new Error(`${where}: no payload`)
    insist(payloadHash(sha256, salt, payload) === header.payload_hash, `${where}: wrong payload`)
    const content = readPayload(payload)
    if (typeof content === 'string') throw new Error(`${where}: ${content}`)
    for (const artifact of artifactsOf(content)) {
      await checkArtifact(store, artifact.hash, where)
      artifacts++
    }
    hashes.push(hash)
    payloads.push(content)
  }
  return { hashes, payloads, artifacts }
}
