// The authorities and witnesses in the home's own settings, with the keys and certificates that their answers
// are checked against. Only the home's file counts: a cloned repository can name none.

import { resolve } from 'node:path'
import { WitanError } from '../../ledger/errors.ts'
import { readWitnessKey, type WitnessKey } from '../../ledger/tree/attestations.ts'
import { sha256 } from '../../stores/digest.ts'
import { readCertificates } from '../../stores/timestamp-checks.ts'
import { readSmallFile } from '../home/files.ts'
import { configFile, ownSettings } from '../home/home.ts'

/** An authority that gives RFC 3161 timestamps. */
export interface Authority {
  /** The name under which its timestamps are below checkpoints. */
  readonly name: string
  readonly url: string
  /** Its certificate, or its issuer's. */
  readonly pem: string
}

export interface Witness {
  readonly url: string
  readonly key: WitnessKey
}

export interface Attestors {
  readonly authorities: readonly Authority[]
  readonly witnesses: readonly Witness[]
}

const invalid = (directory: string, what: string, next: string): WitanError =>
  new WitanError('CONFIG_INVALID', `${configFile(directory)}: ${what}`, next)

async function readCertificateFile(file: string): Promise<string> {
  const pem = (await readSmallFile(file)).toString('utf8')
  try {
    if (readCertificates(pem).length > 0) return pem
  } catch {
    // Reported below: what the file should be helps more than a parser's message.
  }
  throw new WitanError('KEY_FILE_INVALID', `${file} holds no certificate`, 'Give a PEM file of certificates.')
}

export async function readAttestors(directory: string): Promise<Attestors> {
  const { timestamps = [], witnesses = [] } = (await ownSettings(directory))?.sections ?? {}
  return {
    authorities: await Promise.all(
      timestamps.map(async ({ name = '', url = '', certificate = '' }) => ({
        name,
        url,
        pem: await readCertificateFile(resolve(directory, certificate)),
      })),
    ),
    witnesses: witnesses.map(({ url = '', key = '' }) => {
      const read = readWitnessKey(sha256, key)
      const next = 'Get it from who runs the witness: name+hash+base64, of type 4.'
      if (!read) throw invalid(directory, `the key of the witness at ${url} is no cosigner's key`, next)
      return { url, key: read }
    }),
  }
}
