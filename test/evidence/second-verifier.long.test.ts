// Thousands of changed bundles before both verifiers: golden ones, the vectors, and those of earlier builds.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bundleBytes, manifest } from '../support/frozen.ts'
import { mutant } from '../support/mutants.ts'
import { disagreement, SecondVerifier } from '../support/second-verifier.ts'
import { projectRoot } from '../support/sources.ts'
import { VALID, VECTOR_KEY } from '../support/vector-bundles.ts'

const COUNT = Number(process.env.WITAN_MUTANTS ?? 8000)
const GOLDEN_KEY = '7f695abb4cc8d6eab29121fb9c62395c1a3aef802539783a770687a183864f7a'
const vector = (name: string): Buffer => readFileSync(join(projectRoot, 'spec/vectors', name))

let second: SecondVerifier
beforeAll(() => {
  second = new SecondVerifier()
})
afterAll(() => second.close())

it('VER-11 agrees with ours on every bundle of earlier builds', async () => {
  for (const [name, { keys }] of Object.entries(manifest().bundles))
    expect(await disagreement(second, bundleBytes(name), keys.at(-1) ?? null), name).toBeNull()
})

it('VER-11 agrees with ours on thousands of changed bundles', async () => {
  const made = manifest().bundles
  const files: readonly (readonly [Buffer, string])[] = [
    ...['golden.witan', 'golden-fork.witan'].map((name) => [vector(name), GOLDEN_KEY] as const),
    ...Object.keys(VALID).map((name) => [vector(`bundles/${name}.witan`), VECTOR_KEY] as const),
    ...Object.entries(made)
      .filter((_, i) => i % 40 === 0)
      .map(([name, { keys }]) => [bundleBytes(name), keys.at(-1) ?? ''] as const),
  ]
  const found: string[] = []
  for (let seed = 0; seed < COUNT; seed++) {
    const [file, key] = files[seed % files.length] as readonly [Buffer, string]
    const [other] = files[(seed * 7 + 1) % files.length] as readonly [Buffer, string]
    const why = await disagreement(second, mutant(file, other, 1_000_000 + seed), key)
    if (why !== null) found.push(`${seed}: ${why}`)
  }
  expect(found).toEqual([])
})
