import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openExchangeHome, recordRun, verified } from '../../test/support/exchange-home.ts'
import { ExchangeRun, Refused } from '../../test/support/exchange-run.ts'
import { answerTo, plainScript, terms } from '../../test/support/exchange-script.ts'
import type { Action } from '../protocol.ts'
import { type ExchangeState, INITIAL } from './state.ts'

const UNTIL = 8
const parallel = () =>
  terms({ pool: { parallel: true, minds: ['a', 'b', 'c'] }, auditor: { mind: 'a', every: 4 } })

/** What a clerk may meet: it dies with calls open, a late answer comes twice, answers come in any order. */
const choices = fc.array(
  fc.record({
    do: fc.constantFrom('start', 'answer', 'answer', 'lose', 'twice'),
    which: fc.nat({ max: 5 }),
  }),
  { maxLength: 60 },
)

function disturbed(steps: readonly { readonly do: string; readonly which: number }[]): ExchangeRun {
  const run = ExchangeRun.open(parallel())
  run.person('continued', { until: UNTIL, mode: 'run' })
  let open: Action[] = []
  for (const step of steps) {
    const wanted = run.actions().filter(({ call }) => call !== 'park')
    if (step.do === 'start' || open.length === 0) {
      const action = wanted[step.which % Math.max(1, wanted.length)]
      if (!action) continue
      run.start(action)
      if (action.call === 'ask') open.push(action)
      else run.answer(action)
      continue
    }
    const action = open[step.which % open.length] as Action
    open = open.filter((other) => other !== action)
    if (step.do === 'lose') {
      run.lose(action)
      continue
    }
    const said = answerTo(action, run.inner, run.script, run.kept.keep, () => '')
    if (!said) throw new Error('a person is asked')
    run.say(said)
    if (step.do === 'twice') expect(() => run.say(said)).toThrow(Refused)
  }
  for (const action of open) run.lose(action)
  return run.run()
}

describe('an exchange under any schedule', () => {
  it('never loses or doubles a message if calls are lost, late or out of order', () => {
    const undisturbed = ExchangeRun.open(parallel()).rounds(UNTIL)
    fc.assert(
      fc.property(choices, (steps) => {
        const run = disturbed(steps)
        expect(run.inner.closed).toBe(UNTIL)
        expect(run.texts()).toEqual(undisturbed.texts())
        const minds = run.events
          .filter(({ type }) => type === 'mind_wrote')
          .map(({ payload }) => `${payload?.round} ${payload?.mind}`)
        expect(new Set(minds).size).toBe(minds.length)
      }),
      { numRuns: 15 },
    )
  })

  it('folds the same from the start as it stood when it was interrupted', () => {
    const run = ExchangeRun.open(parallel()).rounds(5)
    const again = new ExchangeRun(plainScript, run.trace, run.events)
    expect(again.inner).toEqual(run.inner)
    expect(again.actions()).toEqual(run.actions())
  })
})

describe('a long exchange', () => {
  const sizeOf = ({ ends: _, ...state }: ExchangeState): number =>
    JSON.stringify(state, (__, value) => (value instanceof Map ? [...value] : value)).length

  it('keeps no more of its history than the window, however long it grows', () => {
    const run = ExchangeRun.open(terms({ pool: { window: 10 }, auditor: { every: 5 } }))
    const sizes: number[] = []
    for (let until = 50; until <= 200; until += 50) sizes.push(sizeOf(run.rounds(until).inner))
    expect(run.inner.totals.messages).toBe(320)
    // Ids and levels grow by a digit or two; a history would grow fourfold.
    expect(Math.max(...sizes) / Math.min(...sizes)).toBeLessThan(1.1)
  })
})

describe('an erased payload', () => {
  it('never breaks the fold, whichever event it was', () => {
    const run = ExchangeRun.open(terms({ auditor: { every: 3 } })).rounds(7)
    for (const [i] of run.events.entries()) {
      const events = run.events.map((event, at) => (at === i ? { ...event, payload: null } : event))
      const folded = new ExchangeRun(plainScript, run.trace, events)
      expect(() => folded.actions()).not.toThrow()
      expect(folded.inner).not.toBe(INITIAL)
    }
  })

  it('of a message limits what can be judged after it, and fails nothing', async () => {
    const home = await openExchangeHome()
    const run = ExchangeRun.open(terms()).rounds(4)
    await recordRun(home, run)
    const seq = run.types().indexOf('mind_wrote')
    await home.registrar.redact({ trace: run.trace, seq, artifact: null }, 'ana', 'private')
    const report = await verified(home, run.trace)
    expect(report.status).toBe('pass-with-warnings')
    expect(new Set(report.failures.map(({ code }) => code))).toEqual(new Set(['REDACTION_LIMITED']))
  })
})
