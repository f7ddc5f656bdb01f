// Two verifiers that share nothing but the specification agree on what holds: on bundles as they are, on those of earlier
// builds, and on changed ones. With more mutants in second-verifier.long.test.ts.

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { bundleBytes, manifest } from '../support/frozen.ts'
import { mutant } from '../support/mutants.ts'
import { disagreement, ourVerdict, SecondVerifier } from '../support/second-verifier.ts'
import { projectRoot } from '../support/sources.ts'
import { cctvVectors, decided, vectorsPresent, vectorsTitle, wycheproofVectors } from '../support/vectors.ts'

const missing = inject('missingPrograms')
const KEY = '7f695abb4cc8d6eab29121fb9c62395c1a3aef802539783a770687a183864f7a'
const vector = (name: string): Buffer => readFileSync(join(projectRoot, 'spec/vectors', name))
const GOLDEN = ['golden.witan', 'golden-fork.witan'].map(vector) as [Buffer, Buffer]

let second: SecondVerifier
beforeAll(() => {
  second = new SecondVerifier()
})
afterAll(() => second.close())

describe.skipIf(missing.length > 0)('the verifier in Python', () => {
  it('VER-11 accepts the golden bundles, and one in ten of those of earlier builds', async () => {
    for (const file of GOLDEN) expect(await second.verdict(file, KEY)).toBeNull()
    const made = manifest()
    const names = Object.keys(made.bundles).filter((_, i) => i % 10 === 0)
    expect(names.length).toBeGreaterThan(10)
    for (const name of names) {
      const key = made.bundles[name]?.keys.at(-1) ?? null
      expect(await disagreement(second, bundleBytes(name), key), name).toBeNull()
    }
  })

  it('VER-11 says so as a command, with an exit code', () => {
    const run = (...args: readonly string[]) => {
      const verifier = join(projectRoot, 'spec/verifier/verify.py')
      const { stdout, status } = spawnSync('python3', ['-B', verifier, ...args], { encoding: 'utf8' })
      return [stdout.split('\n')[0], status]
    }
    const golden = join(projectRoot, 'spec/vectors/golden.witan')
    expect(run(golden, '--trust', KEY)).toEqual(['ok', 0])
    expect(run(golden, '--trust', '0'.repeat(64))).toEqual(['fail: the registry is not the one you trust', 3])
    expect(run()).toEqual([expect.stringContaining('second verifier'), 2])
  })

  it('VER-9 refuses them where another key is pinned', async () => {
    for (const file of GOLDEN)
      expect(await second.verdict(file, '0'.repeat(64))).toContain('not the one you trust')
  })

  it('VER-11 agrees with ours on hundreds of changed bundles', async () => {
    const found: string[] = []
    let refused = 0
    for (let seed = 0; seed < 300; seed++) {
      const [file, other] = seed % 2 === 0 ? GOLDEN : GOLDEN.toReversed()
      const changed = mutant(file as Buffer, other as Buffer, seed)
      const why = await disagreement(second, changed, KEY)
      if (why !== null) found.push(`${seed}: ${why}`)
      if ((await ourVerdict(changed, KEY)) !== null) refused++
    }
    expect(found).toEqual([])
    // Some changes are none: a line put where it stood already, a signature of a stranger below a checkpoint.
    expect(refused).toBeGreaterThan(240)
    expect(refused).toBeLessThan(300)
  })

  it.skipIf(!vectorsPresent)(
    vectorsTitle('VER-8 decides the Ed25519 vectors of Wycheproof and CCTV by the same rule'),
    () => {
      const vectors = [...wycheproofVectors(), ...cctvVectors()]
      const program = [
        'import json, sys; sys.path.insert(0, sys.argv[1])',
        'from verify import is_signed',
        'of = lambda one, *names: [bytes.fromhex(one[name]) for name in names]',
        "print(json.dumps([is_signed(*of(one, 'publicKey', 'message', 'signature')) for one in json.load(sys.stdin)]))",
      ].join('\n')
      const folder = join(projectRoot, 'spec/verifier')
      const { stdout, stderr } = spawnSync('python3', ['-B', '-c', program, folder], {
        input: JSON.stringify(vectors),
        encoding: 'utf8',
      })
      expect(stderr).toBe('')
      const found: readonly boolean[] = JSON.parse(stdout)
      expect(found).toHaveLength(vectors.length)
      expect(vectors.filter(({ accepted }, i) => found[i] !== accepted).map(({ name }) => name)).toEqual([])
      decided('Ed25519 in Python', found.length)
    },
  )
})
