// The Ed25519 vectors of other projects and what our written rule says of each, for any code that decides them. The
// files are not part of this repository: they are read from ../shared/vectors beside it.

import { existsSync, readFileSync } from 'node:fs'

const FOLDER = new URL('../../../shared/vectors/', import.meta.url)

export const vectorsPresent = existsSync(FOLDER)
export const vectorsTitle = (suite: string): string =>
  vectorsPresent ? suite : `${suite} (skipped: ../shared/vectors is absent)`

export const vectorFile = (path: string): Buffer => readFileSync(new URL(path, FOLDER))

/** The counts are part of the result: a suite that shrank must be seen to have shrunk. */
export const decided = (suite: string, count: number): void =>
  console.log(`vectors: ${suite} ${count} decided`)

/** One signature, in hex, and whether the rule accepts it. */
export interface SignatureVector {
  readonly name: string
  readonly publicKey: string
  readonly message: string
  readonly signature: string
  readonly accepted: boolean
}

interface Wycheproof {
  testGroups: {
    publicKey: { pk: string }
    tests: { tcId: number; msg: string; sig: string; result: string }[]
  }[]
}

type Cctv = { number: number; key: string; sig: string; msg: string; flags: string[] | null }[]

export function wycheproofVectors(): readonly SignatureVector[] {
  const file: Wycheproof = JSON.parse(vectorFile('ed25519/wycheproof.json').toString('utf8'))
  return file.testGroups.flatMap(({ publicKey, tests }) =>
    tests.map(({ tcId, msg, sig, result }) => ({
      name: `tcId ${tcId}`,
      publicKey: publicKey.pk,
      message: msg,
      signature: sig,
      accepted: result === 'valid',
    })),
  )
}

/**
 * What each flag of the CCTV set means under our rule. The rule knows a key's own low order but not a low-order
 * component of it, and has no objection to a low-order R; a residue is what the equation without the cofactor
 * cannot cancel. `reencoded_k` describes how a vector with a non-canonical point was made.
 */
const REFUSED_FLAG: { readonly [flag: string]: boolean } = {
  low_order_A: true,
  non_canonical_A: true,
  non_canonical_R: true,
  low_order_residue: true,
  low_order_R: false,
  low_order_component_A: false,
  low_order_component_R: false,
  reencoded_k: false,
}

export function cctvVectors(): readonly SignatureVector[] {
  const file: Cctv = JSON.parse(vectorFile('ed25519/cctv.json').toString('utf8'))
  return file.map(({ number, key, sig, msg, flags }) => {
    const refusals = (flags ?? []).map((flag) => REFUSED_FLAG[flag])
    if (refusals.includes(undefined))
      throw new Error(`vector ${number} has a flag that the rule does not speak of: ${flags}`)
    return {
      name: `vector ${number}: ${flags}`,
      publicKey: key,
      message: Buffer.from(msg, 'utf8').toString('hex'),
      signature: sig,
      accepted: !refusals.includes(true),
    }
  })
}
