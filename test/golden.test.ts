// The golden bundles are files of a released format: making them again gives the same bytes, and they verify today
// as they did when they were made. Every value that someone else could compute is a literal here.

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { canonicalize } from '../src/ledger/canonical.ts'
import { eventHash, readHeader } from '../src/ledger/event.ts'
import { type Report, reportDigest } from '../src/ledger/verify/report.ts'
import { sha256 } from '../src/stores/digest.ts'
import { makeGolden } from './support/tamper-golden.ts'
import { checkFile, faults } from './support/verification.ts'

const vector = (name: string): Buffer => readFileSync(new URL(`../spec/vectors/${name}`, import.meta.url))
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const trust = {
  keys: ['7f695abb4cc8d6eab29121fb9c62395c1a3aef802539783a770687a183864f7a'],
  checkpoints: [],
}
const FIRST_HEADER =
  '{"actor":{"agent":"paula","key":"167d7d9e70d19ea3878a954d3b28825e974aa0fc4c05cb6c3769c92f12cb17' +
  '59","role":"planner"},"at":"2026-03-01T00:00:07.000Z","payload_hash":"c21a54c344f4ae422352f0fe0' +
  '57339b098382c1d1ef4018b2a6adb715beea020","prev":"0000000000000000000000000000000000000000000000' +
  '000000000000000000","protocol":"errand/1","registry":{"hash":"33e52f44137518555eb1a74503bd2badb' +
  '47608bfbecb8d50dd50ec00215dda1f","size":7},"seq":0,"trace":"01KGD0000000000000000000T1","type":' +
  '"errand_opened","v":1}'
const FIRST_HASH = 'eb88f16351d072b71228d7c24939f4b21b68e0c0efcca2ab762cb7ee0c55fe88'
const FIRST_SIGNATURE =
  '02000d26c041961270712a6d5f39699fca5797754ebe4ce847e90e666697e614' +
  '60d763052710781c6faf24dc5f68b7ea660e743c23b7e97588bd3e37aa13ac0f'
const WHOLE_FILE = '4325514f2b0f264fc8d5c5d4e1ef60962ee976714444b6c7ba83bf5bc151f679'
const FORK_FILE = '8addbcb44f6c2d4105e7289ab7fe857a1737b3ac150398f1ee8c9c4f438c3e9c'
const CHECKPOINT_FILE = 'a1688322ae923d5fe2981b88b1da02673972c26f4b9a121792ba46385ee0f1d6'
const WHOLE_REPORT = 'aa35fec6bdb1ce3e8faab838c9ff1df2955701bd20ad8e34e0e521060c527593'
const FORK_REPORT = '28af5d65463a03e0c4a93e4c936bd9d5ecb50e0847334d87aa57894642e36c9a'

const digest = (report: Report): string => reportDigest(sha256, report)

describe('the golden trace', () => {
  it('LED-4 has this first header, to the byte, and this hash of it', () => {
    const line = vector('golden.witan')
      .toString()
      .split('\n')
      .find((text) => text.includes('errand_opened'))
    const { event, hash, signature } = JSON.parse(line ?? '{}')
    expect(event).toBe(FIRST_HEADER)
    expect(hash).toBe(FIRST_HASH)
    expect(signature).toBe(FIRST_SIGNATURE)
    expect(eventHash(sha256, Buffer.from(event))).toBe(hash)
    expect(canonicalize(readHeader(Buffer.from(event)))).toBe(event)
  })

  it('LED-4 is made again with the same bytes', async () => {
    const golden = await makeGolden()
    expect(golden.whole.equals(vector('golden.witan'))).toBe(true)
    expect(golden.fork.equals(vector('golden-fork.witan'))).toBe(true)
    expect(golden.checkpoint).toBe(vector('golden.checkpoint').toString())
    expect(golden.trust).toEqual(trust)
  })

  it('VER-7 lies in files with these digests', () => {
    expect(hex(sha256(vector('golden.witan')))).toBe(WHOLE_FILE)
    expect(hex(sha256(vector('golden-fork.witan')))).toBe(FORK_FILE)
    expect(hex(sha256(vector('golden.checkpoint')))).toBe(CHECKPOINT_FILE)
  })

  it('VER-6 verifies, with its head, root and size named', async () => {
    const report = await checkFile(vector('golden.witan'), trust)
    expect(faults(report)).toEqual([])
    expect(report).toMatchObject({
      status: 'pass',
      trace: '01KGD0000000000000000000T1',
      protocol: 'errand/1',
      size: 9,
      head: '1106051aefea7a87b19af3e21cead1144a9f76478b73f559eec684d8b33d6fea',
      root: 'e9f18b0e95a34b3002d276d7228e4a050693665f3665874f57f31eb9fca68526',
      trusted_by: 'key',
      truncation_excluded_to: null,
    })
  })

  it('LED-13 is known to be whole by the one who kept its checkpoint', async () => {
    const held = { keys: [], checkpoints: [vector('golden.checkpoint').toString()] }
    const report = await checkFile(vector('golden.witan'), held)
    expect(report).toMatchObject({ status: 'pass', trusted_by: 'checkpoint', truncation_excluded_to: 9 })
  })

  it('LED-15 verifies as a fork on a parent of which something was erased', async () => {
    const report = await checkFile(vector('golden-fork.witan'), trust)
    expect(report).toMatchObject({
      status: 'pass-with-warnings',
      trace: '01KGD0000000000000000000T2',
      size: 5,
      head: '2643844e264c17cbe8e22a1ecc6d2cef7c3c8c45814ced1a9d426bcdbd072607',
      root: '3c1d072bf90ae331bd4d6fec28d40e06f04fe81ebc87a72dcc1e027adace1402',
    })
    expect(new Set(report.failures.map(({ code }) => code))).toEqual(new Set(['REDACTION_LIMITED']))
  })

  it('VER-1 gives the same report every time, and is not changed by being read', async () => {
    for (const [name, expected] of [
      ['golden.witan', WHOLE_REPORT],
      ['golden-fork.witan', FORK_REPORT],
    ] as const) {
      const file = vector(name)
      expect(digest(await checkFile(file, trust))).toBe(expected)
      expect(digest(await checkFile(file, trust))).toBe(expected)
      expect(file.equals(vector(name))).toBe(true)
    }
  })
})
