// Vectors of other projects, decided by our written rules. Where their files are absent the suite says so in its
// name instead of passing. Every count is a literal, so that a file that shrank cannot pass either.

import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Sha256 } from '../src/ledger/bytes.ts'
import { canonicalize, parseCanonical, parseJson } from '../src/ledger/canonical.ts'
import { verifyConsistency, verifyInclusion } from '../src/ledger/tree/merkle.ts'
import { verifySignature } from '../src/stores/signature-checks.ts'
import {
  cctvVectors,
  decided,
  type SignatureVector,
  vectorFile,
  vectorsPresent,
  vectorsTitle,
  wycheproofVectors,
} from './support/vectors.ts'

const base64 = (text: string): Buffer => Buffer.from(text, 'base64')
const hex = (text: string): Buffer => Buffer.from(text, 'hex')

const sha: Sha256 = (...parts) => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

function accepts(vector: SignatureVector): boolean {
  return verifySignature(hex(vector.publicKey), hex(vector.message), hex(vector.signature))
}

function decide(vectors: readonly SignatureVector[]): { accepted: number; refused: number } {
  const verdicts = { accepted: 0, refused: 0 }
  for (const vector of vectors) {
    const accepted = accepts(vector)
    expect(accepted, vector.name).toBe(vector.accepted)
    verdicts[accepted ? 'accepted' : 'refused']++
  }
  return verdicts
}

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

describe.skipIf(!vectorsPresent)(vectorsTitle('outside vectors'), () => {
  it('VER-8 LED-4 LED-5 writes the 6 RFC 8785 pairs to the byte', () => {
    const names = ['arrays', 'french', 'structures', 'unicode', 'values', 'weird']
    for (const name of names) {
      const output = vectorFile(`rfc8785/output/${name}.json`)
      const value = parseJson(vectorFile(`rfc8785/input/${name}.json`).toString('utf8'))
      expect(Buffer.from(canonicalize(value)).equals(output), name).toBe(true)
      expect(parseCanonical(output), name).toStrictEqual(value)
    }
    decided('rfc8785', names.length)
    expect(names.length).toBe(6)
  })

  it('VER-8 LED-4 decides the 151 Wycheproof Ed25519 vectors as their authors do', () => {
    const verdicts = decide(wycheproofVectors())
    decided('wycheproof', verdicts.accepted + verdicts.refused)
    expect(verdicts).toStrictEqual({ accepted: 88, refused: 63 })
  })

  it('VER-8 LED-4 decides the 914 CCTV Ed25519 vectors as the acceptance rule says', () => {
    const verdicts = decide(cctvVectors())
    decided('cctv', verdicts.accepted + verdicts.refused)
    expect(verdicts).toStrictEqual({ accepted: 86, refused: 828 })
  })

  it('VER-8 LED-12 decides the 98 Merkle inclusion vectors', () => {
    const file: Inclusion = JSON.parse(vectorFile('merkle/inclusion.json').toString('utf8'))
    for (const { name, leafIdx, treeSize, root, leafHash, proof, wantErr } of file) {
      const claim = { leaf: base64(leafHash), index: leafIdx, size: treeSize, root: base64(root) }
      expect(verifyInclusion(sha, { ...claim, proof: (proof ?? []).map(base64) }), name).toBe(!wantErr)
    }
    decided('merkle inclusion', file.length)
    expect(file.length).toBe(98)
  })

  it('VER-8 LED-12 decides the 98 Merkle consistency vectors', () => {
    const file: Consistency = JSON.parse(vectorFile('merkle/consistency.json').toString('utf8'))
    for (const { name, size1, size2, root1, root2, proof, wantErr } of file) {
      const claim = { from: size1, to: size2, fromRoot: base64(root1), toRoot: base64(root2) }
      expect(verifyConsistency(sha, { ...claim, proof: (proof ?? []).map(base64) }), name).toBe(!wantErr)
    }
    decided('merkle consistency', file.length)
    expect(file.length).toBe(98)
  })
})
