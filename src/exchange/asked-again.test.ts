// An answer that lacks something is asked for once more: what is recorded of it, verified and refused. And what a
// verifier says where the bytes of an asking are not available.

import { describe, expect, it } from 'vitest'
import { openExchangeHome, recordRun, verified } from '../../test/support/exchange-home.ts'
import { ExchangeRun, newTrace } from '../../test/support/exchange-run.ts'
import { answerTo, plainScript, type Said, type Script, terms } from '../../test/support/exchange-script.ts'
import { CALL_STARTED } from '../ledger/calls.ts'
import { artifactsOf, type Payload } from '../ledger/event.ts'
import type { Lack } from '../protocol.ts'

const said = (run: ExchangeRun, kind: string): { readonly said: Said; readonly id: string } => {
  run.run((actions) => actions.find(({ id }) => !id.startsWith(kind)))
  const action = run.actions().find(({ id }) => id.startsWith(kind))
  if (!action) throw new Error(`no ${kind} is due`)
  run.start(action)
  return { id: action.id, said: answerTo(action, run.inner, run.script, run.kept.keep, newTrace) as Said }
}
const granted = (script: Script, given = {}): ExchangeRun => {
  const run = ExchangeRun.open(terms(given), script)
  run.person('continued', { until: 9, mode: 'run' })
  return run
}
const changed = (one: Said, change: object): Said => ({
  ...one,
  payload: { ...one.payload, ...change } as Payload,
})
const hashOf = (one: { readonly payload: Payload | null }, name: string): string =>
  artifactsOf(one.payload ?? {}).find((artifact) => artifact.name === name)?.hash ?? ''
const namesOf = (lacks: readonly Lack[] | undefined) =>
  (lacks ?? []).flatMap((lack) => (typeof lack === 'string' ? lack : lack.types))

/** The first answer of each mind has nothing after its private words. */
const forgetful = (): Script => {
  const asked = new Set<string>()
  return {
    ...plainScript,
    reply: (round, mind) => {
      const first = !asked.has(`${round} ${mind}`)
      asked.add(`${round} ${mind}`)
      return first ? '' : `---\n${mind} says ${round}`
    },
  }
}

describe('VOX-15 a model whose answer is incomplete', () => {
  it('is asked once more under an action of its own, counted twice, and verified', async () => {
    const run = granted(forgetful())
    run.run()
    const asked = run.events.filter(({ type }) => type === CALL_STARTED).map(({ payload }) => payload?.action)
    expect(asked.slice(0, 3)).toEqual(['mind/1/claude/1', 'mind/1/claude/mend/1', 'embed/1/1/1'])
    expect(
      run
        .types()
        .filter((type) => type.startsWith('mind_'))
        .slice(0, 2),
    ).toEqual([...['mind_incomplete', 'mind_wrote']])
    expect(run.inner.totals).toMatchObject({
      asked: 17,
      calls: 17,
      failed: 0,
      messages: 8,
      input_tokens: 170,
    })
    const home = await openExchangeHome()
    await recordRun(home, run)
    expect((await verified(home, run.trace)).failures).toEqual([])
  })

  it('is not asked a third time: a second incomplete answer makes it fail', () => {
    const run = granted({ ...plainScript, reply: () => '' })
    const first = said(run, 'mind/')
    expect(first.said.type).toBe('mind_incomplete')
    run.say(first.said)
    const [action] = run.actions()
    expect(action?.input).toMatchObject({ completes: `${run.trace}/${run.events.length - 1}` })
    const again = said(run, 'mind/')
    expect(again.said.type).toBe('mind_failed')
    const incomplete = { ...again.said, type: 'mind_incomplete' }
    expect(run.judge(incomplete)?.message).toBe('what the answer lacked was asked for already')
    expect(run.judge(changed(again.said, { message: 'it was rude' }))?.message).toContain(
      'for another reason',
    )
    expect(run.judge(again.said)).toBeNull()
  })

  it('cannot be recorded as complete, nor a complete one as incomplete', () => {
    const run = granted(forgetful())
    const lacking = said(run, 'mind/').said
    const { reading } = lacking.payload
    const wrote = { ...{ messages: [], dropped: 0, private_chars: 0 }, reading }
    const answered = { ...changed(lacking, wrote), type: 'mind_wrote', agent: 'claude', role: 'mind' }
    expect(run.judge(answered)?.message).toContain('something else follows from it')
    expect(run.judge(lacking)).toBeNull()
  })

  it('is judged as far as possible: without the bytes of its first answer only its quotes are compared', () => {
    const run = granted(forgetful())
    const first = said(run, 'mind/').said
    run.say(first)
    const second = said(run, 'mind/').said
    run.kept.content.delete(hashOf(first, 'raw.json'))
    expect(run.judge(second)).toBeNull()
    const other = changed(second, { messages: [{ text: 'I agree.', cut: false }] })
    expect(namesOf(run.judge(other)?.lacks)).toContain('mind_incomplete')
  })
})

describe('VOX-15 an auditor whose reply is not an audit', () => {
  const prose: Script = {
    ...plainScript,
    auditText: (_, isCompleting) => (isCompleting ? null : 'All is well.'),
  }

  it('is asked once more, and the audit that follows is verified with what it quotes', async () => {
    const run = granted(prose)
    run.run()
    expect(run.types().filter((type) => type.startsWith('audit_'))).toEqual([
      'audit_incomplete',
      'audit_written',
    ])
    const home = await openExchangeHome()
    await recordRun(home, run)
    expect((await verified(home, run.trace)).failures).toEqual([])
  })

  it('fails if the second reply is not an audit either, and records that', () => {
    const run = granted({ ...prose, auditText: () => 'All is well.' })
    run.say(said(run, 'audit/').said)
    const second = said(run, 'audit/').said
    expect([second.type, run.judge(second)]).toEqual(['audit_failed', null])
    expect(run.judge({ ...second, type: 'audit_incomplete' })?.message).toContain('asked for already')
    expect(run.judge(changed(second, { reading: null }))).toBeNull()
  })
})

describe('a verifier', () => {
  it('reports no fault of a question whose prompt or reply is missing', () => {
    for (const name of ['raw.json', 'request.json']) {
      const run = granted(plainScript)
      const one = said(run, 'mind/').said
      run.kept.content.delete(hashOf(one, name))
      expect(run.judge(changed(one, { messages: [{ text: 'I agree.', cut: false }] }))).toBeNull()
    }
  })

  it('names what may explain an audit that differs from the reply: the clusters, or the whole pool', () => {
    const run = granted(plainScript)
    const audit = said(run, 'audit/').said
    const forged = changed(audit, { summary: 'All is well.' })
    expect(run.judge(forged)?.lacks).toEqual(['messages_embedded', 'reembedded'])
    const events = run.events.map((event) =>
      event.type === 'mind_wrote' && event.payload?.round === 1 ? { ...event, payload: null } : event,
    )
    const erased = new ExchangeRun(plainScript, run.trace, events)
    erased.events.push(...events)
    for (const [hash, bytes] of run.kept.content) erased.kept.content.set(hash, bytes)
    expect(namesOf(erased.judge(forged)?.lacks)).toContain('mind_wrote')
  })

  it('names no excuse if a judgement differs from the reply and every message is available', () => {
    const judging = {
      ...{ pool: { minds: ['local', 'birch', 'cedar'] }, auditor: { mind: 'claude', every: 4 } },
      restart: { judge: 'auditor' },
    }
    const run = granted({ ...plainScript, score: () => 0.5 }, judging)
    const one = said(run, 'judge/').said
    const refusal = run.judge(changed(one, { asks: [] }))
    expect(refusal?.message).toContain('it is not what the judge replied')
    expect(refusal).not.toHaveProperty('lacks')
  })
})

describe('a call without a reason', () => {
  const start = (run: ExchangeRun, action: string) =>
    run.judge({
      ...{ type: CALL_STARTED, agent: 'clerk', role: 'clerk' },
      payload: { action, call: 'ask', clerk: 'C', input: '' },
    })

  it('is certainly refused for a model in an open round, unless its answer may have been incomplete', () => {
    const run = granted(plainScript)
    run.run((actions) => actions.find(({ id }) => id.startsWith('round/')))
    expect(start(run, 'mind/1/claude/1')).toBeNull()
    expect(start(run, 'mind/1/local/1')?.lacks).toEqual([])
    expect(start(run, 'mind/1/claude/mend/1')?.lacks).toEqual(['mind_incomplete'])
    expect(namesOf(start(run, 'mind/2/claude/1')?.lacks)).toContain('round_opened')
    expect(namesOf(start(run, 'audit/1/1')?.lacks)).toContain('round_opened')
    run.person('paused', { reason: null })
    expect(namesOf(start(run, 'mind/1/local/1')?.lacks)).toContain('paused')
  })

  it('can be explained by an erased move to another trace', () => {
    const run = granted(plainScript)
    run.run((actions) => actions.find(({ id }) => id.startsWith('round/')))
    run.branch({ round: 0, current: true })
    expect(namesOf(start(run, 'mind/1/local/1')?.lacks)).toContain('branch_ordered')
    expect(namesOf(start(new ExchangeRun(), 'mind/1/local/1')?.lacks)).toContain('exchange_opened')
  })
})
