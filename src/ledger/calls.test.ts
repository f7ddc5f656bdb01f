// The rule about calls on a protocol that knows nothing of it: one outcome an action, announced before, closed
// visibly when lost, never run twice when no one knows whether it ran.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Action, Occurrence, Protocol } from '../protocol.ts'
import { type WithOpenCalls, withCalls } from './calls.ts'
import type { Payload } from './event.ts'

interface Plain {
  readonly wanted: readonly Action[]
  readonly outcomes: readonly string[]
}

const want = (id: string, call: Action['call']): Action => ({ id, call, input: {} })
const ACTIONS = [
  want('ask/a', 'ask'),
  want('ask/b', 'ask'),
  want('tool/t', 'tool'),
  want('note/n', 'record'),
  want('wait/w', 'park'),
]

/** Wants everything at once until it is answered; ignores calls, also indeterminate ones. */
const plain: Protocol<Plain> = {
  id: 'plain/1',
  initial: { wanted: ACTIONS, outcomes: [] },
  evolve(state, event) {
    if (event.type.startsWith('call_') || event.type === 'trace_forked') return state
    const action = String(event.payload?.action)
    const base = action.slice(0, action.lastIndexOf('/'))
    return {
      wanted: state.wanted.filter(({ id }) => id !== base),
      outcomes: [...state.outcomes, action],
    }
  },
  refuse: () => null,
  decide: (state) => state.wanted,
  finished: (state) => state.wanted.length === 0,
}

const OUTCOMES = { answered: 'ask', ran: 'tool', noted: 'note', waited: 'wait' }
const protocol = withCalls(plain, { outcomes: OUTCOMES, started: ['ask', 'tool'], lacks: () => ['noted'] })

function event(type: string, payload: Payload | null, role = 'clerk'): Occurrence {
  const actor = { agent: role, role, key: 'a'.repeat(64) }
  const at = '2026-01-01T00:00:00.000Z'
  return { trace: '01KE0000000000000000000001', seq: 0, at, type, actor, hash: 'f'.repeat(64), payload }
}

const started = (action: string, call: string) => event('call_started', { action, call, clerk: 'C' })
const lost = (action: string) => event('call_lost', { action })
const indeterminate = (action: string) => event('call_indeterminate', { action })
const outcome = (type: string, action: string) => event(type, { action }, 'seat')

/** Folds what is accepted and says what was refused of the last. */
function run(...events: readonly Occurrence[]): { state: WithOpenCalls<Plain>; code: string | null } {
  let state = protocol.initial
  let code: string | null = null
  events.forEach((each, i) => {
    code = protocol.refuse(state, each)?.code ?? null
    if (i < events.length - 1) expect(code, each.type).toBe(null)
    if (code === null) state = protocol.evolve(state, each)
  })
  return { state, code }
}

const ids = (state: WithOpenCalls<Plain>) => protocol.decide(state).map(({ id }) => id)

describe('a call', () => {
  it('LED-17 is offered under its first attempt, and not while it is open', () => {
    expect(ids(protocol.initial)).toEqual(['ask/a/1', 'ask/b/1', 'tool/t/1', 'note/n/1', 'wait/w/1'])
    expect(ids(run(started('ask/a/1', 'ask')).state)).not.toContain('ask/a/1')
  })

  it('LED-17 has its outcome once it was started, and only once', () => {
    const [start, answer] = [started('ask/a/1', 'ask'), outcome('answered', 'ask/a/1')]
    expect(run(start, answer).code).toBe(null)
    expect(run(answer).code).toBe('ORDER_VIOLATION')
    expect(run(start, answer, answer).code).toBe('ORDER_VIOLATION')
    expect(run(start, answer, start).code).toBe('ORDER_VIOLATION')
    expect(run(start, start).code).toBe('ORDER_VIOLATION')
  })

  it('LED-17 cannot be started without a decision for it, nor as another kind of call', () => {
    for (const [action, call] of [
      ['ask/z/1', 'ask'],
      ['ask/a/2', 'ask'],
      ['ask/a', 'ask'],
      ['ask/a/1', 'tool'],
      ['tool/t/1', 'ask'],
      ['note/n/1', 'record'],
      ['wait/w/1', 'park'],
      ['wait/w/1', 'ask'],
    ] as const)
      expect(run(started(action, call)).code, `${action} ${call}`).toBe('ORDER_VIOLATION')
  })

  it('LED-17 is started and closed by the clerk alone, in the name of an action', () => {
    const start = started('ask/a/1', 'ask')
    const seat = { agent: 'sam', role: 'seat', key: 'a'.repeat(64) }
    expect(run({ ...start, actor: seat }).code).toBe('ROLE_POLICY_VIOLATION')
    expect(run(start, { ...lost('ask/a/1'), actor: seat }).code).toBe('ROLE_POLICY_VIOLATION')
    for (const type of ['call_started', 'call_lost', 'call_indeterminate'])
      for (const payload of [{}, { action: 1 }]) expect(run(event(type, payload)).code).toBe('SCHEMA_INVALID')
  })

  it('LED-17 that was lost is asked again under the next attempt, and the lost one is never answered', () => {
    const start = started('ask/a/1', 'ask')
    const { state } = run(start, lost('ask/a/1'))
    expect(ids(state)).toContain('ask/a/2')
    expect(run(start, lost('ask/a/1'), outcome('answered', 'ask/a/1')).code).toBe('ORDER_VIOLATION')
    const again = [start, lost('ask/a/1'), started('ask/a/2', 'ask')]
    expect(run(...again, outcome('answered', 'ask/a/2')).code).toBe(null)
    expect(run(lost('ask/a/1')).code).toBe('ORDER_VIOLATION')
    expect(run(started('tool/t/1', 'tool'), lost('tool/t/1')).code).toBe('ORDER_VIOLATION')
  })

  it('LED-17 to a tool that may have run is never offered again', () => {
    const start = started('tool/t/1', 'tool')
    const { state } = run(start, indeterminate('tool/t/1'))
    expect(ids(state).filter((id) => id.startsWith('tool/'))).toEqual([])
    for (const attempt of ['tool/t/1', 'tool/t/2'])
      expect(run(start, indeterminate('tool/t/1'), started(attempt, 'tool')).code).toBe('ORDER_VIOLATION')
    expect(run(start, indeterminate('tool/t/1'), outcome('ran', 'tool/t/1')).code).toBe('ORDER_VIOLATION')
    expect(run(started('ask/a/1', 'ask'), indeterminate('ask/a/1')).code).toBe('ORDER_VIOLATION')
  })

  it('LED-17 is answered by its own kind of event, which names it', () => {
    const start = started('ask/a/1', 'ask')
    expect(run(start, outcome('ran', 'ask/a/1')).code).toBe('ORDER_VIOLATION')
    expect(run(start, outcome('noted', 'ask/a/1')).code).toBe('ORDER_VIOLATION')
    for (const type of Object.keys(OUTCOMES)) expect(run(event(type, {}, 'seat')).code).toBe('SCHEMA_INVALID')
    expect(run(outcome('noted', 'note/n/1')).code).toBe(null)
    expect(run(outcome('waited', 'wait/w/1')).code).toBe(null)
  })

  it('LED-17 is not closed by an event of another type that happens to name it', () => {
    const remark = event('constructor', { action: 'ask/a/1' }, 'seat')
    expect(run(started('ask/a/1', 'ask'), remark).state.open.has('ask/a/1')).toBe(true)
  })

  it('LED-15 that is open is dropped by a fork, together with what was lost', () => {
    const fork = event('trace_forked', {})
    const { state } = run(started('ask/b/1', 'ask'), lost('ask/b/1'), started('ask/a/1', 'ask'), fork)
    expect([state.open.size, state.lost.size]).toEqual([0, 0])
    expect(run(started('ask/a/1', 'ask'), fork, outcome('answered', 'ask/a/1')).code).toBe('ORDER_VIOLATION')
  })

  it('LED-14 whose payload was erased satisfies nothing and changes nothing', () => {
    const before = run(started('ask/a/1', 'ask')).state
    for (const type of ['call_started', 'call_lost', 'call_indeterminate', 'answered'])
      expect(protocol.evolve(before, event(type, null)).open).toEqual(before.open)
  })

  it('LED-17 never has two outcomes, in any order things are tried', () => {
    const attempts = fc.integer({ min: 1, max: 3 })
    const action = fc
      .tuple(fc.constantFrom(...ACTIONS.map(({ id }) => id)), attempts)
      .map(([id, n]) => `${id}/${n}`)
    const steps = fc.oneof(
      fc.tuple(action, fc.constantFrom('ask', 'tool')).map(([id, call]) => started(id, call)),
      action.map(lost),
      action.map(indeterminate),
      fc.tuple(fc.constantFrom(...Object.keys(OUTCOMES)), action).map(([type, id]) => outcome(type, id)),
    )
    fc.assert(
      fc.property(fc.array(steps, { maxLength: 60 }), (tried) => {
        let state = protocol.initial
        const startedTools = new Set<string>()
        for (const each of tried) {
          if (protocol.refuse(state, each)) continue
          state = protocol.evolve(state, each)
          const id = String(each.payload?.action)
          if (each.type !== 'call_started' || !id.startsWith('tool/')) continue
          const base = id.slice(0, id.lastIndexOf('/'))
          expect(startedTools.has(base)).toBe(false)
          startedTools.add(base)
        }
        const bases = state.inner.outcomes.map((id) => id.slice(0, id.lastIndexOf('/')))
        expect(new Set(bases).size).toBe(bases.length)
      }),
      { numRuns: 500 },
    )
  })
})
