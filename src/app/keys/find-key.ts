// Finds one key by the name of its owner, or the beginning of its id.

import { isInForce } from '../../clerk/registrar.ts'
import { WitanError } from '../../ledger/errors.ts'
import type { KeyRecord, RegistryState } from '../../ledger/registry/registry.ts'
import { keyId } from '../../ledger/signing.ts'
import { sha256 } from '../../stores/digest.ts'
import { readPublicKey } from '../../stores/keyring.ts'
import { readSmallFile } from '../home/files.ts'

export type KeyStatus = 'in force' | 'rotated' | 'revoked'

export const statusOf = (key: KeyRecord): KeyStatus =>
  key.revoked && !key.revoked.retired ? 'revoked' : key.rotated !== null ? 'rotated' : 'in force'

export function findKey(registry: RegistryState, name: string): KeyRecord {
  const all = [...registry.keys.values()]
  const named = all.filter((key) => key.agent === name)
  const matches = named.length > 0 ? named.filter(isInForce) : byId(all, name)
  const [first, second] = matches
  if (first && !second) return first
  const list = 'See `witan keys list`.'
  if (second) {
    throw new WitanError('USAGE', `'${name}' means ${matches.length} keys`, `Give the id of one. ${list}`)
  }
  if (named.length > 0) throw new WitanError('KEY_RETIRED', `'${name}' has no key in force any more`, list)
  throw new WitanError('KEY_NOT_FOUND', `no key belongs to '${name}' or has an id that begins so`, list)
}

const byId = (keys: readonly KeyRecord[], id: string): KeyRecord[] =>
  /^[0-9a-f]{8,64}$/i.test(id) ? keys.filter((key) => key.id.startsWith(id.toLowerCase())) : []

/**
 * The public key in a file from its owner; refused when the registry knows it already. It was made elsewhere
 * unless its private half is among the keys that are `here`.
 */
export async function readNewKey(
  registry: RegistryState,
  file: string,
  here: readonly string[],
): Promise<{ readonly publicKey: Uint8Array; readonly made: 'here' | 'elsewhere' }> {
  const publicKey = readPublicKey((await readSmallFile(file)).toString('utf8'), file)
  const id = keyId(sha256, publicKey)
  const known = registry.keys.get(id)
  if (!known) return { publicKey, made: here.includes(id) ? 'here' : 'elsewhere' }
  throw new WitanError(
    'KEY_EXISTS',
    `${file}: this key is registered for ${known.agent} already`,
    'Use another key.',
  )
}
