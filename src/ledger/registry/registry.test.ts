// The registry protocol, refusal by refusal: who may write, what has which shape, and which key may follow which.

import { describe, expect, it } from 'vitest'
import { namedKey } from '../../../test/support/ports.ts'
import type { Occurrence, Refusal } from '../../protocol.ts'
import { sha256 } from '../../stores/digest.ts'
import { toHex } from '../bytes.ts'
import { composeNote, noteSignature } from '../tree/checkpoint.ts'
import { count, EMPTY_TALLY, treeHeadText } from '../tree/tree-head.ts'
import { each, type RegistryState, registrarAt, registryProtocol } from './registry.ts'

const REGISTRY = '01KE0000000000000000000000'
const TRACE = '01KE0000000000000000000001'
const protocol = registryProtocol(sha256)

const binding = (name: string, agent: string, roles: readonly string[]) => {
  const key = namedKey(name)
  return { id: key.id, public_key: toHex(key.publicKey), agent, roles }
}

interface Saying {
  readonly type: string
  readonly payload: object
  readonly by?: string
  readonly role?: string
}

function occurrence(
  seq: number,
  { type, payload, by = 'registrar', role = 'registrar' }: Saying,
): Occurrence {
  const actor = { agent: 'registrar', role, key: namedKey(by).id }
  const at = '2026-01-01T00:00:00.000Z'
  return { trace: REGISTRY, seq, at, type, actor, hash: 'f'.repeat(64), payload: payload as never }
}

/** Folds what may stand; the last saying is only judged. */
function judge(...sayings: readonly Saying[]): { state: RegistryState; refusal: Refusal | null } {
  let state = protocol.initial
  let refusal: Refusal | null = null
  sayings.forEach((saying, seq) => {
    const event = occurrence(seq, saying)
    refusal = protocol.refuse(state, event)
    if (seq < sayings.length - 1) expect(refusal, `${seq} ${saying.type}`).toBe(null)
    state = protocol.evolve(state, event)
  })
  return { state, refusal }
}

const codeOf = (...sayings: readonly Saying[]): string | null => judge(...sayings).refusal?.code ?? null

const key = binding('registrar', 'registrar', ['registrar'])
const opened: Saying = { type: 'registry_opened', payload: { name: 'home', key } }
const sam = binding('sam', 'sam', ['seat', 'chair'])
const registered: Saying = { type: 'key_registered', payload: { key: sam } }
const revoked: Saying = {
  type: 'key_revoked',
  payload: { key: sam.id, reason: 'lost', heads: [], compromised_since: null },
}
const rotated: Saying = {
  type: 'key_rotated',
  payload: { old: sam.id, key: { ...binding('sam 2', 'sam', ['seat', 'chair']) } },
}
const redacted = { trace: TRACE, seq: 1, artifact: null, by: 'paula', reason: 'private' }

function noteOf(trace: string, size: number, registry = REGISTRY): string {
  const events = Array.from({ length: size }, () => ({
    hash: 'a'.repeat(64),
    signature: new Uint8Array(64),
    isKeyEvent: false,
  }))
  const text = treeHeadText(sha256, registry, trace, count(sha256, EMPTY_TALLY, events))
  const signature = noteSignature(sha256, registry, namedKey('registrar').publicKey, new Uint8Array(64))
  return composeNote(text, [signature])
}

describe('the registry', () => {
  it('LED-10 opens once, first, with the key that signs the opening', () => {
    expect(codeOf(opened)).toBe(null)
    expect(codeOf(registered)).toBe('ORDER_VIOLATION')
    expect(codeOf(opened, opened)).toBe('ORDER_VIOLATION')
    expect(codeOf({ ...opened, by: 'sam' })).toBe('ROLE_POLICY_VIOLATION')
    const seat = { ...key, roles: ['seat'] }
    expect(codeOf({ ...opened, payload: { name: 'home', key: seat } })).toBe('ROLE_POLICY_VIOLATION')
  })

  it('LED-10 is written only by the registrar in force', () => {
    expect(codeOf(opened, { ...registered, role: 'seat' })).toBe('ROLE_POLICY_VIOLATION')
    expect(codeOf(opened, { ...registered, by: 'sam' })).toBe('ROLE_POLICY_VIOLATION')
    const second = binding('registrar 2', 'registrar', ['registrar'])
    const handOver = { type: 'key_rotated', payload: { old: key.id, key: second } }
    expect(codeOf(opened, handOver, registered)).toBe('ROLE_POLICY_VIOLATION')
    expect(codeOf(opened, handOver, { ...registered, by: 'registrar 2' })).toBe(null)
    const { state } = judge(opened, handOver)
    expect(state.registrars).toEqual([key.id, second.id])
    expect([0, 1, 2, 3].map((size) => registrarAt(state, size))).toEqual([
      undefined,
      key.id,
      second.id,
      second.id,
    ])
  })

  it('LED-11 binds a key to one agent and its roles, once', () => {
    expect(codeOf(opened, registered)).toBe(null)
    expect(codeOf(opened, registered, registered)).toBe('ORDER_VIOLATION')
    const again = { type: 'key_registered', payload: { key: { ...sam, agent: 'eve' } } }
    expect(codeOf(opened, registered, again)).toBe('ORDER_VIOLATION')
    const registrar = { type: 'key_registered', payload: { key: { ...sam, roles: ['seat', 'registrar'] } } }
    expect(codeOf(opened, registrar)).toBe('ROLE_POLICY_VIOLATION')
    expect(judge(opened, registered).state.keys.get(sam.id)).toEqual({
      ...sam,
      registered: 1,
      rotated: null,
      revoked: null,
    })
  })

  it('LED-10 takes no key that is malformed, of low order, or under the id of another', () => {
    const bad = [
      { ...sam, id: 'a'.repeat(64) },
      { ...sam, public_key: '00'.repeat(32) },
      { ...sam, public_key: 'ff'.repeat(32) },
      { ...sam, public_key: sam.public_key.toUpperCase() },
      { ...sam, agent: '' },
      { ...sam, agent: 'a b' },
      { ...sam, roles: [] },
      { ...sam, roles: ['Seat'] },
      { ...sam, roles: 'seat' },
      { ...sam, id: undefined },
      null,
      'key',
    ]
    for (const other of bad)
      expect(codeOf(opened, { type: 'key_registered', payload: { key: other } })).toBe('SCHEMA_INVALID')
  })

  it('LED-10 rotates a key in force to one of the same agent and roles', () => {
    expect(codeOf(opened, registered, rotated)).toBe(null)
    expect(codeOf(opened, rotated)).toBe('ORDER_VIOLATION')
    const third = (old: string) => ({
      type: 'key_rotated',
      payload: { old, key: binding('sam 3', 'sam', ['seat', 'chair']) },
    })
    expect(codeOf(opened, registered, rotated, third(sam.id))).toBe('ORDER_VIOLATION')
    expect(codeOf(opened, registered, revoked, rotated)).toBe('ORDER_VIOLATION')
    for (const [agent, roles] of [
      ['eve', ['seat', 'chair']],
      ['sam', ['seat']],
      ['sam', ['seat', 'chair', 'clerk']],
    ] as const) {
      const other = { type: 'key_rotated', payload: { old: sam.id, key: binding('sam 2', agent, roles) } }
      expect(codeOf(opened, registered, other)).toBe('ROLE_POLICY_VIOLATION')
    }
    const { state } = judge(opened, registered, rotated)
    expect(state.keys.get(sam.id)?.rotated).toBe(2)
    expect(state.registrars).toEqual([key.id])
  })

  it('LED-10 revokes a known key once, with the heads and the bound it says', () => {
    expect(codeOf(opened, registered, revoked)).toBe(null)
    expect(codeOf(opened, revoked)).toBe('ORDER_VIOLATION')
    expect(codeOf(opened, registered, revoked, revoked)).toBe('ORDER_VIOLATION')
    expect(codeOf(opened, registered, rotated, revoked)).toBe(null)
    const own = { type: 'key_revoked', payload: { ...revoked.payload, key: key.id } }
    expect(codeOf(opened, own)).toBe('ORDER_VIOLATION')
    const since = (bound: unknown) => ({
      type: 'key_revoked',
      payload: { ...revoked.payload, compromised_since: bound },
    })
    expect(codeOf(opened, registered, since(0))).toBe(null)
    expect(codeOf(opened, registered, since(2))).toBe(null)
    expect(codeOf(opened, registered, since(3))).toBe('ORDER_VIOLATION')
    for (const bound of [-1, 0.5, '1', undefined])
      expect(codeOf(opened, registered, since(bound))).toBe('SCHEMA_INVALID')
    for (const heads of [
      null,
      [null],
      [{ trace: TRACE, size: 1 }],
      [{ trace: 'x', size: 1, hash: 'a'.repeat(64) }],
    ]) {
      const other = { type: 'key_revoked', payload: { ...revoked.payload, heads } }
      expect(codeOf(opened, registered, other)).toBe('SCHEMA_INVALID')
    }
  })

  it('LED-14 records what is erased, by which person and why, and no part of itself can be erased', () => {
    const redaction = (changed: object) => ({
      type: 'redaction_recorded',
      payload: { ...redacted, ...changed },
    })
    expect(codeOf(opened, redaction({}))).toBe(null)
    expect(codeOf(opened, redaction({ seq: null, artifact: 'a'.repeat(64) }))).toBe(null)
    expect(codeOf(opened, redaction({ trace: REGISTRY }))).toBe('ROLE_POLICY_VIOLATION')
    for (const changed of [
      { seq: null },
      { artifact: 'a'.repeat(64) },
      { seq: null, artifact: 'x' },
      { by: '' },
      { reason: '' },
      { trace: 'x' },
      { seq: -1 },
    ])
      expect(codeOf(opened, redaction(changed)), JSON.stringify(changed)).toBe('SCHEMA_INVALID')
    const { state } = judge(opened, redaction({}), redaction({ seq: 2 }))
    expect([...each(state.redactions)].map(({ seq, target }) => [seq, target.seq])).toEqual([
      [2, 2],
      [1, 1],
    ])
  })

  it('LED-12 records a checkpoint as what its note says', () => {
    const recording = (changed: object) => ({
      type: 'checkpoint_recorded',
      payload: { trace: TRACE, size: 3, note: noteOf(TRACE, 3), ...changed },
    })
    expect(codeOf(opened, recording({}))).toBe(null)
    for (const changed of [
      { size: 4 },
      { trace: '01KE0000000000000000000002' },
      { note: noteOf(TRACE, 2) },
      { note: noteOf(TRACE, 3, '01KE0000000000000000000009') },
      { note: 'a note' },
      { note: 1 },
      { note: '' },
      { size: -3 },
    ])
      expect(codeOf(opened, recording(changed)), JSON.stringify(changed).slice(0, 60)).toBe('SCHEMA_INVALID')
  })

  it('LED-16 accepts and folds no payload with a missing or malformed member', () => {
    const heads = [{ trace: TRACE, size: 1, hash: 'a'.repeat(64) }]
    const kinds: readonly (readonly [saying: Saying, ...before: Saying[]])[] = [
      [opened],
      [registered, opened],
      [rotated, opened, registered],
      [{ ...revoked, payload: { ...revoked.payload, heads, compromised_since: 1 } }, opened, registered],
      [{ type: 'redaction_recorded', payload: redacted }, opened],
      [{ type: 'redaction_recorded', payload: { ...redacted, seq: null, artifact: 'a'.repeat(64) } }, opened],
      [{ type: 'checkpoint_recorded', payload: { trace: TRACE, size: 3, note: noteOf(TRACE, 3) } }, opened],
    ]
    const wrong = (good: unknown): readonly unknown[] => [undefined, true, -1, 0.5, '', {}, [good], [null]]
    /** Every way of spoiling one member, however deep it lies. */
    function* spoilt(value: object): Generator<object> {
      for (const [name, good] of Object.entries(value)) {
        const put = (bad: unknown): object =>
          Array.isArray(value)
            ? value.map((entry, i) => (String(i) === name ? bad : entry))
            : { ...value, [name]: bad }
        for (const bad of wrong(good)) yield put(bad)
        if (typeof good === 'object' && good) for (const bad of spoilt(good)) yield put(bad)
      }
    }
    for (const [saying, ...before] of kinds) {
      const { state } = judge(...before)
      expect(protocol.refuse(state, occurrence(before.length, saying)), saying.type).toBe(null)
      for (const payload of spoilt(saying.payload)) {
        const event = occurrence(before.length, { ...saying, payload })
        const what = `${saying.type} ${JSON.stringify(payload)}`
        expect(protocol.refuse(state, event)?.code, what).toBe('SCHEMA_INVALID')
        expect(protocol.evolve(state, event), what).toBe(state)
      }
    }
  })

  it('LED-16 accepts and folds no other events, in particular none with an inherited name', () => {
    for (const type of ['constructor', 'to_string', 'answer_given', 'key_registered_']) {
      const { state, refusal } = judge(opened, { type, payload: { trace: TRACE, size: 1, note: 'x' } })
      expect(refusal?.code).toBe('SCHEMA_INVALID')
      expect(state).toEqual(judge(opened).state)
    }
    const erased = { ...occurrence(1, registered), payload: null }
    const { state } = judge(opened)
    expect(protocol.refuse(state, erased)?.code).toBe('SCHEMA_INVALID')
    expect(protocol.evolve(state, erased)).toBe(state)
  })
})
