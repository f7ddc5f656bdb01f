// The forms of `--trust`: the id or the bytes of a registry key in hex, a C2SP verifier key, a PEM, a
// checkpoint, the key of a witness, or the certificate of a timestamp authority; directly or in a file.

import { isWitanError, WitanError } from '../../ledger/errors.ts'
import { keyId } from '../../ledger/signing.ts'
import { readWitnessKey } from '../../ledger/tree/attestations.ts'
import { readTreeHead } from '../../ledger/tree/tree-head.ts'
import type { Trust } from '../../ledger/verify/inquire.ts'
import { sha256 } from '../../stores/digest.ts'
import { readPublicKey } from '../../stores/keyring.ts'
import { readCertificates } from '../../stores/timestamp-checks.ts'
import { readSmallFile } from '../home/files.ts'

/** How many there are; none where one of them cannot be read. */
function certificatesIn(pem: string): number {
  try {
    return readCertificates(pem).length
  } catch {
    return 0
  }
}

const HEX = /^[0-9a-f]{64}$/i

function read(text: string, where: string): Trust {
  const trimmed = text.replaceAll('\r\n', '\n').trim()
  if (HEX.test(trimmed)) {
    // Id and key look alike. Both are accepted: no one can make a key with a given id or given bytes.
    const id = trimmed.toLowerCase()
    return { keys: [id, keyId(sha256, Buffer.from(id, 'hex'))], checkpoints: [] }
  }
  if (trimmed.includes('-----BEGIN CERTIFICATE-----')) {
    if (certificatesIn(trimmed) > 0) return { keys: [], checkpoints: [], authorities: [trimmed] }
    throw new WitanError(
      'KEY_FILE_INVALID',
      `${where} holds no certificate that can be read`,
      'Give a PEM file.',
    )
  }
  const witness = readWitnessKey(sha256, trimmed)
  if (witness) return { keys: [], checkpoints: [], witnesses: [witness] }
  if (/\n— /.test(trimmed)) {
    const note = `${trimmed}\n`
    readTreeHead(note)
    return { keys: [], checkpoints: [note] }
  }
  return { keys: [keyId(sha256, readPublicKey(trimmed, where))], checkpoints: [] }
}

async function trustIn(option: string): Promise<Trust> {
  if (HEX.test(option)) return read(option, option)
  try {
    return read((await readSmallFile(option)).toString('utf8'), option)
  } catch (error) {
    if (!isWitanError(error, 'FILE_NOT_FOUND')) throw error
    if (option.includes('+') && !option.startsWith('.')) return read(option, option)
    throw new WitanError(
      'FILE_NOT_FOUND',
      `--trust ${option}: there is no such file, and it is no key`,
      'Give a key id or public key in hex, a verifier key, a PEM file or a checkpoint file.',
    )
  }
}

export async function readTrust(options: readonly string[]): Promise<Trust> {
  const all = await Promise.all(options.map(trustIn))
  return {
    keys: all.flatMap(({ keys }) => keys),
    checkpoints: all.flatMap(({ checkpoints }) => checkpoints),
    witnesses: all.flatMap(({ witnesses = [] }) => witnesses),
    authorities: all.flatMap(({ authorities = [] }) => authorities),
  }
}
