// Vectors of other projects, decided by our written rules. The files are not part of this repository: they are
// read from ../shared/vectors beside it, and where that folder is absent the suite says so in its name instead of
// passing. Every count is a literal, so that a file that shrank cannot pass either.

import { createHash, createPublicKey, verify } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Sha256 } from '../src/ledger/bytes.ts'
import { canonicalize, parseCanonical, parseJson } from '../src/ledger/canonical.ts'
import { verifyConsistency, verifyInclusion } from '../src/ledger/merkle.ts'
import { admissible } from '../src/ledger/signing.ts'

const FOLDER = new URL('../../shared/vectors/', import.meta.url)
const present = existsSync(FOLDER)
const title = present ? 'outside vectors' : 'outside vectors (skipped: ../shared/vectors is absent)'

const bytesOf = (path: string): Buffer => readFileSync(new URL(path, FOLDER))
const base64 = (text: string): Buffer => Buffer.from(text, 'base64')
const hex = (text: string): Buffer => Buffer.from(text, 'hex')
const decided = (suite: string, count: number): void => console.log(`vectors: ${suite} ${count} decided`)

const sha: Sha256 = (...parts) => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

function accepts(publicKey: Buffer, message: Buffer, signature: Buffer): boolean {
  if (!admissible(publicKey, signature)) return false
  const der = Buffer.concat([hex('302a300506032b6570032100'), publicKey])
  return verify(null, message, createPublicKey({ key: der, format: 'der', type: 'spki' }), signature)
}

interface Wycheproof {
  testGroups: {
    publicKey: { pk: string }
    tests: { tcId: number; msg: string; sig: string; result: string }[]
  }[]
}

type Cctv = { number: number; key: string; sig: string; msg: string; flags: string[] | null }[]

type Inclusion = {
  name: string
  leafIdx: number
  treeSize: number
  root: string
  leafHash: string
  proof: string[] | null
  wantErr: boolean
}[]

type Consistency = {
  name: string
  size1: number
  size2: number
  root1: string
  root2: string
  proof: string[] | null
  wantErr: boolean
}[]

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

describe.skipIf(!present)(title, () => {
  it('VER-8 LED-4 LED-5 writes the 6 RFC 8785 pairs to the byte', () => {
    const names = ['arrays', 'french', 'structures', 'unicode', 'values', 'weird']
    for (const name of names) {
      const output = bytesOf(`rfc8785/output/${name}.json`)
      const value = parseJson(bytesOf(`rfc8785/input/${name}.json`).toString('utf8'))
      expect(Buffer.from(canonicalize(value)).equals(output), name).toBe(true)
      expect(parseCanonical(output), name).toStrictEqual(value)
    }
    decided('rfc8785', names.length)
    expect(names.length).toBe(6)
  })

  it('VER-8 LED-4 decides the 151 Wycheproof Ed25519 vectors as their authors do', () => {
    const file: Wycheproof = JSON.parse(bytesOf('ed25519/wycheproof.json').toString('utf8'))
    const verdicts = { valid: 0, invalid: 0 }
    for (const { publicKey, tests } of file.testGroups) {
      for (const { tcId, msg, sig, result } of tests) {
        const verdict = accepts(hex(publicKey.pk), hex(msg), hex(sig)) ? 'valid' : 'invalid'
        expect(verdict, `tcId ${tcId}`).toBe(result)
        verdicts[verdict]++
      }
    }
    decided('wycheproof', verdicts.valid + verdicts.invalid)
    expect(verdicts).toStrictEqual({ valid: 88, invalid: 63 })
  })

  it('VER-8 LED-4 decides the 914 CCTV Ed25519 vectors as the acceptance rule says', () => {
    const file: Cctv = JSON.parse(bytesOf('ed25519/cctv.json').toString('utf8'))
    const verdicts = { accepted: 0, refused: 0 }
    for (const { number, key, sig, msg, flags } of file) {
      const refusals = (flags ?? []).map((flag) => REFUSED_FLAG[flag])
      expect(refusals, `vector ${number} has a flag that the rule does not speak of`).not.toContain(undefined)
      const accepted = accepts(hex(key), Buffer.from(msg, 'utf8'), hex(sig))
      expect(accepted, `vector ${number}: ${flags}`).toBe(!refusals.includes(true))
      verdicts[accepted ? 'accepted' : 'refused']++
    }
    decided('cctv', verdicts.accepted + verdicts.refused)
    expect(verdicts).toStrictEqual({ accepted: 86, refused: 828 })
  })

  it('VER-8 LED-12 decides the 98 Merkle inclusion vectors', () => {
    const file: Inclusion = JSON.parse(bytesOf('merkle/inclusion.json').toString('utf8'))
    for (const { name, leafIdx, treeSize, root, leafHash, proof, wantErr } of file) {
      const claim = { leaf: base64(leafHash), index: leafIdx, size: treeSize, root: base64(root) }
      expect(verifyInclusion(sha, { ...claim, proof: (proof ?? []).map(base64) }), name).toBe(!wantErr)
    }
    decided('merkle inclusion', file.length)
    expect(file.length).toBe(98)
  })

  it('VER-8 LED-12 decides the 98 Merkle consistency vectors', () => {
    const file: Consistency = JSON.parse(bytesOf('merkle/consistency.json').toString('utf8'))
    for (const { name, size1, size2, root1, root2, proof, wantErr } of file) {
      const claim = { from: size1, to: size2, fromRoot: base64(root1), toRoot: base64(root2) }
      expect(verifyConsistency(sha, { ...claim, proof: (proof ?? []).map(base64) }), name).toBe(!wantErr)
    }
    decided('merkle consistency', file.length)
    expect(file.length).toBe(98)
  })
})
