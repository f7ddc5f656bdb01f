// What an exchange refuses of people, minds and clerks: each act is one that would be accepted but for one thing.

import { describe, expect, it } from 'vitest'
import { ExchangeRun, newTrace } from '../../test/support/exchange-run.ts'
import {
  answerTo,
  opening,
  plainScript,
  type Said,
  type Script,
  terms,
} from '../../test/support/exchange-script.ts'
import { artifactsOf, type Payload } from '../ledger/event.ts'
import type { Action, Refusal } from '../protocol.ts'

/** A run that has come to this action, which is begun, and what its performer says. */
function due(run: ExchangeRun, kind: string): { readonly action: Action; readonly said: Said } {
  run.run((actions) => actions.find(({ id }) => !id.startsWith(`${kind}/`)))
  const action = run.actions().find(({ id }) => id.startsWith(`${kind}/`))
  if (!action) throw new Error(`no ${kind} is due`)
  run.start(action)
  const said = answerTo(action, run.inner, run.script, run.kept.keep, newTrace)
  if (!said) throw new Error('nobody answers')
  return { action, said }
}

const granted = (under = terms(), script: Script = plainScript): ExchangeRun => {
  const run = ExchangeRun.open(under, script)
  run.person('continued', { until: 12, mode: 'run' })
  return run
}
const saying =
  (run: ExchangeRun, said: Said) =>
  (change: object): Refusal | null =>
    run.judge({ ...said, payload: { ...said.payload, ...change } as Payload })
const kept = (said: Said, ...names: readonly string[]) =>
  artifactsOf(said.payload).filter(({ name }) => names.includes(name))

describe('a reply of a model is refused', () => {
  const run = granted(terms({ pool: { max_messages: 2, max_chars: 20 } }))
  const { said } = due(run, 'mind')
  const judge = saying(run, said)
  const messages = (...texts: readonly string[]) => ({
    messages: texts.map((text) => ({ text, cut: false })),
  })

  it('EXC-POOL-1 if it has more or longer messages than the terms allow, or untrimmed ones', () => {
    expect(judge({})).toBeNull()
    expect(judge(messages('a', 'b', 'c'))?.message).toBe('more messages than the terms allow')
    expect(judge(messages('x'.repeat(21)))?.message).toBe('a message is longer than the terms allow')
    for (const text of [' a', 'a\n'])
      expect(judge(messages(text))?.message).toBe('a message is empty or untrimmed')
    expect(judge(messages('fine', 'x'.repeat(20)))?.code).toBe('ORDER_VIOLATION')
  })

  it('EXC-POW-1 if it names another model or round than its action', () => {
    const words = 'it answers for another round or mind than it names'
    expect(judge({ round: 2 })?.message).toBe(words)
    expect(run.judge({ ...said, agent: 'local', payload: { ...said.payload, mind: 'local' } })?.message).toBe(
      words,
    )
  })

  it('if the prompt or the reply is not kept', () => {
    for (const name of ['request.json', 'reply.json'])
      expect(judge({ artifacts: kept(said, name) })?.message).toBe('what was asked and answered is not kept')
  })

  it('VOX-15 if it does not say how it was read, or names an unknown reader', () => {
    const { reading, ...unread } = said.payload
    expect(run.judge({ ...said, payload: unread })?.message).toContain('has not the members')
    expect(judge({ reading: { ...(reading as object), reader: 99 } })?.message).toBe(
      'there is no such reader here',
    )
    expect(judge({ reading: null })?.message).toContain('how the reply was read is not recorded')
  })

  it('VOX-15 if the raw reply is not kept, or is not one', () => {
    expect(judge({ artifacts: kept(said, 'request.json', 'reply.json') })?.message).toContain(
      'there was no reply',
    )
    const garbled = run.kept.keep('raw.json', new TextEncoder().encode('{"text":7}'))
    const artifacts = [...kept(said, 'request.json', 'reply.json'), garbled]
    expect(judge({ artifacts })?.message).toContain('the recorded reply cannot be read')
  })

  it('EXC-POOL-1 if it miscounts dropped or private parts', () => {
    expect(judge({ dropped: 1 })?.message).toContain('what was dropped is counted wrongly')
    expect(judge({ private_chars: 0 })?.message).toContain('what is private is counted wrongly')
    expect(run.judge({ ...said, type: 'mind_incomplete', agent: 'clerk', role: 'clerk' })?.message).toContain(
      'something else follows from it',
    )
  })
})

describe('EXC-AUD-2 an audit is refused', () => {
  const script: Script = { ...plainScript, cluster: (text) => (text.includes('claude') ? 'c1' : 'c2') }
  const run = granted(terms(), script)
  const { said } = due(run, 'audit')
  const judge = saying(run, said)

  it('if it cites messages that were not shown, or none, or hides what it left out', () => {
    expect(judge({})).toBeNull()
    const points = (cites: readonly string[]) => ({ points: [{ text: 'x', cites, clusters: [] }] })
    expect(judge(points(['77.1']))).toMatchObject({ code: 'CLAIM_UNPROVEN', lacks: expect.any(Array) })
    expect(judge(points([]))).toEqual({
      code: 'CLAIM_UNPROVEN',
      message: 'a point of the audit cites nothing',
    })
    expect(judge({ left_out: [] })?.message).toContain('left out are listed wrongly')
    expect(judge({ round: 4 })?.message).toBe('it answers for another round or mind than it names')
  })

  it("if it differs from the auditor's reply, or the reply is not kept", () => {
    expect(judge({ summary: 'All is well.' })?.message).toContain('it is not what the auditor replied')
    expect(judge({ rejected: [{ text: 'x', cites: [], clusters: [] }] })?.message).toContain(
      'not what the auditor',
    )
    expect(judge({ artifacts: kept(said, 'reply.json') })?.message).toBe(
      'what was asked and answered is not kept',
    )
    expect(run.judge({ ...said, agent: 'local' })?.message).toBe('local is not the auditor of these terms')
  })
})

describe('EXC-INT-3 a judgement is refused', () => {
  const script: Script = { ...plainScript, score: () => 0.5 }
  const judging = terms({
    pool: { minds: ['local', 'birch', 'cedar'] },
    auditor: { mind: 'claude', every: 4 },
    restart: { judge: 'auditor' },
  })
  const run = granted(judging, script)
  const { said } = due(run, 'judge')
  const judge = saying(run, said)
  const [first] = said.payload.asks as unknown as readonly { readonly id: string; readonly quote: string }[]

  it('if it cites a message that the judge was not shown, or one message twice', () => {
    expect(judge({})).toBeNull()
    expect(judge({ asks: [first, first] })?.message).toBe('a message is cited twice')
    expect(judge({ asks: [{ ...first, id: '99.1' }] })).toMatchObject({
      code: 'CLAIM_UNPROVEN',
      message: 'a message is cited that the judge was not shown',
    })
  })

  it('if it is of another round or judge, or not kept', () => {
    expect(judge({ round: Number(said.payload.round) + 1 })?.code).toBe('SCHEMA_INVALID')
    expect(judge({ mind: 'birch' })?.code).toBe('SCHEMA_INVALID')
    expect(run.judge({ ...said, agent: 'juno' })?.message).toBe('juno is not the judge that is asked')
    expect(judge({ artifacts: [] })?.message).toBe('what was asked and answered is not kept')
  })

  it('if the prompt showed the judge anything except the messages of its order', () => {
    const other = run.kept.keep(
      'request.json',
      new TextEncoder().encode('{"parts":[],"schema":null,"system":""}'),
    )
    const artifacts = [other, ...kept(said, 'reply.json', 'raw.json')]
    expect(judge({ artifacts })?.message).toContain('the prompt is not legible by the terms')
  })
})

describe('EXC-EMB-1 vectors are refused', () => {
  const run = granted()
  const { said } = due(run, 'embed')
  const judge = saying(run, said)
  const bytes = (length: number) => ({ artifacts: [run.kept.keep('vectors.bin', new Uint8Array(length))] })
  const messages = said.payload.messages as unknown as readonly {
    readonly id: string
    readonly score: number
  }[]

  it('if the encoder names no dimension, or if one message has two', () => {
    expect(judge({})).toBeNull()
    expect(judge({ encoder: 'nameless' })?.message).toBe('the encoder names no dimension')
    expect(judge({ messages: [...messages, messages[0]], ...bytes(24) })?.message).toBe(
      'a message has two vectors',
    )
  })

  it('if a theme gets an unknown message, or a message already has its vector', () => {
    expect(judge({ assigned: [{ id: '9.9', cluster: null }] })?.message).toContain('not here')
    const later = granted()
    due(later, 'embed')
    const next = ExchangeRun.open(terms()).rounds(1)
    next.person('continued', { until: 2, mode: 'run' })
    const again = due(next, 'embed')
    const more = [...(again.said.payload.messages as unknown as object[]), { id: '1.1', score: 0.5 }]
    const artifacts = [next.kept.keep('vectors.bin', new Uint8Array(24))]
    expect(saying(next, again.said)({ messages: more, artifacts })?.message).toBe(
      'a message that has its vector is given another',
    )
  })

  it('if they are for another round than the request', () => {
    expect(judge({ round: 2 })?.message).toBe('it answers for another round or mind than it names')
  })
})

describe('EXC-OBS-1 an act of the observer is refused', () => {
  const refused = (run: ExchangeRun, type: string, payload: object, agent = 'ana'): string | undefined =>
    run.judge({ type, agent, role: 'observer', payload: payload as Payload })?.message

  it('if its text is untrimmed, has its prefix, or answers an audit that was not the last', () => {
    const run = ExchangeRun.open(terms({ auditor: { every: 2 } })).rounds(4)
    expect(refused(run, 'injected', { text: 'Go on.' })).toBeUndefined()
    for (const text of [' Go on.', '>>> Go on.', '>>>'])
      expect(refused(run, 'injected', { text })).toContain('without their prefix')
    expect(refused(run, 'injected', { text: '[OBSERVER] Go on.' })).toBeUndefined()
    expect(refused(run, 'observer_spoke', { text: '[observer] Go on.', audit: null })).toContain('prefix')
    expect(refused(run, 'observer_spoke', { text: 'Go on.', audit: 4 })).toBeUndefined()
    expect(refused(run, 'observer_spoke', { text: 'Go on.', audit: 2 })).toBe('there was no such audit')
    expect(refused(run, 'observer_passed', { audit: 2 })).toBe('no such audit waits for the observer')
  })

  it('if more than twenty messages would be pinned', () => {
    const run = ExchangeRun.open(terms({ pool: { window: 60 } })).rounds(14)
    const ids = run.inner.pool.map(({ id }) => id)
    for (const message of ids.slice(0, 20)) run.person('pinned', { message })
    expect(refused(run, 'pinned', { message: ids[20] })).toBe('no more than 20 messages can be pinned')
    run.person('unpinned', { message: ids[0] })
    expect(refused(run, 'pinned', { message: ids[20] })).toBeUndefined()
  })

  it('if rounds are granted that are over', () => {
    const run = ExchangeRun.open(terms()).rounds(3)
    expect(refused(run, 'continued', { until: 2, mode: 'run' })).toBe('those rounds are over')
    expect(refused(run, 'continued', { until: 3, mode: 'run' })).toBeUndefined()
  })

  it('if a branch is made that the observer did not order, or ordered twice', () => {
    const run = ExchangeRun.open(terms()).rounds(3)
    const branch = { into: newTrace(), round: 2, carry: 'window', terms: null, current: false }
    expect(refused(run, 'branched', { into: branch.into })).toBe('no such branch was ordered')
    run.person('branch_ordered', { branch, reason: null })
    expect(refused(run, 'branch_ordered', { branch, reason: null })).toBe('that branch is ordered already')
    expect(run.actions()).toContainEqual(
      expect.objectContaining({ call: 'park', waitsFor: `ana to finish the branch ${branch.into}` }),
    )
    const byPolicy = { type: 'branched', agent: 'policy', role: 'policy', payload: { into: branch.into } }
    expect(run.judge(byPolicy)?.message).toBe('only the role that ordered a branch can make it')
    expect(refused(run, 'branched', { into: branch.into })).toBeUndefined()
  })

  it('if the exchange is not open, is already open, or does not know the act', () => {
    const fresh = new ExchangeRun()
    expect(refused(fresh, 'injected', { text: 'Go on.' })).toBe('the exchange is not open')
    const run = ExchangeRun.open(terms())
    expect(refused(run, 'exchange_opened', opening(terms()))).toBe(
      'an exchange is opened once, by its first event',
    )
    for (const type of ['applauded', 'constructor', 'to_string']) {
      expect(refused(run, type, {})).toBe(`${type} is no event of an exchange`)
      const before = run.inner
      const unknown = new ExchangeRun(plainScript, run.trace, run.events)
      unknown.fold({ type, agent: 'ana', role: 'observer', payload: { text: 'x' } })
      expect(unknown.inner).toEqual(before)
    }
    expect(refused(run, 'injected', { text: 7 })).toContain('text')
  })

  it('if it opens an exchange under invalid terms, or with vectors of length zero', () => {
    const fresh = new ExchangeRun()
    const unsound = { ...terms(), pool: { ...terms().pool, minds: [] } }
    expect(refused(fresh, 'exchange_opened', opening(unsound))).toContain(
      'the terms are not sound: pool.minds',
    )
    expect(refused(fresh, 'exchange_opened', { ...opening(terms()), encoder: 'nameless' })).toBe(
      'the encoder names no dimension',
    )
    expect(refused(fresh, 'exchange_opened', opening(terms()))).toBeUndefined()
  })
})
