// What a reader may paste to say whose minutes these should be: the id of a registry key, a verifier key, or the
// text of a checkpoint. Copying adds blanks and drops the last newline; nothing else about the text is forgiven.

import { parseVerifierKey } from '../../ledger/checkpoint.ts'
import { WitanError } from '../../ledger/errors.ts'
import { keyId } from '../../ledger/signing.ts'
import { readTreeHead } from '../../ledger/tree-head.ts'
import type { Trust } from '../../ledger/verify/inquire.ts'
import { sha256 } from './digest.ts'

export const NO_TRUST: Trust = { keys: [], checkpoints: [] }

/** Throws a WitanError that says why the text pins nothing. */
export function readTrust(pasted: string): Trust {
  const text = pasted.replaceAll('\r\n', '\n').trim()
  if (text === '') return NO_TRUST
  if (/^[0-9a-f]{64}$/i.test(text)) return { keys: [text.toLowerCase()], checkpoints: [] }
  if (text.includes('\n')) {
    const note = `${text}\n`
    readTreeHead(note)
    return { keys: [], checkpoints: [note] }
  }
  if (text.includes('+'))
    return { keys: [keyId(sha256, parseVerifierKey(sha256, text).publicKey)], checkpoints: [] }
  throw new WitanError(
    'USAGE',
    'This is neither a key id (64 hexadecimal digits), nor a verifier key, nor the text of a checkpoint.',
    'Paste one of the three, whole.',
  )
}
