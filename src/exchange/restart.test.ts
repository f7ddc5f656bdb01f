import { describe, expect, it } from 'vitest'
import { openExchangeHome, recordRun, verified } from '../../test/support/exchange-home.ts'
import { ExchangeRun, newTrace, protocol, Refused } from '../../test/support/exchange-run.ts'
import { plainScript, type Script, terms } from '../../test/support/exchange-script.ts'
import { actor } from '../../test/support/tamper.ts'
import { RefusedError, TraceLog } from '../clerk/trace-log.ts'
import { sha256 } from '../stores/digest.ts'
import type { SignalRaised } from './events.ts'
import { mindRequest } from './prompts/request.ts'
import type { Terms } from './terms.ts'

/** From round 9 on every mind asks for a restart. */
const restless: Script = {
  ...plainScript,
  reply: (round, mind) =>
    round < 9
      ? `---\n${mind} ${round} a\n---\n${mind} ${round} b`
      : `---\n[RESTART] ${mind} ${round}\n---\nplease restart`,
  cluster: (text) => (/restart/i.test(text) ? 'c9' : 'c1'),
}

const rare = (given: { [part: string]: object } = {}): Terms =>
  terms({ ...given, auditor: { every: 7, ...given.auditor } })

const raised = (run: ExchangeRun): SignalRaised =>
  run.events.find(({ type }) => type === 'signal_raised')?.payload as unknown as SignalRaised
const kinds = (run: ExchangeRun): readonly string[] =>
  run.types().filter((type) => /signal|phase|halt|branch|trace_forked/.test(type))
const answer = (given: object): object => ({
  signal: 1,
  answer: 'acknowledge',
  reason: null,
  terms: null,
  branch: null,
  ...given,
})

describe('the signal', () => {
  it('EXC-INT-2 pauses the exchange and asks the observer, with the evidence on record', () => {
    const run = ExchangeRun.open(rare(), restless).rounds(40)
    const evidence = raised(run)
    expect(evidence.signal).toBe(1)
    expect(evidence.level).toBeGreaterThanOrEqual(0.3)
    expect(evidence.round).toBe(run.inner.closed)
    expect(evidence.series.at(-1)?.level).toBe(evidence.level)
    expect(evidence.rounds.at(-1)).toEqual({ round: evidence.round, asking: 1, messages: 2 })
    expect(evidence.clusters).toMatchObject([{ id: 'c9', label: 'theme c9' }])
    expect(evidence.top.length).toBe(5)
    expect(run.actions()).toMatchObject([
      { call: 'park', id: 'answer/1/1', waitsFor: 'ana to answer signal 1: the pool asks for a restart' },
    ])
    expect(() => run.person('continued', { until: 50, mode: 'run' })).toThrow('waits for an answer first')
  })

  it('is recorded only if it follows from the recorded scores', () => {
    const run = ExchangeRun.open(rare(), restless)
    run.person('continued', { until: 40, mode: 'run' })
    run.run((actions) => actions.find(({ id }) => !id.startsWith('signal/')))
    const [action] = run.actions()
    const say = (change: object) =>
      run.judge({
        type: 'signal_raised',
        agent: 'clerk',
        role: 'clerk',
        payload: { action: action?.id ?? '', ...action?.input, ...change },
      })
    expect(say({})).toBeNull()
    expect(say({ level: 0.9 })?.code).toBe('ORDER_VIOLATION')
    expect(say({ top: ['1.1'] })?.code).toBe('ORDER_VIOLATION')
    const calm = ExchangeRun.open(rare()).rounds(12)
    const refusal = calm.judge({
      type: 'signal_raised',
      agent: 'clerk',
      role: 'clerk',
      payload: { action: 'signal/1/1', ...action?.input },
    })
    expect(refusal?.code).toBe('ORDER_VIOLATION')
  })

  it('EXC-INT-2 that is acknowledged leaves the exchange unchanged, and no phase begins', () => {
    const run = ExchangeRun.open(rare(), restless).rounds(40)
    const at = run.inner.closed
    run.person('signal_answered', answer({}))
    run.run()
    expect(run.inner.closed).toBeGreaterThan(at)
    expect(run.inner.phase).toBeNull()
    expect(kinds(run)).not.toContain('phase_changed')
  })

  it('EXC-INT-2 answered by an amendment begins the structured phase once, and prompts say what was asked and changed', () => {
    const run = ExchangeRun.open(rare(), restless).rounds(40)
    const under = run.inner.terms ?? rare()
    const asked = raised(run).top
    const amended = { ...under, pool: { ...under.pool, prompt: 'Think about lakes.' } }
    run.person('signal_answered', answer({ answer: 'amend', terms: amended }))
    run.run((actions) => actions.find(({ id }) => !id.startsWith('mind/')))
    expect(run.inner.phase).toMatchObject({ signal: 1, answer: 'amend', asked, changed: ['pool.prompt'] })
    const mind = run.inner.round?.samples[0]?.mind ?? ''
    const part = mindRequest(sha256, run.inner, { action: 'mind/41/1', mind })?.parts.find(
      ({ name }) => name === 'phase',
    )
    expect(part?.text).toContain('asked for a restart (signal 1)')
    expect(part?.text).toContain('answered by amend. Changed in the terms: pool.prompt.')
    expect(part?.quotes).toEqual({ kind: 'event', id: run.inner.phase?.event })
    run.run()
    const second = run.inner.terms ?? rare()
    const again = { ...second, pool: { ...second.pool, prompt: 'Think about seas.' } }
    run.person('signal_answered', answer({ signal: 2, answer: 'amend', terms: again }))
    run.run()
    expect(kinds(run).filter((type) => type === 'phase_changed')).toHaveLength(1)
  })

  it('EXC-INT-2 answered by a halt ends the exchange', () => {
    const run = ExchangeRun.open(rare(), restless).rounds(40)
    run.person('signal_answered', answer({ answer: 'halt' }))
    expect([run.inner.halted, run.actions()]).toEqual([true, []])
  })

  it('EXC-INT-2 answered by a branch on new terms continues there and not here', () => {
    const run = ExchangeRun.open(rare(), restless).rounds(40)
    const under = run.inner.terms ?? rare()
    const into = newTrace()
    const other = { ...under, auditor: { ...under.auditor, spec: 'Listen.' } }
    const branch = { into, round: run.inner.closed, carry: 'window', terms: other, current: true }
    run.person('signal_answered', answer({ answer: 'branch', branch }))
    expect(run.inner.movedTo).toBe(into)
    const child = run.fork(into).run()
    expect(run.run().inner.closed).toBe(branch.round)
    expect(run.actions()).toMatchObject([{ waitsFor: `no one here: it continues in ${into}` }])
    expect(child.inner.phase).toMatchObject({ answer: 'branch', changed: ['auditor.spec'] })
    expect(child.inner.closed).toBeGreaterThan(branch.round)
    expect(child.inner.terms?.auditor.spec).toBe('Listen.')
  })

  it('accepts no answer of the wrong form', () => {
    const run = ExchangeRun.open(rare(), restless).rounds(40)
    const branch = { into: newTrace(), round: 3, carry: 'window', terms: null, current: true }
    const say = (given: object) => () => run.person('signal_answered', answer(given))
    expect(say({ signal: 7 })).toThrow('no such signal')
    expect(say({ answer: 'branch' })).toThrow('do not go together')
    expect(say({ answer: 'halt', branch })).toThrow('do not go together')
    expect(say({ answer: 'amend' })).toThrow('do not go together')
    expect(say({ answer: 'amend', terms: run.inner.terms })).toThrow('in force already')
    expect(say({ answer: 'rollback', branch: { ...branch, current: false } })).toThrow('the current one')
    expect(say({ answer: 'rollback', branch: { ...branch, round: 99 } })).toThrow('is not over')
    expect(() => ExchangeRun.open(rare()).person('signal_answered', answer({}))).toThrow('no such signal')
  })
})

describe('a policy', () => {
  it.each(['acknowledge', 'halt'] as const)('EXC-INT-2 answers %s under its own name', (policy) => {
    const run = ExchangeRun.open(rare({ restart: { policy } }), restless).rounds(40)
    const said = run.events.find(({ type }) => type === 'signal_answered')
    expect(said?.actor).toMatchObject({ agent: 'policy', role: 'policy' })
    expect(said?.payload).toMatchObject({ answer: policy })
    expect(run.inner.halted).toBe(policy === 'halt')
  })

  it('EXC-INT-2 branches to the given terms, up to its limit', () => {
    const other = { ...rare(), pool: { ...rare().pool, prompt: 'Think about clouds.' } }
    let run = ExchangeRun.open(rare({ restart: { policy: { branch: other }, limit: 1 } }), restless).rounds(
      60,
    )
    const [child] = run.children.values()
    expect(child?.inner.terms?.pool.prompt).toBe('Think about clouds.')
    run = (child as ExchangeRun).run()
    expect(kinds(run)).toEqual(['trace_forked', 'phase_changed', 'signal_raised'])
    expect(run.actions()).toMatchObject([{ call: 'park', id: 'answer/2/1' }])
  })

  it('EXC-INT-2 rolls back to the last audit, and asks the observer once its limit is reached', () => {
    let run = ExchangeRun.open(
      rare({ restart: { policy: { rollback: 'last-audit' }, limit: 2 } }),
      restless,
    ).rounds(40)
    const line: number[] = []
    for (let child = run.children.values().next().value; child; child = run.children.values().next().value) {
      line.push(child.inner.closed)
      run = child.run()
    }
    expect(line).toEqual([21, 21])
    expect(run.actions()).toMatchObject([
      { call: 'park', waitsFor: expect.stringContaining('ana to answer signal') },
    ])
  })

  it('must follow its terms exactly', () => {
    const run = ExchangeRun.open(rare({ restart: { policy: 'acknowledge' } }), restless)
    run.person('continued', { until: 40, mode: 'run' })
    run.run((actions) => actions.find(({ id }) => !id.startsWith('policy/')))
    const say = (given: object) => run.person('signal_answered', answer(given), 'policy', 'policy')
    const otherwise = 'ROLE_POLICY_VIOLATION a policy answers otherwise than its terms say'
    expect(() => say({ answer: 'halt' })).toThrow(otherwise)
    const branch = { into: newTrace(), round: 3, carry: 'window', terms: null, current: true }
    expect(() => say({ answer: 'branch', branch })).toThrow(otherwise)
    const paused = ExchangeRun.open(rare(), restless).rounds(40)
    expect(() => paused.person('signal_answered', answer({}), 'policy', 'policy')).toThrow('to the observer')
    expect(() => run.person('signal_answered', answer({}), 'ana', 'policy')).toThrow('signs as itself')
  })
})

describe('two decisions on one head', () => {
  it('EXC-OBS-1 the first wins, and the other is refused and says why', async () => {
    const home = await openExchangeHome()
    const run = ExchangeRun.open(rare(), restless).rounds(40)
    const one = await recordRun(home, run)
    const other = new TraceLog(home.ports, protocol, run.trace)
    await other.refresh()
    const draft = (payload: object) => ({
      type: 'signal_answered',
      actor: actor('ana', 'observer'),
      payload: { ...payload, via: 'terminal' } as never,
    })
    await one.append([draft(answer({}))])
    await expect(other.append([draft(answer({ answer: 'halt' }))])).rejects.toThrow(RefusedError)
    await other.refresh()
    expect(other.state.inner.halted).toBe(false)
    expect((await verified(home, run.trace)).failures).toEqual([])
  })

  it('EXC-OBS-1 of two rollbacks the second finds that the exchange has moved', () => {
    const run = ExchangeRun.open(rare()).rounds(6)
    const order = (round: number) => ({
      branch: { into: newTrace(), round, carry: 'window', terms: null, current: true },
      reason: null,
    })
    run.person('branch_ordered', order(3))
    expect(() => run.person('branch_ordered', order(2))).toThrow(Refused)
    expect(() => run.person('branch_ordered', order(2))).toThrow('has gone on in')
  })
})
