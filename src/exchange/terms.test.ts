import { describe, expect, it } from 'vitest'
import { sha256 } from '../stores/digest.ts'
import { changedKeys, readTerms, rotationOf, type Terms, termsHash, termsProblem } from './terms.ts'

const GIVEN = {
  pool: { prompt: 'Think about rivers.', minds: ['claude', 'local'] },
  auditor: { spec: 'Say what the pool converges on.', mind: 'claude' },
  observer: { name: 'ana', role: 'I answer each audit.' },
}

const good = (value: unknown, reading = {}): Terms => {
  const terms = readTerms(value, reading)
  if (typeof terms === 'string') throw new Error(terms)
  return terms
}

describe('terms', () => {
  it('get every default that was left out, and are then whole', () => {
    const terms = good(GIVEN)
    expect(terms).toMatchObject({
      pool: { window: 50, sample: 5, parallel: false },
      auditor: { every: 20, sample: 30 },
      clusters: { feed: 'off' },
      restart: { raise: 0.3, clear: 0.15, policy: 'pause' },
    })
    expect(termsProblem(terms)).toBeNull()
    expect(termsHash(sha256, terms)).toBe(termsHash(sha256, good(structuredClone(GIVEN))))
  })

  it('never invent the role of the observer', () => {
    expect(readTerms({ ...GIVEN, observer: { name: 'ana' } })).toBe('observer lacks role')
    expect(readTerms({ ...GIVEN, observer: { name: 'ana', role: '  ' } })).toBe('observer.role says nothing')
    expect(readTerms({ ...GIVEN, observer: undefined })).toBe('observer lacks name')
  })

  it.each([
    [{ ...GIVEN, pol: {} }, 'pol is no key of the terms'],
    [{ ...GIVEN, pool: { ...GIVEN.pool, widow: 3 } }, 'pool.widow is no key of the terms'],
    [{ ...GIVEN, pool: { ...GIVEN.pool, window: '50' } }, 'pool.window is string, not integer'],
    [{ ...GIVEN, pool: { ...GIVEN.pool, sample: 0 } }, 'pool.sample is out of range'],
    [{ ...GIVEN, pool: { ...GIVEN.pool, minds: ['a', 'a'] } }, 'pool.minds names a mind twice'],
    [
      { ...GIVEN, pool: { ...GIVEN.pool, minds: ['ana'] } },
      'observer.name is also the name of a mind: a person cannot be one',
    ],
    [{ ...GIVEN, auditor: { ...GIVEN.auditor, every: 1 } }, 'auditor.every is out of range'],
    [{ ...GIVEN, clusters: { feed: 'yes' } }, 'clusters.feed is none of off, live, audits'],
    [{ ...GIVEN, restart: { raise: 0.1 } }, 'restart.clear is not below restart.raise'],
    [
      { ...GIVEN, restart: { policy: { rollback: 'all' } } },
      'restart.policy is none of pause, acknowledge, halt, {rollback: last-audit}, {branch: terms}',
    ],
    [[], 'the terms are not a list of keys and values'],
  ])('name the key that is at fault: %#', (value, problem) => {
    expect(readTerms(value)).toBe(problem)
  })

  it('take the terms that a policy branches to by name, and only once', () => {
    const restart = { policy: { branch: 'b.yaml' } }
    const branches = new Map<string, unknown>([
      ['b.yaml', { ...GIVEN, auditor: { spec: 'Other.', mind: 'local' } }],
    ])
    const terms = good({ ...GIVEN, restart }, { branches })
    expect(terms.restart.policy).toMatchObject({ branch: { auditor: { spec: 'Other.', every: 20 } } })
    expect(readTerms({ ...GIVEN, restart })).toContain('restart.policy.branch: ')
    const again = new Map([['b.yaml', { ...GIVEN, restart: { policy: { branch: GIVEN } } }]])
    expect(readTerms({ ...GIVEN, restart }, { branches: again })).toContain('terms that branch again')
  })

  it('audit a chat after one rotation unless they say otherwise', () => {
    expect(good(GIVEN, { chat: true }).auditor.every).toBe(3)
    expect(good({ ...GIVEN, auditor: { ...GIVEN.auditor, every: 7 } }, { chat: true }).auditor.every).toBe(7)
    expect(rotationOf(good({ ...GIVEN, pool: { ...GIVEN.pool, parallel: true } }))).toBe(1)
  })

  it('tell by key what an amendment changed', () => {
    const before = good(GIVEN)
    const after = { ...before, auditor: { ...before.auditor, spec: 'Be brief.', every: 10 } }
    expect(changedKeys(before, after)).toEqual(['auditor.every', 'auditor.spec'])
    expect(changedKeys(before, before)).toEqual([])
  })
})
