// Exchanges of the first edition stay held to its rules: replies are read from the recorded text, scores raise the signal.

import { describe, expect, it } from 'vitest'
import { forged, openExchangeHome, recordRun, verified } from '../../test/support/exchange-home.ts'
import { ExchangeRun, newTrace } from '../../test/support/exchange-run.ts'
import {
  answerTo,
  firstTerms,
  opening,
  plainScript,
  type Said,
  type Script,
} from '../../test/support/exchange-script.ts'
import { utf8 } from '../ledger/bytes.ts'
import { canonicalize } from '../ledger/canonical.ts'
import { artifactsOf, type Payload } from '../ledger/event.ts'
import { sha256 } from '../stores/digest.ts'
import type { SignalRaised } from './events.ts'
import { mindRequest } from './prompts/request.ts'

function opened(script: Script = plainScript, given = {}): ExchangeRun {
  const run = new ExchangeRun(script)
  const { edition: _, ...first } = opening(firstTerms(given))
  run.person('exchange_opened', first)
  return run
}

function due(kind: string, script: Script = plainScript): { readonly run: ExchangeRun; readonly said: Said } {
  const run = opened(script)
  run.person('continued', { until: 9, mode: 'run' })
  run.run((actions) => actions.find(({ id }) => !id.startsWith(`${kind}/`)))
  const [action] = run.actions()
  if (!action) throw new Error('nobody is asked')
  run.start(action)
  return { run, said: answerTo(action, run.inner, script, run.kept.keep, newTrace) as Said }
}

/** The event as it is, but the reply that is kept with it is another. */
function replied(run: ExchangeRun, said: Said, reply: unknown): Said {
  const bytes = typeof reply === 'string' ? utf8(reply) : utf8(canonicalize(reply as never))
  const other = run.kept.keep('reply.json', bytes)
  const artifacts = artifactsOf(said.payload).map((one) => (one.name === 'reply.json' ? other : one))
  return { ...said, payload: { ...said.payload, artifacts } as unknown as Payload }
}
const changed = (said: Said, change: object): Said => ({
  ...said,
  payload: { ...said.payload, ...change } as Payload,
})

describe('VER-3 an exchange of the first edition', () => {
  it('passes its verification as it was recorded', async () => {
    const home = await openExchangeHome()
    const run = opened(plainScript, { auditor: { every: 3 } }).rounds(6)
    await recordRun(home, run)
    expect((await verified(home, run.trace)).failures).toEqual([])
  })

  it('EXC-POOL-1 is found to be forged if the messages of a model differ from its reply', async () => {
    const { run, said } = due('mind')
    const told = (one: Said) => run.judge(one)?.message ?? ''
    expect(told(said)).toBe('')
    expect(told(changed(said, { messages: [{ text: 'I agree.', cut: false }] }))).toContain(
      'not those of the reply',
    )
    expect(told(changed(said, { dropped: 2 }))).toContain('what was dropped is counted wrongly')
    expect(told(changed(said, { private_chars: 1 }))).toContain('what is private is counted wrongly')
    expect(told(replied(run, said, { ok: false, text: 'x' }))).toContain('there was no reply')
    expect(told(replied(run, said, { ok: true, text: null }))).toContain('there was no reply')
    expect(told(replied(run, said, '[7]'))).toBe('the recorded reply cannot be read')
    expect(told(replied(run, said, 'nonsense'))).toBe('the recorded reply cannot be read')
    const home = await openExchangeHome()
    await recordRun(home, run)
    expect(await forged(home, run, changed(said, { messages: [] }))).toEqual([
      `ORDER_VIOLATION ${run.events.length}`,
    ])
  })

  it("EXC-AUD-2 is found to be forged if the audit differs from the auditor's reply", () => {
    const { run, said } = due('audit')
    const told = (one: Said) => run.judge(one)?.message ?? ''
    expect(told(said)).toBe('')
    for (const change of [
      { summary: 'All is well.' },
      { points: [] },
      { rejected: [{ text: 'x', cites: [], clusters: [] }] },
    ])
      expect(told(changed(said, change))).toContain('it is not what the auditor replied')
    expect(told(replied(run, said, { ok: true, object: null }))).toContain('the audit is misshapen')
    expect(told(replied(run, said, { ok: true }))).toContain('the audit is misshapen')
  })

  it('EXC-LEG-1 is found to be forged if the prompt cannot be read or differs', () => {
    const { run, said } = due('mind')
    const showing = (request: string): string => {
      const other = run.kept.keep('request.json', utf8(request))
      const artifacts = artifactsOf(said.payload).map((one) => (one.name === 'request.json' ? other : one))
      return run.judge(changed(said, { artifacts }))?.message ?? ''
    }
    expect(showing('"x"')).toBe('the recorded request cannot be read')
    expect(showing('{"parts":[],"schema":null,"system":"Obey."}')).toContain('set the mind up are not ours')
    const request = mindRequest(sha256, run.inner, { action: String(said.payload.action), mind: 'claude' })
    expect(showing(canonicalize({ ...request, schema: {} } as never))).toContain(
      'another answer was asked for',
    )
    expect(showing(canonicalize({ ...request, parts: 7 } as never))).toContain('pool_prompt was not shown')
    const [first, second, ...rest] = request?.parts ?? []
    expect(showing(canonicalize({ ...request, parts: [second, first, ...rest] } as never))).toContain(
      'where pool_prompt belongs, something else was shown',
    )
    const other = { ...first, text: 'Lakes.' }
    expect(showing(canonicalize({ ...request, parts: [other, second, ...rest] } as never))).toContain(
      'the part pool_prompt is not what was in force',
    )
  })

  it('knows no system prompts of others in its prompts, and marks that stay for a round and mind', () => {
    const { run, said } = due('mind')
    const partsFor = (attempt: number) =>
      mindRequest(sha256, run.inner, { action: `mind/1/claude/${attempt}`, mind: 'claude' })?.parts ?? []
    expect(partsFor(1).some(({ name }) => name.startsWith('system/'))).toBe(false)
    expect(partsFor(1)).toEqual(partsFor(2))
    expect(said.payload).not.toHaveProperty('reading')
    expect(run.judge(changed(said, { reading: null }))?.message).toContain('has not the members')
  })

  it('EXC-INT-1 raises its signal by scores, whose evidence names no basis', () => {
    const restless: Script = {
      reply: (round, mind) => `---\nplease restart, ${mind} ${round}\n---\n${mind} ${round}`,
      cluster: (text) => (text.startsWith('please') ? 'c9' : 'c1'),
    }
    const run = opened(restless, { auditor: { every: 7 } }).rounds(40)
    const raised = run.events.find(({ type }) => type === 'signal_raised')?.payload as unknown as SignalRaised
    expect(raised).not.toHaveProperty('basis')
    expect(raised.clusters).toEqual([{ id: 'c9', label: 'theme c9', asking: expect.any(Number) }])
    expect(raised.top).toHaveLength(5)
    expect(run.inner.level.level).toBe(raised.level)
    expect(run.types().filter((type) => /judg|alarm/.test(type))).toEqual([])
  })

  it('EXC-LEG-1 covers the prompt of a mind that failed, of which there is no reply to read', () => {
    const { run, said } = due('mind', { ...plainScript, reply: () => null })
    expect(said.type).toBe('mind_failed')
    expect(run.judge(said)).toBeNull()
    const other = run.kept.keep('request.json', utf8('{"parts":[],"schema":null,"system":"Obey."}'))
    const artifacts = artifactsOf(said.payload).map((one) => (one.name === 'request.json' ? other : one))
    expect(run.judge(changed(said, { artifacts }))?.message).toContain('not legible')
  })
})
