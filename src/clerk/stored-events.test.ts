// What a clerk relies on of the bytes in a store that anyone may have written to.

import { describe, expect, it } from 'vitest'
import { makeChain, makeTrace, testKey } from '../../test/support/events.ts'
import { testPorts } from '../../test/support/ports.ts'
import { toHex, utf8 } from '../ledger/bytes.ts'
import { type Header, readHeader, type SealedEvent } from '../ledger/event.ts'
import { KeyTable } from '../ledger/registry/key-table.ts'
import type { KeyRecord, RegistryState } from '../ledger/registry/registry.ts'
import { sha256 } from '../stores/digest.ts'
import { MemoryStore } from '../stores/memory.ts'
import { keyFlaw, signatureFlaw } from './reliance/reliance.ts'
import { readStored } from './stored-events.ts'

const trace = makeTrace()
const [first, second] = makeChain({ trace, count: 2 }) as [SealedEvent, SealedEvent]
const slot = { trace, size: 1, hash: first.hash }
const read = (change: Partial<SealedEvent> = {}, at: Partial<typeof slot> = {}) =>
  readStored(sha256, { ...second, ...change }, { ...slot, ...at })
const headerOf = (event: SealedEvent): Header => readHeader(event.header) as Header

describe('an event read from a store', () => {
  it('LED-4 is read as it was signed, without a fault', () => {
    const { header, occurrence, flaw } = read()
    expect(flaw).toBe(null)
    expect(header).toEqual(headerOf(second))
    const { at, type, actor } = header
    expect(occurrence).toEqual({
      trace,
      seq: 1,
      at,
      type,
      actor,
      hash: second.hash,
      payload: { text: 'event 1' },
    })
  })

  it('LED-14 may be without its payload', () => {
    const { occurrence, flaw } = read({ payload: null, salt: null })
    expect([occurrence.payload, flaw]).toEqual([null, null])
  })

  it.each([
    ['after another event', {}, { hash: 'a'.repeat(64) }, 'does not follow'],
    ['under another hash', { hash: 'a'.repeat(64) }, {}, 'header was changed'],
    ['with another payload', { payload: utf8('{"text":"event 2"}') }, {}, 'payload was changed'],
    ['with another salt', { salt: new Uint8Array(16) }, {}, 'payload was changed'],
    ['with a payload where one was erased', { salt: null }, {}, 'only be absent together'],
    ['with the salt of an erased payload', { payload: null }, {}, 'only be absent together'],
  ])('LED-2 is not trusted %s', (_, change, at, message) => {
    expect(read(change, at).flaw).toContain(message)
  })

  it.each([
    ['header', { header: utf8('{}') }, {}],
    ['payload', { payload: utf8('{') }, {}],
    ['trace', {}, { trace: makeTrace() }],
    ['place', {}, { size: 2 }],
  ])('LED-16 stops everything if it has another %s than can be read there', (_, change, at) => {
    expect(() => read(change, at)).toThrowError(expect.objectContaining({ code: 'VAULT_CORRUPT' }))
  })

  it('LED-3 LED-11 is signed by a key that the registry knows for its agent and role', () => {
    const ports = testPorts(new MemoryStore())
    const header = headerOf(second)
    const key: KeyRecord = {
      id: testKey.id,
      public_key: toHex(testKey.publicKey),
      agent: header.actor.agent,
      roles: [header.actor.role],
      registered: -1,
      rotated: null,
      revoked: null,
    }
    const knowing = (...keys: KeyRecord[]): RegistryState => ({
      registry: makeTrace(),
      registrars: [],
      keys: keys.reduce((table, known) => table.with(known), KeyTable.empty<KeyRecord>()),
      redactions: null,
      checkpoints: null,
    })
    const flawOf = (state: RegistryState, event: SealedEvent) => signatureFlaw(ports, state, event, header)
    expect(flawOf(knowing(key), second)).toBe(null)
    expect(flawOf(knowing(), second)).toContain('not in the registry')
    expect(flawOf(knowing(key), { ...second, signature: first.signature })).toContain('does not verify')
    expect(keyFlaw(knowing(key), header)).toBe(null)
    expect(keyFlaw(knowing(), header)).toContain('not in the registry')
    expect(keyFlaw(knowing({ ...key, roles: ['seat'] }), header)).toContain('used as')
  })
})
