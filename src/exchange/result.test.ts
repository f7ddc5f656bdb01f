import { describe, expect, it } from 'vitest'
import { ExchangeRun } from '../../test/support/exchange-run.ts'
import { opening, plainScript, type Script, terms, termsIn } from '../../test/support/exchange-script.ts'
import { exchangeValue } from './result.ts'

const restless: Script = {
  ...plainScript,
  reply: (round, mind) => `---\n[RESTART] ${mind} ${round}\n---\n${mind} adds ${round}`,
  cluster: () => 'c9',
}

describe('the state of an exchange', () => {
  it('is open, stopped, moved or halted, with what was granted and used', () => {
    const run = ExchangeRun.open(terms()).rounds(3)
    expect(exchangeValue(run.inner)).toMatchObject({
      ...{ trace: run.trace, status: 'open', round: 3, granted: 3, moved_to: null, stopped: null },
      ...{ phase: 'free-running', signal: null, note: null, encoder: 'test:letters@1:4', clusters: [] },
      totals: { asked: 3, calls: 3, failed: 0, messages: 6, input_tokens: 30, output_tokens: 15 },
    })
    expect(exchangeValue(run.inner).totals.usd).toBeCloseTo(0.003)
    // A mind that could not be reached at all was sent nothing.
    const failed = new ExchangeRun({ ...plainScript, reply: () => null }, run.trace, run.events)
    const [last] = run.events.filter(({ type }) => type === 'mind_wrote')
    const attempts = ['unavailable', null, 'timeout'].map((cause) => ({ cause }))
    const opened = run.events.find(({ type }) => type === 'round_opened')
    failed.fold({ type: 'round_opened', agent: 'clerk', role: 'clerk', payload: opened?.payload ?? {} })
    failed.fold({
      type: 'mind_wrote',
      agent: 'claude',
      role: 'mind',
      payload: { ...last?.payload, attempts } as never,
    })
    expect(failed.inner.totals.calls).toBe(5)
    run.person('paused', { reason: 'lunch' })
    expect(exchangeValue(run.inner)).toMatchObject({ status: 'stopped', stopped: 'lunch' })
    const child = run.branch({ round: 2, current: true })
    expect(exchangeValue(run.inner)).toMatchObject({ status: 'moved', moved_to: child.trace })
    run.person('exchange_halted', { reason: null })
    expect(exchangeValue(run.inner).status).toBe('halted')
  })

  it('EXC-INT-1 names the signal that waits, the models that asked, and the effect of each answer', () => {
    const run = ExchangeRun.open(terms({ auditor: { every: 7 } }), restless).rounds(40)
    const { signal, restart, level } = exchangeValue(run.inner)
    expect(signal).toMatchObject({ number: 1, round: run.inner.closed, asked: run.inner.signal?.asked })
    expect(Object.keys(signal?.answers ?? {}).sort()).toEqual([
      'acknowledge',
      'amend',
      'branch',
      'halt',
      'rollback',
    ])
    expect(restart).toMatchObject({ hear: 'judge', alarm: false, judge: null, tags: level, judged: 0 })
    expect(restart?.themes).toMatchObject([{ id: 'c9' }])
    const amended = terms({ auditor: { every: 7 }, pool: { prompt: 'Lakes.' } })
    const amend = { signal: 1, answer: 'amend', reason: null, terms: amended, branch: null }
    run.person('signal_answered', amend)
    expect(exchangeValue(run.inner)).toMatchObject({ phase: 'structured', signal: null })
  })

  it('EXC-INT-3 shows the questions to the judge, and their cost', () => {
    const judging = {
      ...{ pool: { minds: ['local', 'birch', 'cedar'] }, auditor: { mind: 'claude', every: 4 } },
      restart: { judge: 'auditor' },
    }
    const run = ExchangeRun.open(terms(judging)).rounds(4)
    expect(exchangeValue(run.inner).restart).toMatchObject({
      judge: 'claude',
      judgings: { asked: 1, usd: 0.001, last: { purpose: 'judge', bore: null } },
    })
    const first = new ExchangeRun()
    const { edition: _, ...base } = opening(termsIn(1))
    first.person('exchange_opened', base)
    expect(exchangeValue(first.inner).restart).toBeNull()
    expect(exchangeValue(new ExchangeRun().inner)).toMatchObject({ restart: null, note: null })
  })

  it('APP-1 says of a pool of prepared sentences that no model was asked', () => {
    const note = (...minds: readonly string[]) =>
      exchangeValue(ExchangeRun.open(terms({ pool: { minds }, auditor: { mind: minds[0] } })).inner).note
    expect(note('demo-a', 'demo-b')).toContain('mechanics demo')
    expect(note('demo-a', 'claude')).toBeNull()
    expect(note('a-demo-')).toBeNull()
    expect(note('scripted-a')).toContain('scripted demo')
  })
})
