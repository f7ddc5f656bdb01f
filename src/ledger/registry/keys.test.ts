// Whether a key counts: by the position that a header names, by what revocations recorded, never by a claimed time.

import { describe, expect, it } from 'vitest'
import type { Header } from '../event.ts'
import { KeyTable } from './key-table.ts'
import { type HashAt, judgeKey } from './keys.ts'
import type { KeyRecord, RegistryState, Revocation } from './registry.ts'

const REGISTRY = '01KE0000000000000000000000'
const TRACE = '01KE0000000000000000000001'
const KEY = 'a'.repeat(64)
const HEAD = 'e'.repeat(64)

const record: KeyRecord = {
  id: KEY,
  public_key: 'b'.repeat(64),
  agent: 'sam',
  roles: ['seat', 'chair'],
  registered: 2,
  rotated: null,
  revoked: null,
}

function header(position: number, changed: Partial<Header> = {}): Header {
  return {
    v: 1,
    protocol: 'errand/1',
    trace: TRACE,
    seq: 4,
    at: '2026-01-01T00:00:00.000Z',
    type: 'answer_given',
    actor: { agent: 'sam', role: 'seat', key: KEY },
    prev: 'c'.repeat(64),
    payload_hash: 'd'.repeat(64),
    registry: { size: position, hash: 'f'.repeat(64) },
    ...changed,
  }
}

function registry(
  key: Partial<KeyRecord>,
  checkpoints: readonly [seq: number, size: number][] = [],
): RegistryState {
  return {
    registry: REGISTRY,
    registrars: ['9'.repeat(64)],
    keys: KeyTable.empty<KeyRecord>().with({ ...record, ...key }),
    redactions: null,
    checkpoints: checkpoints.reduce<RegistryState['checkpoints']>(
      (rest, [seq, size]) => ({ item: { seq, size, trace: TRACE, note: '' }, rest }),
      null,
    ),
  }
}

const unknownHash: HashAt = () => undefined
const judge = (state: RegistryState, at: Header, hashAt: HashAt = unknownHash): string | null =>
  judgeKey(state, at, hashAt)?.code ?? null

const revocation = (changed: Partial<Revocation> = {}): { revoked: Revocation } => ({
  revoked: {
    seq: 9,
    reason: 'lost',
    heads: [],
    compromisedSince: null,
    retired: false,
    before: null,
    ...changed,
  },
})
const heads = (size: number) => [{ trace: TRACE, size, hash: HEAD }]

describe('a key', () => {
  it('LED-10 counts from its registration, if the named position holds it', () => {
    expect([1, 2, 3, 4].map((position) => judge(registry({}), header(position)))).toEqual([
      'KEY_UNKNOWN',
      'KEY_UNKNOWN',
      null,
      null,
    ])
    const other = header(5, { actor: { agent: 'sam', role: 'seat', key: '0'.repeat(64) } })
    expect(judge(registry({}), other)).toBe('KEY_UNKNOWN')
  })

  it('LED-10 may sign the opening of the registry that registers it, and nothing else so early', () => {
    const opening = { registered: 0, agent: 'registrar', roles: ['registrar'] }
    const actor = { agent: 'registrar', role: 'registrar', key: KEY }
    expect(judge(registry(opening), header(0, { trace: REGISTRY, seq: 0, actor }))).toBe(null)
    expect(judge(registry(opening), header(0, { seq: 0, actor }))).toBe('KEY_UNKNOWN')
    expect(
      judge(registry({ ...opening, registered: 1 }), header(1, { trace: REGISTRY, seq: 1, actor })),
    ).toBe('KEY_UNKNOWN')
  })

  it('LED-11 belongs to its agent and its roles', () => {
    const as = (agent: string, role: string) =>
      judge(registry({}), header(5, { actor: { agent, role, key: KEY } }))
    expect([as('sam', 'seat'), as('sam', 'chair')]).toEqual([null, null])
    expect([as('sam', 'critic'), as('eve', 'seat'), as('eve', 'critic')]).toEqual([
      'KEY_ROLE_MISMATCH',
      'KEY_ROLE_MISMATCH',
      'KEY_ROLE_MISMATCH',
    ])
  })

  it('LED-10 does not count at positions after its rotation, and still counts before', () => {
    const state = registry({ rotated: 6 })
    expect([5, 6, 7, 8].map((position) => judge(state, header(position)))).toEqual([
      null,
      null,
      'KEY_REVOKED',
      'KEY_REVOKED',
    ])
  })

  it('LED-10 that was revoked counts up to the recorded head, for any claimed position', () => {
    const state = registry(revocation({ heads: heads(5) }))
    const hashAt: HashAt = (seq) => (seq === 4 ? HEAD : null)
    for (const position of [3, 9, 10, 50]) {
      expect(judge(state, header(position, { seq: 4 }), hashAt)).toBe(null)
      expect(judge(state, header(position, { seq: 5 }), hashAt)).toBe('KEY_REVOKED')
    }
  })

  it('LED-10 does not count if the recorded head differs from the actual one', () => {
    const state = registry(revocation({ heads: heads(5) }))
    expect(judge(state, header(3, { seq: 1 }), () => 'd'.repeat(64))).toBe('KEY_REVOKED')
    expect(judge(state, header(3, { seq: 1 }), () => null)).toBe('KEY_REVOKED')
    expect(judge(state, header(3, { seq: 1 }), () => undefined)).toBe(null)
  })

  it('LED-10 counts in an unlisted trace only as far as a checkpoint was recorded before the revocation', () => {
    const state = (...checkpoints: [number, number][]) => registry(revocation(), checkpoints)
    expect(judge(state(), header(3))).toBe('KEY_REVOKED')
    expect(judge(state([8, 5]), header(3))).toBe(null)
    expect(judge(state([8, 4]), header(3))).toBe('KEY_REVOKED')
    expect(judge(state([9, 5]), header(3))).toBe('KEY_REVOKED')
    expect(judge(state([10, 99]), header(3))).toBe('KEY_REVOKED')
    expect(judge(state([8, 5]), header(3, { trace: REGISTRY }))).toBe('KEY_REVOKED')
  })

  it('LED-10 compromised since a position counts only under checkpoints recorded before it', () => {
    const state = (...checkpoints: [number, number][]) =>
      registry(revocation({ heads: heads(99), compromisedSince: 6 }), checkpoints)
    const hashAt: HashAt = () => HEAD
    expect(judge(state(), header(3), hashAt)).toBe('KEY_REVOKED')
    expect(judge(state([5, 5]), header(3), hashAt)).toBe(null)
    expect(judge(state([6, 5]), header(3), hashAt)).toBe('KEY_REVOKED')
  })

  it('LED-10 is not judged by the time an event claims', () => {
    const state = registry(revocation())
    for (const at of ['0001-01-01T00:00:00.000Z', '9999-01-01T00:00:00.000Z'])
      expect(judge(state, header(3, { at }))).toBe('KEY_REVOKED')
  })
})
