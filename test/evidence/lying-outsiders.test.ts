// Authorities and witnesses that lie: each answer is refused with a reason, nothing of it is recorded, and the next honest
// answer is taken as if they had never lied.

import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { attestTrace } from '../../src/app/attest/attest-trace.ts'
import { newHome, type Where, witan } from '../doors/command.ts'
import { startAuthority, type TestAuthority } from '../support/authority.ts'
import { collectGarbage } from '../support/garbage.ts'
import { startWitness, type TestWitness } from '../support/witness.ts'

const missing = inject('missingPrograms')

let where: Where & { readonly cwd: string }
const settle = (text: string): void => writeFileSync(join(where.home, 'config.yaml'), text)

const attest = () => attestTrace({ directory: where.home }, 'last')

/** How long the registry is, and that all of it holds. */
async function registrySize(): Promise<number> {
  const { stdout, code } = await witan(where, 'verify', 'registry', '--json')
  expect(code, stdout).toBe(0)
  return JSON.parse(stdout).size
}

beforeAll(async () => {
  if (missing.length > 0) return
  where = await newHome()
  settle('# nobody\n')
  await witan(where, 'ask', 'Shall we?', '--seats', 'embedded')
})

describe.skipIf(missing.length > 0)('an authority that lies', () => {
  let authority: TestAuthority
  beforeAll(async () => {
    authority = await startAuthority()
    writeFileSync(join(where.home, 'tsa.pem'), authority.pem)
    settle(`timestamps: [{name: time.test, url: "${authority.url}", certificate: tsa.pem}]\n`)
  })
  afterAll(() => authority?.close())

  it('VER-12 is refused with a reason, and nothing it said is kept', async () => {
    const changed = (bytes: Buffer, from: number) => {
      const copy = Buffer.from(bytes)
      copy[from] = (copy[from] ?? 0) ^ 1
      return copy
    }
    // The query is SEQUENCE { version, SEQUENCE { algorithm, imprint }, nonce, TRUE }: the imprint ends before the nonce.
    const imprintEnd = (query: Buffer): number => query.length - 3 - 10 - 1
    const nonceEnd = (query: Buffer): number => query.length - 3 - 1
    const earlier: { stamp?: Buffer } = {}
    const lies: Readonly<Record<string, readonly [(query: Buffer) => Buffer, RegExp]>> = {
      'another nonce': [(query) => authority.stamp(changed(query, nonceEnd(query))), /of another request/],
      'another hash': [(query) => authority.stamp(changed(query, imprintEnd(query))), /of something else/],
      'its signature changed': [
        (query) => {
          const stamp = authority.stamp(query)
          earlier.stamp = stamp
          return changed(stamp, stamp.length - 1)
        },
        /signature does not fit/,
      ],
      'an answer of before': [() => earlier.stamp ?? Buffer.alloc(0), /of another request/],
      'cut in the middle': [(query) => authority.stamp(query).subarray(0, 400), /no timestamp/],
      refusal: [() => Buffer.from('30053003020102', 'hex'), /refused/],
      garbage: [() => Buffer.from('<html>It works!</html>'), /no timestamp/],
      nothing: [() => Buffer.alloc(0), /no timestamp/],
    }
    expect((await attest()).failed).toEqual([])
    const ask = () => witan(where, 'ask', 'Shall we?', '--seats', 'embedded')
    authority.answerWith({ status: 500, body: Buffer.alloc(0) })
    await ask()
    const before = await registrySize()
    for (const [what, [lie, why]] of Object.entries(lies)) {
      authority.answerWith((query) => ({ status: 200, body: lie(query) }))
      const { timestamps, failed } = await attest()
      expect([what, timestamps, failed]).toEqual([
        what,
        [],
        [{ by: 'time.test', why: expect.stringMatching(why) }],
      ])
    }
    expect(await registrySize()).toBe(before)
    authority.answerWith(null)
    expect(await attest()).toMatchObject({ timestamps: [{ by: 'time.test' }], failed: [] })
  })

  it('VER-12 is given up when its answer never ends, whenever garbage is collected', async () => {
    const dripping = createServer((incoming, response) => {
      incoming.resume()
      response.write('x')
    })
    await new Promise<void>((resolve) => dripping.listen(0, '127.0.0.1', resolve))
    const { port } = dripping.address() as AddressInfo
    settle(`timestamps: [{name: slow.test, url: "http://127.0.0.1:${port}", certificate: tsa.pem}]\n`)
    const timeout = AbortSignal.timeout.bind(AbortSignal)
    const spy = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(ms / 20))
    const stopCollecting = collectGarbage(100)
    try {
      expect((await attest()).failed).toEqual([{ by: 'slow.test', why: 'it did not answer within 10 s' }])
    } finally {
      stopCollecting()
      spy.mockRestore()
      dripping.closeAllConnections()
      dripping.close()
    }
  })

  it('VER-12 is refused where its certificate had ended by then, and says that', async () => {
    await witan(where, 'ask', 'Shall we?', '--seats', 'embedded')
    const expired = await startAuthority('ec', -1)
    try {
      writeFileSync(join(where.home, 'expired.pem'), expired.pem)
      settle(`timestamps: [{name: old.test, url: "${expired.url}", certificate: expired.pem}]\n`)
      expect((await attest()).failed).toEqual([
        { by: 'old.test', why: expect.stringContaining('its certificate was not valid then') },
      ])
    } finally {
      expired.close()
    }
  })
})

describe.skipIf(missing.length > 0)('a witness that lies', () => {
  let honest: TestWitness
  let liar: Server
  let answer: (body: string) => Promise<{ status: number; body: string }>
  beforeAll(async () => {
    honest = await startWitness(readFileSync(join(where.home, 'registry.vkey'), 'utf8'))
    liar = createServer(async (incoming, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of incoming) chunks.push(chunk)
      const { status, body } = await answer(Buffer.concat(chunks).toString())
      response.writeHead(status, { 'content-type': 'text/x.tlog.size' }).end(body)
    })
    await new Promise<void>((resolve) => liar.listen(0, '127.0.0.1', resolve))
    const { port } = liar.address() as AddressInfo
    settle(`witnesses: [{url: "http://127.0.0.1:${port}", key: "${honest.vkey}"}]\n`)
  })
  afterAll(() => {
    honest?.close()
    liar?.close()
    liar?.closeAllConnections()
  })

  it('VER-12 is refused with a reason, and nothing it said is kept', async () => {
    const truly = async (body: string) => {
      const response = await fetch(`${honest.url}/add-checkpoint`, { method: 'POST', body })
      return { status: response.status, body: await response.text() }
    }
    const bytesChanged = (line: string, at: number): string => {
      const [dash, name, base64 = ''] = line.trim().split(' ')
      const bytes = Buffer.from(base64, 'base64')
      bytes[at] = (bytes[at] ?? 0) ^ 1
      return `${dash} ${name} ${bytes.toString('base64')}\n`
    }
    const given: { line?: string } = {}
    const lies: Readonly<Record<string, readonly [typeof answer, RegExp]>> = {
      'a cosignature of another time': [
        async (body) => {
          const { body: line } = await truly(body)
          honest.forget()
          given.line = line
          return { status: 200, body: bytesChanged(line, 11) }
        },
        /does not fit the checkpoint/,
      ],
      'another signature': [
        async () => ({ status: 200, body: bytesChanged(given.line ?? '', 40) }),
        /does not fit/,
      ],
      'a line under another key': [
        async () => ({ status: 200, body: bytesChanged(given.line ?? '', 0) }),
        /no cosignature by the key/,
      ],
      'a line under another name': [
        async () => ({ status: 200, body: (given.line ?? '').replace('witness.example', 'other.example') }),
        /no cosignature by the key/,
      ],
      'a line of words': [async () => ({ status: 200, body: 'all is well\n' }), /no cosignature|not/],
      nothing: [async () => ({ status: 200, body: '' }), /no cosignature|not/],
      'a history longer than ours': [
        async () => ({ status: 409, body: '900719925474\n' }),
        /it saw 900719925474 events/,
      ],
      'another size each time': [
        async (body) => ({ status: 409, body: body.startsWith('old 1\n') ? '2\n' : '1\n' }),
        /another size each time/,
      ],
      'a size that is none': [async () => ({ status: 409, body: '-1\n' }), /it answered 409/],
      'more than an answer': [async () => ({ status: 200, body: 'x'.repeat(100_000) }), /more than 64 KiB/],
    }
    const before = await registrySize()
    for (const [what, [lie, why]] of Object.entries(lies)) {
      answer = lie
      const { witnesses, failed } = await attest()
      expect([what, witnesses, failed]).toEqual([
        what,
        [],
        [{ by: 'witness.example/w1', why: expect.stringMatching(why) }],
      ])
    }
    expect(await registrySize()).toBe(before)
    answer = truly
    expect(await attest()).toMatchObject({ witnesses: [{ by: 'witness.example/w1' }], failed: [] })
  })
})
