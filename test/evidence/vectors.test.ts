// The bundles of spec/vectors/bundles: what they are called, what our verifier says of each, and that the second one says
// the same. WITAN_WRITE_VECTORS=1 makes the files again; a released one is never made again.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { isWitanError } from '../../src/ledger/errors.ts'
import { SecondVerifier } from '../support/second-verifier.ts'
import { projectRoot } from '../support/sources.ts'
import { INVALID, VALID, VECTOR_KEY } from '../support/vector-bundles.ts'
import { checkFile } from '../support/verification.ts'

const FOLDER = join(projectRoot, 'spec/vectors/bundles')
const MANIFEST = join(FOLDER, 'manifest.json')

interface Expected {
  readonly key: string
  readonly bundles: Readonly<Record<string, { readonly status: string; readonly codes: readonly string[] }>>
}

/** The status, and the codes of what was found; the code of a file that cannot even be read. */
async function judged(file: Uint8Array): Promise<{ status: string; codes: readonly string[] }> {
  try {
    const { status, failures } = await checkFile(file, { keys: [VECTOR_KEY], checkpoints: [] })
    return { status, codes: [...new Set(failures.map(({ code }) => code))] }
  } catch (error) {
    if (isWitanError(error)) return { status: 'fail', codes: [error.code] }
    throw error
  }
}

async function writeAll(): Promise<void> {
  mkdirSync(FOLDER, { recursive: true })
  const bundles: Record<string, unknown> = {}
  for (const [name, make] of Object.entries({ ...VALID, ...INVALID })) {
    const file = await make()
    writeFileSync(join(FOLDER, `${name}.witan`), file)
    bundles[name] = await judged(file)
  }
  writeFileSync(MANIFEST, `${JSON.stringify({ key: VECTOR_KEY, bundles }, null, 2)}\n`)
}

const missing = inject('missingPrograms')
let second: SecondVerifier
let expected: Expected
beforeAll(async () => {
  if (process.env.WITAN_WRITE_VECTORS === '1') await writeAll()
  expected = JSON.parse(readFileSync(MANIFEST, 'utf8'))
  second = new SecondVerifier()
})
afterAll(() => second.close())

describe('the bundles for other implementers', () => {
  it('VER-11 are those that are listed, and the key is the one to pin', () => {
    const files = readdirSync(FOLDER).filter((name) => name.endsWith('.witan'))
    expect(files.sort()).toEqual(
      Object.keys(expected.bundles)
        .map((name) => `${name}.witan`)
        .sort(),
    )
    expect(Object.keys(expected.bundles)).toEqual([...Object.keys(VALID), ...Object.keys(INVALID)])
    expect(expected.key).toBe(VECTOR_KEY)
  })

  it('VER-11 are judged as the list says', async () => {
    for (const [name, says] of Object.entries(expected.bundles)) {
      expect(await judged(readFileSync(join(FOLDER, `${name}.witan`))), name).toEqual(says)
      expect(says.status !== 'fail', name).toBe(name in VALID)
    }
  })

  it('LED-4 are made again byte for byte', async () => {
    for (const [name, make] of Object.entries({ ...VALID, ...INVALID }))
      expect((await make()).equals(readFileSync(join(FOLDER, `${name}.witan`))), name).toBe(true)
  })

  it.skipIf(missing.length > 0)('VER-11 are judged so by the second verifier too', async () => {
    for (const [name, { status }] of Object.entries(expected.bundles)) {
      const why = await second.verdict(readFileSync(join(FOLDER, `${name}.witan`)), VECTOR_KEY)
      expect(why === null, `${name}: ${why}`).toBe(status !== 'fail')
    }
  })
})
