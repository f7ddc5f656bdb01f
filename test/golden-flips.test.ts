// No byte of a golden bundle can be changed unnoticed: reading it stops with a code, or its verification fails; and
// none brings the reader down. Every byte that is a secret's or a signature's is tried in each run, of the others a
// random sample; with WITAN_EXHAUSTIVE=1 every byte of both files is.

import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isWitanError } from '../src/ledger/errors.ts'
import type { Trust } from '../src/ledger/verify/inquire.ts'
import { readBundle } from '../src/stores/bundle-file.ts'
import { judge } from './support/tamper.ts'

const vector = (name: string): Buffer => readFileSync(new URL(`../spec/vectors/${name}`, import.meta.url))
const KEY = '7f695abb4cc8d6eab29121fb9c62395c1a3aef802539783a770687a183864f7a'
const WHOLE = vector('golden.witan')
const FORK = vector('golden-fork.witan')
const trust: Trust = { keys: [KEY], checkpoints: [] }

/** What comes of the file: the status of its report, or the code with which it is refused. */
async function outcome(file: Uint8Array, pinned = trust): Promise<string> {
  const source = (async function* () {
    yield file
  })()
  try {
    const { bundle, artifacts } = await readBundle(source)
    return judge(bundle, pinned, artifacts).status
  } catch (error) {
    if (isWitanError(error)) return error.code
    throw error
  }
}

function changed(file: Buffer, at: number, value: number): Buffer {
  const copy = Buffer.from(file)
  copy.writeUInt8(value, at)
  return copy
}

const HARMLESS = new Set(['pass', 'pass-with-warnings'])

/** The places, with what stands around them, at which a change went unnoticed. */
async function unnoticed(
  file: Buffer,
  changes: Iterable<readonly [at: number, value: number]>,
): Promise<{ tried: number; missed: string[] }> {
  const missed: string[] = []
  let tried = 0
  for (const [at, value] of changes) {
    if (file.readUInt8(at) === value) continue
    tried++
    if (HARMLESS.has(await outcome(changed(file, at, value))))
      missed.push(`${at} → ${value}: ${file.subarray(Math.max(0, at - 20), at + 20)}`)
  }
  return { tried, missed }
}

const oneBit = (file: Buffer, at: number): readonly [number, number] => [
  at,
  file.readUInt8(at) ^ (1 << (at % 8)),
]

function* everywhere(file: Buffer): Generator<readonly [number, number]> {
  for (let at = 0; at < file.length; at++) yield oneBit(file, at)
}

/** One bit of every byte that the pattern finds. */
function* within(file: Buffer, pattern: RegExp): Generator<readonly [number, number]> {
  for (const match of file.toString('latin1').matchAll(pattern))
    for (let i = 0; i < match[0].length; i++) yield oneBit(file, match.index + i)
}

const EXHAUSTIVE = process.env.WITAN_EXHAUSTIVE === '1'

/** Places and values by chance; the seed is in the message when one is missed. */
const sample = (file: Buffer, runs: number) =>
  fc.assert(
    fc.asyncProperty(fc.nat(file.length - 1), fc.integer({ min: 1, max: 255 }), async (at, mask) => {
      const found = await outcome(changed(file, at, file.readUInt8(at) ^ mask))
      expect(HARMLESS.has(found), `${at}: ${file.subarray(Math.max(0, at - 20), at + 20)}`).toBe(false)
    }),
    { numRuns: runs },
  )

describe('one changed byte', () => {
  for (const [name, file, status] of [
    ['a whole trace', WHOLE, 'pass'],
    ['a fork', FORK, 'pass-with-warnings'],
  ] as const) {
    it(`LED-4 is noticed in ${name}: headers, payloads, proofs, artifacts, at random`, async () => {
      expect(await outcome(file)).toBe(status)
      await sample(file, 2000)
      if (!EXHAUSTIVE) return
      const { tried, missed } = await unnoticed(file, everywhere(file))
      expect([tried, missed]).toEqual([file.length, []])
    }, 600_000)
  }

  for (const [what, pattern, bytes] of [
    ['every signature of an event', /"signature":"[0-9a-f]{128}"/g, 18 * 142],
    ['every salt', /"salt":"[0-9a-f]{32}"/g, 18 * 41],
    ['every key', /public_key\\":\\"[0-9a-f]{64}/g, 8 * 79],
    ['the artifact and the end', /\{"artifact":.*\n.*\n\n.*\n$/g, 144],
  ] as const) {
    it(`LED-3 is noticed in ${what}`, async () => {
      const { tried, missed } = await unnoticed(WHOLE, within(WHOLE, pattern))
      expect([tried, missed]).toEqual([bytes, []])
    }, 120_000)
  }

  it('LED-12 is noticed in every checkpoint, also by a reader who holds nothing else', async () => {
    const { tried, missed } = await unnoticed(WHOLE, within(WHOLE, /"checkpoint":"[^"]+"/g))
    expect(missed).toEqual([])
    expect(tried).toBeGreaterThan(500)
    const note = vector('golden.checkpoint')
    for (const [at, value] of everywhere(note)) {
      const held = { keys: [], checkpoints: [changed(note, at, value).toString()] }
      expect(await outcome(WHOLE, held), String(at)).toBe('fail')
    }
  }, 120_000)

  it('LED-10 is noticed in the key that a reader pinned', async () => {
    for (const [at, value] of everywhere(Buffer.from(KEY))) {
      const keys = [changed(Buffer.from(KEY), at, value).toString()]
      expect(await outcome(WHOLE, { keys, checkpoints: [] })).toBe('fail')
    }
  })
})

describe('one byte too many or too few', () => {
  it('LED-16 is noticed wherever it is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(WHOLE.length), fc.nat(255), fc.boolean(), async (at, value, insert) => {
        const rest = WHOLE.subarray(insert ? at : at + 1)
        const file = Buffer.concat([WHOLE.subarray(0, at), Buffer.from(insert ? [value] : []), rest])
        if (!file.equals(WHOLE)) expect(HARMLESS.has(await outcome(file)), String(at)).toBe(false)
      }),
      { numRuns: 1000 },
    )
  }, 120_000)

  it('LED-16 is noticed when the file ends early', async () => {
    for (let end = 0; end < WHOLE.length; end += 13)
      expect(await outcome(WHOLE.subarray(0, end))).toMatch(/^BUNDLE_/)
  })
})
