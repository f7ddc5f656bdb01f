// Terms that no exchange is held under, and what terms make of judges, scripts and older editions.

import { describe, expect, it } from 'vitest'
import { firstTerms, terms } from '../../test/support/exchange-script.ts'
import {
  changedKeys,
  fitTerms,
  hearingOf,
  isScripted,
  judgeOf,
  readTerms,
  type Terms,
  termsProblem,
} from './terms.ts'

const GIVEN = {
  pool: { prompt: 'Think about rivers.', minds: ['claude', 'local'] },
  auditor: { spec: 'Say what the pool converges on.', mind: 'claude' },
  observer: { name: 'ana', role: 'I answer each audit.' },
}
const given = (change: { readonly [part: string]: object }): object =>
  Object.fromEntries(
    [...new Set([...Object.keys(GIVEN), ...Object.keys(change)])].map((part) => [
      part,
      { ...GIVEN[part as keyof typeof GIVEN], ...change[part] },
    ]),
  )
const problem = (change: { readonly [part: string]: object }): string | null => {
  const read = readTerms(given(change))
  return typeof read === 'string' ? read : null
}

describe('terms are refused', () => {
  it.each([
    [{ pool: { prompt: ' \n' } }, 'pool.prompt says nothing'],
    [{ auditor: { spec: '\t' } }, 'auditor.spec says nothing'],
    [
      { observer: { name: 'Ana Maria' } },
      'observer.name is "Ana Maria": write one word of letters, digits and . _ @ -',
    ],
    [
      { pool: { minds: ['claude', 'no name'] } },
      'pool.minds has "no name": write a name that `witan doctor` shows',
    ],
    [
      { pool: { minds: ['claude', 'ollama:llama4:8b'] } },
      'pool.minds has "ollama:llama4:8b": write ollama, and in the settings council: {providers: [{name: ollama, model: llama4:8b}]}',
    ],
    [{ auditor: { mind: 'no name' } }, 'auditor.mind has "no name": write a name that `witan doctor` shows'],
    [{ auditor: { mind: 'ana' } }, 'observer.name is also the name of a mind: a person cannot be one'],
    [{ restart: { raise: 0.3, clear: 0.3 } }, 'restart.clear is not below restart.raise'],
    [
      { restart: { judge: 'no name' } },
      'restart.judge has "no name": write a name that `witan doctor` shows',
    ],
    [{ restart: { judge: 'local' } }, 'restart.judge is local, a mind of the pool that it would judge'],
    [{ restart: { judge: 'ana' } }, 'restart.judge is the observer, who answers the signal'],
  ])('if they are %j', (change, words) => {
    expect(problem(change)).toBe(words)
  })

  it('EXC-INT-2 if the policy is not a known one', () => {
    for (const policy of ['pause', 'acknowledge', 'halt', { rollback: 'last-audit' }, { branch: GIVEN }])
      expect(problem({ restart: { policy } })).toBeNull()
    for (const policy of ['amend', '', 7, {}, { rollback: 'last-audit', branch: GIVEN }, { halt: true }, []])
      expect(problem({ restart: { policy } })).toContain('restart.policy is none of')
    const nowhere = { ...GIVEN, pool: { ...GIVEN.pool, minds: [] } }
    expect(problem({ restart: { policy: { branch: nowhere } } })).toContain(
      'restart.policy.branch: pool.minds',
    )
    expect(problem({ restart: { policy: { branch: 'unread.yaml' } } })).toContain('restart.policy.branch: ')
  })

  it('VER-3 if they say how requests are heard in an edition without that setting', () => {
    expect(termsProblem(terms(), 'heard')).toBeNull()
    expect(termsProblem(firstTerms(), 'scores')).toBeNull()
    expect(termsProblem(terms(), 'scores')).toMatch(/^restart\.\w+ is no key of the terms$/)
    expect(termsProblem(firstTerms(), 'heard')).toMatch(/^restart lacks/)
  })
})

describe('the judge in the terms', () => {
  const judged = (restart: object): string | null => judgeOf(readTerms(given({ restart })) as Terms)

  it('EXC-INT-3 is the auditor, a seat outside the pool, or no one, as the terms say', () => {
    expect(judged({})).toBe('claude')
    expect(judged({ judge: 'auditor' })).toBe('claude')
    expect(judged({ judge: 'juno' })).toBe('juno')
    expect(judged({ judge: 'none' })).toBeNull()
    for (const hear of ['alarm', 'off']) expect(judged({ judge: 'juno', hear })).toBeNull()
    expect(hearingOf(firstTerms())).toMatchObject({
      enough: 30,
      judge: 'auditor',
      confirm: true,
      hear: 'judge',
    })
  })
})

describe('terms for an exchange of the first edition', () => {
  it('VER-3 leave out how requests are heard, if that is the default', () => {
    const read = readTerms(GIVEN) as Terms
    expect(fitTerms(read, 'heard')).toBe(read)
    const fit = fitTerms(read, 'scores') as Terms
    expect(Object.keys(fit.restart).sort()).toEqual(['clear', 'limit', 'policy', 'raise'])
    expect(termsProblem(fit, 'scores')).toBeNull()
    expect({ ...fit, restart: {} }).toEqual({ ...read, restart: {} })
    expect(fitTerms(firstTerms(), 'scores')).toEqual(firstTerms())
  })

  it.each([
    ['enough', 31],
    ['judge', 'juno'],
    ['confirm', false],
    ['hear', 'off'],
  ])('VER-3 are refused if they set %s, also in the terms that a policy branches to', (key, value) => {
    const words = `restart.${key} is no key of the terms of an exchange that was opened before it was known`
    expect(fitTerms(readTerms(given({ restart: { [key]: value } })) as Terms, 'scores')).toBe(words)
    const branch = given({ restart: { [key]: value } })
    expect(fitTerms(readTerms(given({ restart: { policy: { branch } } })) as Terms, 'scores')).toBe(words)
  })

  it('VER-3 fit with the terms that their policy branches to, or rolls back', () => {
    const branching = fitTerms(
      readTerms(given({ restart: { policy: { branch: GIVEN } } })) as Terms,
      'scores',
    )
    expect(termsProblem(branching, 'scores')).toBeNull()
    const rolling = readTerms(given({ restart: { policy: { rollback: 'last-audit' } } })) as Terms
    expect((fitTerms(rolling, 'scores') as Terms).restart.policy).toEqual({ rollback: 'last-audit' })
  })
})

describe('a default of the terms', () => {
  it('for a chat is an audit after one rotation: one round if all models write at once', () => {
    const chat = (change: { readonly [part: string]: object }) =>
      readTerms(given(change), { chat: true }) as Terms
    expect(chat({}).auditor.every).toBe(3)
    expect(chat({ pool: { parallel: true } }).auditor.every).toBe(2)
    const branch = { ...GIVEN, pool: { ...GIVEN.pool, minds: ['claude', 'local', 'juno'] } }
    expect(chat({ restart: { policy: { branch } } }).restart.policy).toMatchObject({
      branch: { auditor: { every: 4 } },
    })
    expect(readTerms(given({ restart: { policy: { branch } } }))).toMatchObject({
      restart: { policy: { branch: { auditor: { every: 20 }, restart: { policy: 'pause' } } } },
    })
  })

  it('is filled in only if a part is a map of keys: any other value is reported by its name', () => {
    expect(readTerms({ ...GIVEN, pool: 7 })).toBe('pool is integer, not object')
    expect(readTerms({ ...GIVEN, restart: 'soon' })).toBe('restart is string, not object')
    expect(readTerms({ ...GIVEN, auditor: [] }, { chat: true })).toContain('auditor is')
  })
})

it('APP-1 EXC-INT-3 a pool is scripted when every mind of it, the auditor and the judge are', () => {
  const scripted = (change: { readonly [part: string]: object }): boolean =>
    isScripted(
      terms({
        ...change,
        pool: { minds: ['scripted-a', 'scripted-b'], ...change.pool },
        auditor: { mind: 'scripted-c', ...change.auditor },
      }),
    )
  expect(scripted({})).toBe(true)
  expect(scripted({ restart: { judge: 'scripted-d' } })).toBe(true)
  expect(scripted({ restart: { judge: 'juno' } })).toBe(false)
  expect(scripted({ auditor: { mind: 'juno' } })).toBe(false)
  expect(scripted({ pool: { minds: ['scripted-a', 'juno'] } })).toBe(false)
  expect(scripted({ pool: { minds: ['scripted-a', 'not-scripted-'] } })).toBe(false)
})

it('changes are told by part and key, in order, also where a key is new', () => {
  const before = firstTerms()
  const after = terms({ pool: { prompt: 'Lakes.', seed: 7 }, restart: { limit: 9 } })
  expect(changedKeys(before, after)).toEqual([
    ...['pool.prompt', 'pool.seed'],
    ...['restart.confirm', 'restart.enough', 'restart.hear', 'restart.judge', 'restart.limit'],
  ])
})
