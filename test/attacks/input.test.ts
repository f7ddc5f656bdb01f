// Input that no home ever wrote. It may be refused when it is read or fail when it is verified; it may neither pass
// nor bring the verifier down, and what was verified is as it was before.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { extract, wholeBundle } from '../../src/clerk/extract.ts'
import type { Bundle } from '../../src/ledger/bundle/bundle.ts'
import { BundleReader, bundleLines } from '../../src/ledger/bundle/lines.ts'
import { utf8 } from '../../src/ledger/bytes.ts'
import { type Json, parseCanonical } from '../../src/ledger/canonical.ts'
import { WitanError } from '../../src/ledger/errors.ts'
import { eventHash, payloadHash, type SealedEvent } from '../../src/ledger/event.ts'
import { sha256 } from '../../src/stores/digest.ts'
import { openSqliteStore } from '../../src/stores/sqlite.ts'
import { namedKey } from '../support/ports.ts'
import {
  AT,
  actor,
  atHome,
  changedEvent,
  events,
  headerOf,
  judge,
  openForgery,
  openScene,
  signEvent,
  smuggle,
  withEvent,
  withEvents,
  withSection,
} from '../support/tamper.ts'
import { check, checkFile, faults, toFile } from '../support/verification.ts'

/** The event with these bytes as payload, committed to and signed as if a faulty writer had made it. */
function carrying(event: SealedEvent, payload: string, by: string): SealedEvent {
  const bytes = utf8(payload)
  const salt = event.salt ?? new Uint8Array(16)
  const header = { payload_hash: payloadHash(sha256, salt, bytes) }
  return { ...changedEvent({ ...event, payload: null }, { header, signer: namedKey(by) }), payload: bytes }
}

const reread = (bundle: Bundle): Bundle => {
  const reader = new BundleReader()
  for (const line of bundleLines(bundle)) reader.take(utf8(line))
  return reader.finish()
}

describe('a payload that no encoder would write', () => {
  const deep = (levels: number): string => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`
  const cases: Readonly<Record<string, string>> = {
    'is not JSON': 'text',
    'is a list': '[]',
    'has spaces': '{"a": 1}',
    'has a key twice': '{"a":1,"a":2}',
    'has keys out of order': '{"b":1,"a":2}',
    'holds an integer that doubles cannot hold': '{"a":9007199254740993}',
    'holds an integer beyond the safe ones, in its canonical form': '{"a":9007199254740992}',
    'is nested 300 levels deep': deep(300),
    'is nested 100,000 levels deep': deep(100_000),
    'is larger than a payload may be': `{"a":"${'x'.repeat(1 << 20)}"}`,
    'has artifacts that are no list': '{"artifacts":{}}',
    'has artifacts without a hash': '{"artifacts":[{"name":"x"}]}',
    'has null among its artifacts': '{"artifacts":[null]}',
    'has a negative zero': '{"a":-0}',
  }
  for (const [name, payload] of Object.entries(cases)) {
    it(`LED-5 ${name}`, async () => {
      const scene = await openScene(AT.intent)
      const bundle = withEvent(await atHome(scene), 'main', AT.answer, (e) => carrying(e, payload, 'sam'))
      expect(faults(judge(bundle, scene.trust))).toEqual(['SCHEMA_INVALID 2'])
    })
  }

  it('LED-5 carries names of the language itself as plain data', async () => {
    const scene = await openScene(AT.asked)
    const payload = parseCanonical(
      utf8(
        '{"__proto__":{"artifacts":[{}],"seats":["x"]},"constructor":{"prototype":{"polluted":1}},"seats":["a"]}',
      ),
    ) as { [name: string]: Json }
    await smuggle(scene, scene.trace, { type: 'errand_opened', actor: actor('paula', 'planner'), payload })
    const report = judge(await atHome(scene), scene.trust)
    expect(faults(report)).toEqual(['ORDER_VIOLATION 1'])
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
    expect(reread(await atHome(scene)).main.events[1]?.event.payload).toEqual(
      utf8(
        '{"__proto__":{"artifacts":[{}],"seats":["x"]},"constructor":{"prototype":{"polluted":1}},"seats":["a"]}',
      ),
    )
  })
})

describe('a registry that no registrar would write', () => {
  const registrar = { agent: 'registrar', role: 'registrar', key: namedKey('forged registrar').id }

  it('LED-16 has events of inherited names, which are no shapes of it', async () => {
    const forged = await openForgery(AT.asked)
    const payload = { trace: forged.trace, size: 1, note: 1 }
    await smuggle(forged, forged.registrar.trace, { type: 'constructor', actor: registrar, payload })
    const last = (await events(forged.store, forged.registrar.trace)).length - 1
    for (const trace of [forged.trace, forged.registrar.trace]) {
      const report = judge(await wholeBundle(forged.store, trace), forged.trust)
      expect(faults(report)).toEqual([`SCHEMA_INVALID ${last}`])
    }
  })

  it('VER-8 registers a key of low order, with which anyone could sign', async () => {
    const forged = await openForgery(AT.asked)
    const low = new Uint8Array(32).fill(0)
    const { keyId } = await import('../../src/ledger/signing.ts')
    const key = { id: keyId(sha256, low), public_key: '00'.repeat(32), agent: 'low', roles: ['planner'] }
    const [event] = await smuggle(forged, forged.registrar.trace, {
      type: 'key_registered',
      actor: registrar,
      payload: { key },
    })
    const trace = forged.ports.newTrace()
    const draft = { type: 'errand_opened', actor: { agent: 'low', role: 'planner', key: key.id } }
    await smuggle(forged, trace, { ...draft, payload: { seats: ['a'] }, signer: namedKey('forged sam') })
    const sealed = (await events(forged.store, trace)).map((e) => ({ ...e, signature: new Uint8Array(64) }))
    const bundle = withEvents(await wholeBundle(forged.store, trace), 'main', sealed)
    expect(faults(judge(bundle, forged.trust))).toEqual([
      `SCHEMA_INVALID ${headerOf(event).seq}`,
      'SIG_INVALID 0',
    ])
  })

  it('VER-3 is of another protocol, or given as single events without being replayed', async () => {
    const scene = await openScene(AT.claim)
    const home = await atHome(scene)
    expect(judge({ ...home, registry: home.main }, scene.trust).status).toBe('fail')
    const sparse = { ...(await extract(scene.kit, scene.trace)).registry, positions: [] }
    const alone: Bundle = { ...home, trace: sparse.trace, registry: sparse, main: sparse }
    expect(faults(judge(alone, scene.trust))).toEqual([])
    const rogue = { type: 'key_registered', actor: { ...actor('sam', 'seat') }, payload: {} }
    await smuggle(scene, scene.registrar.trace, rogue)
    const section = (await extract(scene.kit, scene.trace)).registry
    const report = judge({ ...alone, registry: section, main: section }, scene.trust)
    expect(faults(report)).toEqual([`SCHEMA_INVALID ${scene.registrar.log.size - 1}`])
  })
})

describe('a checkpoint that no registrar would make', () => {
  it('LED-12 has lines of other signers beside the one that counts', async () => {
    const scene = await openScene(AT.claim)
    const bundle = await extract(scene.kit, scene.trace)
    const line = `— witness.example ${Buffer.alloc(68, 1).toString('base64')}\n`
    const cosigned = withSection(bundle, 'main', (s) => ({ ...s, checkpoint: `${s.checkpoint}${line}` }))
    expect(faults(judge(cosigned, scene.trust))).toEqual([])
    const only = withSection(bundle, 'main', (s) => ({
      ...s,
      checkpoint: `${s.checkpoint?.split('\n— ')[0]}\n${line}`,
    }))
    expect(faults(judge(only, scene.trust))).toEqual(['CHECKPOINT_INCONSISTENT'])
    const text = withSection(bundle, 'main', (s) => ({ ...s, checkpoint: 'not a note' }))
    expect(faults(judge(text, scene.trust))).toEqual(['CHECKPOINT_INCONSISTENT'])
  })

  it('LED-12 is the right one of another trace, or of none here', async () => {
    const scene = await openScene(AT.claim)
    const bundle = await extract(scene.kit, scene.trace)
    const other = withSection(bundle, 'main', (s) => ({ ...s, checkpoint: bundle.registry.checkpoint }))
    expect(faults(judge(other, scene.trust))).toEqual(['CHECKPOINT_INCONSISTENT'])
    const bare = withSection(bundle, 'registry', (s) => ({ ...s, checkpoint: null }))
    expect(judge(bare, scene.trust).status).toBe('fail')
  })
})

describe('a bundle that is wrong all over', () => {
  it('VER-4 gives one failure for each of 10,000 bad events, and no more', async () => {
    const scene = await openScene(AT.asked)
    const [first] = await events(scene.store, scene.trace)
    if (!first) throw new Error('no event')
    const many = Array.from({ length: 10_000 }, () => ({ ...first, hash: 'f'.repeat(64) }))
    const report = judge(withEvents(await atHome(scene), 'main', many), scene.trust)
    expect(report.failures.length).toBe(10_000)
    expect(new Set(faults(report))).toEqual(new Set(['HASH_MISMATCH 0']))
  })

  it('VER-4 repeats no megabyte at every event', async () => {
    const scene = await openScene()
    const reason = `${'x'.repeat(480)}${'😀'.repeat(200_000)}`
    const key = scene.registrar.log.state.keys.get(namedKey('sam').id)
    if (!key) throw new Error('no key of sam')
    await scene.registrar.revoke(key, reason, 0)
    const { failures } = judge(await atHome(scene), scene.trust)
    const [{ message } = { message: '' }] = failures.filter(({ code }) => code === 'KEY_REVOKED')
    expect(message).toContain('key was revoked')
    expect(message.length).toBeLessThan(600)
    expect(message.isWellFormed()).toBe(true)
  })

  it('LED-16 is read with a code or verified with a report, no matter what stands in it', async () => {
    const scene = await openScene()
    const lines = [...bundleLines(await extract(scene.kit, scene.trace))]
    const values = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom('', 'f'.repeat(64), -1, 0.5, 2 ** 53, null, [], {}),
    )
    const spoil = (value: Json, path: readonly number[], to: Json): Json => {
      const [step, ...rest] = path
      if (step === undefined || typeof value !== 'object' || value === null) return to
      if (Array.isArray(value))
        return value.map((v, i) => (i === step % value.length ? spoil(v, rest, to) : v))
      const names = Object.keys(value)
      const name = names[step % names.length]
      const object = value as { [name: string]: Json }
      return name === undefined ? to : { ...object, [name]: spoil(object[name] as Json, rest, to) }
    }
    const { canonicalize } = await import('../../src/ledger/canonical.ts')
    let read = 0
    fc.assert(
      fc.property(fc.nat(lines.length - 1), fc.array(fc.nat(), { maxLength: 4 }), values, (at, path, to) => {
        const reader = new BundleReader()
        try {
          lines.forEach((line, i) => {
            const value = parseCanonical(utf8(line)) as Json
            reader.take(utf8(i === at ? canonicalize(spoil(value, path, to as Json)) : line))
          })
          const report = judge(reader.finish(), scene.trust)
          read++
          expect(['pass', 'pass-with-warnings', 'fail']).toContain(report.status)
        } catch (error) {
          if (!(error instanceof WitanError)) throw error
        }
      }),
      { numRuns: 400 },
    )
    expect(read).toBeGreaterThan(20)
  })

  it('VER-1 has hashes that are none, as a broken store could hold them', async () => {
    const scene = await openScene(AT.intent)
    const home = await atHome(scene)
    for (const part of ['main', 'registry'] as const) {
      const bundle = withEvent(home, part, 1, (event) => ({ ...event, hash: 'no hash' }))
      const report = judge(bundle, scene.trust)
      expect(faults(report)).toContain('HASH_MISMATCH 1')
    }
  })

  it('LED-16 calls itself a bundle of a later version in so many words', () => {
    const take = (text: string): WitanError => {
      try {
        new BundleReader().take(utf8(text))
      } catch (error) {
        if (error instanceof WitanError) return error
      }
      throw new Error('nothing was refused')
    }
    const newer = take('{"witan":"bundle/2"}')
    expect([newer.code, newer.message.includes('bundle/2')]).toEqual(['BUNDLE_FOREIGN', true])
    expect(take('{"witan":"bundle/\\u001b[2J"}').message).not.toContain('\u001b')
  })
})

describe('a verifier', () => {
  it('VER-1 leaves the bytes of a bundle as they were', async () => {
    const scene = await openScene()
    const file = await toFile(await extract(scene.kit, scene.trace), scene.store)
    const before = Buffer.from(file)
    const first = await checkFile(file, scene.trust)
    expect(await checkFile(file, scene.trust)).toStrictEqual(first)
    expect(file.equals(before)).toBe(true)
  })

  it('VER-1 leaves a home in SQLite as it was, also when it fails', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'witan-attacks-'))
    try {
      const store = await openSqliteStore({ directory })
      const scene = await openScene(AT.claim, store)
      await store.close()
      const files = () =>
        readdirSync(directory, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name))
          .filter((path) => !path.endsWith('-shm'))
          .sort()
          .map((path) => [path, readFileSync(path).toString('base64')])
      const before = files()
      const reading = await openSqliteStore({ directory, readonly: true })
      const bundle = await wholeBundle(reading, scene.trace)
      expect((await check(bundle, reading, scene.trust)).status).toBe('pass')
      const forged = withEvent(bundle, 'main', AT.answer, (event) => ({
        ...event,
        hash: eventHash(sha256, event.payload ?? new Uint8Array()),
        signature: signEvent(namedKey('stranger'), event.header),
      }))
      expect((await check(forged, reading, scene.trust)).status).toBe('fail')
      await reading.close()
      expect(files().filter(([path]) => !path?.endsWith('-wal'))).toEqual(
        before.filter(([path]) => !path?.endsWith('-wal')),
      )
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  })
})
