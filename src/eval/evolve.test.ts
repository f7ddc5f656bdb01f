// What folding makes of a regrading, and of events whose content was erased or has not the shape it should have.
import { describe, expect, it } from 'vitest'
import { type Draft, play, protocol, ScriptedEval } from '../../test/support/scripted-eval.ts'
import { council, numbered } from '../../test/support/scripted-eval-parts.ts'
import { SET_ARTIFACT, writeItems } from './set-artifact.ts'
import type { Item } from './sets/item.ts'

const decided = (run: ScriptedEval): readonly string[] => protocol.decide(run.state).map(({ id }) => id)

/** A regrading of what this evaluation recorded, with a mended set. */
function regraded(parent: ScriptedEval, items: readonly Item[]): { run: ScriptedEval; fork: Draft } {
  const run = new ScriptedEval(items, parent.script, '01KEC000000000000000000F0RK')
  run.state = parent.state
  for (const [hash, bytes] of parent.artifacts) run.artifacts.set(hash, bytes)
  const payload = {
    parent: { trace: parent.trace, seq: parent.events.length - 1, hash: 'ab'.repeat(32) },
    set: { ...parent.inner.opened.set, name: 'mended', items: items.length, size: items.length },
    artifacts: [{ ...run.keep(SET_ARTIFACT, writeItems(items)) }],
  }
  return { run, fork: { type: 'trace_forked', agent: 'eve', role: 'evaluator', payload } }
}

describe('a regrading', () => {
  const mended = (): readonly Item[] =>
    numbered(2).map((item, i) => (i === 0 ? { ...item, target: ['7'] } : item))

  it('COU-X-4 grades the recorded answers with the corrected set, asks no model, and closes again', () => {
    const parent = play(numbered(2), {}, { holds: () => council({ all: 'ANSWER: 7' }) })
    expect(parent.inner.closed?.arms).toMatchObject([{ right: 0 }, { right: 0 }])
    const { run, fork } = regraded(parent, mended())
    run.say(fork)
    expect(run.inner).toMatchObject({ isClosed: false, closed: null, graded: 0, first: 0 })
    expect(run.inner.opened.set.name).toBe('mended')
    expect(decided(run)).toEqual(['grade/0/1/1'])
    run.drive()
    expect(run.events.map(({ type }) => type)).toEqual([
      'trace_forked',
      'item_graded',
      'item_graded',
      'eval_closed',
    ])
    expect(run.inner.closed).toMatchObject({ status: 'completed', arms: [{ right: 1 }, { right: 1 }] })
    // Council ids follow from the first opening, and so does nothing else of the parent's trace.
    expect(run.inner.root).toBe(parent.trace)
    expect(run.inner.trace).toBe(run.trace)
  })

  it('COU-X-4 leaves out councils that never ran', () => {
    const parent = play(numbered(3), { budget_usd: 0.01 })
    const { run, fork } = regraded(parent, numbered(3))
    run.say(fork).drive()
    expect(run.inner.closed).toMatchObject({ status: 'over_budget', primary: { n: 1 } })
  })

  it('COU-X-4 of an interrupted evaluation grades the answers that exist and waits for no others', () => {
    const parent = new ScriptedEval(numbered(3)).open({
      concurrency: 3,
      arms: ['council', 'vote', 'council:benx3', 'plain:ben'],
    })
    parent.say(parent.outcome(parent.until('hold/0/1/main')))
    const { run, fork } = regraded(parent, numbered(3))
    run.say(fork)
    expect(decided(run)).toEqual(['grade/0/1/1'])
    run.drive()
    expect(run.inner.closed?.arms).toEqual([
      { arm: 'council', n: 1, right: 1 },
      { arm: 'vote', n: 1, right: 1 },
      { arm: 'council:benx3', n: 1, right: 0 },
      { arm: 'plain:ben', n: 1, right: 0 },
    ])
  })

  it('COU-X-4 keeps the number of items, and is signed by the evaluator', () => {
    const { run, fork } = regraded(play(numbered(2)), numbered(3))
    expect(run.refusal(fork)?.message).toBe('a regrading keeps the number of items')
    const same = regraded(play(numbered(2)), mended())
    expect(same.run.refusal({ ...same.fork, role: 'clerk' })?.code).toBe('ROLE_POLICY_VIOLATION')
    expect(same.run.refusal({ ...same.fork, payload: { ...same.fork.payload, surplus: 1 } })?.code).toBe(
      'SCHEMA_INVALID',
    )
    expect(new ScriptedEval(numbered(2)).refusal(same.fork)?.message).toBe('the evaluation is not open')
  })

  it('COU-X-4 whose own payload was erased continues with the set of its parent', () => {
    const parent = play(numbered(1))
    const { run, fork } = regraded(parent, numbered(1))
    run.take({ ...run.occurrence(fork), payload: null })
    expect(run.inner.set).toBe(parent.inner.set)
    expect(run.inner.opened.set).toEqual(parent.inner.opened.set)
    expect(decided(run)).toEqual(['grade/0/1/1'])
  })
})

describe('an erased event of an evaluation', () => {
  /** The same events, those of this type without their content. */
  const without = (run: ScriptedEval, type: string): ScriptedEval => {
    const bare = new ScriptedEval(run.items)
    for (const event of run.events) bare.take(event.type === type ? { ...event, payload: null } : event)
    return bare
  }

  it('COU-X-4 counts as missing, and its content is not guessed', () => {
    const run = play(
      numbered(1, () => ({ grader: 'model:cyd' })),
      { arms: ['council', 'vote', 'plain:ben'] },
      { judges: () => '{"reason":"","verdict":"same"}' },
    )
    const unit = (type: string) => without(run, type).inner.units.get(0)
    expect(unit('item_held')?.held.size).toBe(0)
    expect(unit('sample_given')?.samples.size).toBe(0)
    expect(unit('judgement_given')?.judged.size).toBe(0)
    expect(unit('item_graded')).toMatchObject({ graded: null, isGraded: false })
    expect(without(run, 'eval_opened').state.inner.opened).toBeNull()
    expect(without(run, 'item_held').inner.spent.usd).toBeLessThan(run.inner.spent.usd)
  })

  it('COU-X-4 that was a closing still closes', () => {
    const bare = without(play(numbered(1)), 'eval_closed')
    expect(bare.inner).toMatchObject({ closed: null, isClosed: true })
    expect(protocol.finished(bare.state)).toBe(true)
  })

  it('COU-X-4 is treated like an event of another shape', () => {
    const run = new ScriptedEval(numbered(1)).open()
    const said = run.outcome(run.until('hold/'))
    run.take(run.occurrence({ ...said, payload: { ...said.payload, surplus: 1 } }))
    expect(run.inner.units.size).toBe(0)
  })

  it('COU-X-4 can explain a grade or an answer that does not follow', () => {
    const run = new ScriptedEval(numbered(1)).open()
    const grade = run.outcome(run.until('grade/'))
    const bare = new ScriptedEval(numbered(1)).open()
    for (const [hash, bytes] of run.artifacts) bare.artifacts.set(hash, bytes)
    const content = (hash: string) => bare.artifacts.get(hash) ?? null
    const refusal = protocol.examine?.(bare.state, bare.occurrence(grade), content)
    expect(refusal).toMatchObject({ message: 'the grades are not what follows from the answers' })
    expect(refusal?.lacks).toHaveLength(1)
  })
})
