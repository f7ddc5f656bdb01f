// What a reader may paste to identify the registry that they trust, the same as for `--trust`: a registry key
// (its id, its bytes, a verifier key or a PEM) or the text of a checkpoint. Added blanks and a lost last
// newline are tolerated; nothing else is.

import { fromBase64, fromHex, toHex } from '../ledger/bytes.ts'
import { WitanError } from '../ledger/errors.ts'
import { admissibleKey, keyId } from '../ledger/signing.ts'
import { parseVerifierKey } from '../ledger/tree/checkpoint.ts'
import { readTreeHead } from '../ledger/tree/tree-head.ts'
import type { Trust } from '../ledger/verify/inquire.ts'
import { sha256 } from './bytes.ts'

export const NO_TRUST: Trust = { keys: [], checkpoints: [] }

const PEM = /^-----BEGIN PUBLIC KEY-----\n([A-Za-z0-9+/=\n]+)\n-----END PUBLIC KEY-----$/
/** The DER of an Ed25519 key up to its 32 bytes. */
const SPKI = '302a300506032b6570032100'

function pemKey(base64: string): Uint8Array | null {
  const der = fromBase64(base64.replaceAll('\n', ''))
  const key = der?.slice(-32)
  return der?.length === 44 && toHex(der).startsWith(SPKI) && key && admissibleKey(key) ? key : null
}

const trusting = (...keys: readonly string[]): Trust => ({ keys, checkpoints: [] })

/** Throws a WitanError that says why the text pins nothing. */
export function readTrust(pasted: string): Trust {
  const text = pasted.replaceAll('\r\n', '\n').trim()
  if (text === '') return NO_TRUST
  const bytes = fromHex(text.toLowerCase(), 32)
  // Id and key look alike. Both are accepted: no one can make a key with a given id or given bytes.
  if (bytes) return trusting(text.toLowerCase(), keyId(sha256, bytes))
  if (text.includes('\n— ')) {
    const note = `${text}\n`
    readTreeHead(note)
    return { keys: [], checkpoints: [note] }
  }
  const pem = PEM.exec(text)?.[1]
  const key = pem === undefined ? null : pemKey(pem)
  if (key) return trusting(keyId(sha256, key))
  if (/^\S+\+\S+$/.test(text)) return trusting(keyId(sha256, parseVerifierKey(sha256, text).publicKey))
  throw new WitanError(
    'USAGE',
    'This is neither a key (id, hexadecimal bytes, verifier key or PEM) nor the text of a checkpoint.',
    'Paste one of them, whole.',
  )
}
