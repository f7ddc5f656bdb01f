import { describe, expect, it } from 'vitest'
import { KeyTable } from '../ledger/registry/key-table.ts'
import type { KeyRecord, RegistryState, Revocation } from '../ledger/registry/registry.ts'
import { actorFor, isInForce, withCurrentKey } from './actors.ts'

const revoked: Revocation = {
  seq: 9,
  reason: 'lost',
  heads: [],
  compromisedSince: null,
  retired: false,
  before: null,
}
const key = (
  id: string,
  agent: string,
  roles: readonly string[],
  more: Partial<KeyRecord> = {},
): KeyRecord => ({
  id,
  public_key: 'b'.repeat(64),
  agent,
  roles,
  registered: 1,
  rotated: null,
  revoked: null,
  ...more,
})
const knowing = (...keys: readonly KeyRecord[]): RegistryState => ({
  registry: 'R',
  registrars: [],
  keys: keys.reduce((table, known) => table.with(known), KeyTable.empty<KeyRecord>()),
  redactions: null,
  checkpoints: null,
})

describe('the key that signs for an agent', () => {
  it('LED-10 is one that was neither rotated nor revoked', () => {
    expect(isInForce(key('k', 'sam', ['seat']))).toBe(true)
    expect(isInForce(key('k', 'sam', ['seat'], { rotated: 3 }))).toBe(false)
    expect(isInForce(key('k', 'sam', ['seat'], { revoked }))).toBe(false)
  })

  it('LED-11 is the key of this agent for this role, or a coded error', () => {
    const registry = knowing(
      key('a', 'eve', ['seat']),
      key('b', 'sam', ['critic']),
      key('c', 'sam', ['seat'], { rotated: 3 }),
      key('d', 'sam', ['seat', 'chair'], { registered: 3 }),
      key('e', 'ana', ['seat'], { revoked }),
    )
    expect(actorFor(registry, 'sam', 'seat')).toEqual({ agent: 'sam', role: 'seat', key: 'd' })
    expect(actorFor(registry, 'sam', 'critic').key).toBe('b')
    const codeOf = (agent: string, role: string) => {
      try {
        return actorFor(registry, agent, role).key
      } catch (error) {
        return (error as { code: string }).code
      }
    }
    expect([codeOf('ana', 'seat'), codeOf('ana', 'chair'), codeOf('nobody', 'seat')]).toEqual([
      'KEY_RETIRED',
      'KEY_NOT_FOUND',
      'KEY_NOT_FOUND',
    ])
  })

  it('LED-10 is the successor if the key was rotated, and the same key otherwise', () => {
    const registry = knowing(
      key('c', 'sam', ['seat'], { rotated: 3 }),
      key('d', 'sam', ['seat'], { registered: 3 }),
      key('e', 'sam', ['seat'], { registered: 4 }),
      key('f', 'ana', ['seat'], { rotated: 5 }),
    )
    const by = (agent: string, id: string) => withCurrentKey(registry, { agent, role: 'seat', key: id }).key
    expect([by('sam', 'c'), by('sam', 'd'), by('sam', 'e'), by('sam', 'x'), by('ana', 'f')]).toEqual([
      'd',
      'd',
      'e',
      'x',
      'f',
    ])
  })
})
