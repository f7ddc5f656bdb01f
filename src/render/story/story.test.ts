// What a reader is told of a trace, before anyone has checked it.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { policy, type ScriptedReply, type Sitting, sit } from '../../../test/support/council-sitting.ts'
import type { Json } from '../../ledger/canonical.ts'
import type { Occurrence } from '../../protocol.ts'
import { tellOf } from './story.ts'
import { subjectOf } from './subject.ts'

const event = (type: string, payload: unknown): Occurrence => ({
  trace: '01KEC000000000000000000000',
  seq: 0,
  at: '2026-01-01T00:00:00.000Z',
  type,
  actor: { agent: 'olga', role: 'convener', key: 'k' },
  hash: '0',
  payload: payload as { readonly [name: string]: Json },
})

const told = ({ spoken }: Sitting): readonly string[] =>
  spoken.map(({ type, agent, payload }) => {
    const actor = { agent, role: 'x', key: 'k' }
    const line = tellOf('council/1', { ...event(type, payload), actor })
    return line ? [line.text, ...line.more].join(' | ') : type
  })

describe('the story of a council', () => {
  it('tells every event: the questions to each seat, each stance, the result', () => {
    const lines = told(sit())
    const inOrder = [
      /^olga asked \(ask\): Shall we put a cache before the reader\? \| seats: ann \(ann-1\), .* \| chair: ann$/,
      /^clerk begins opinion\/ann\/1$/,
      /^ann: \S+, confidence \S+\. .+ \| recommends: .+ s, /,
      /^after R1: it goes on$/,
      /^ben read 2 other opinions and now says \S+, confidence /,
      /^ann as chair: \S+, confidence /,
      /^closed, reported \| 7 calls in /,
    ]
    let from = 0
    for (const words of inOrder) {
      const at = lines.findIndex((line, i) => i >= from && words.test(line))
      expect(at, `${words} in ${lines.join('\n')}`).toBeGreaterThanOrEqual(from)
      from = at
    }
    expect(lines.filter((line) => /^[a-z_]+$/.test(line))).toEqual([])
  })

  it('VOX-5 names the cause of a failure where it says more than the type', () => {
    const failure = {
      error_type: 'parse_error',
      cause: 'context_too_long',
      error_message: 'prompt is too long',
    }
    const tells = event('opinion_failed', { seat: 'ben', failure, attempts: [] })
    expect(tellOf('council/1', tells)?.text).toBe(
      'ben gave no opinion (context too long): prompt is too long',
    )
  })

  it('names the seats that failed and why, and says that there is no result', () => {
    const fails = (): ScriptedReply => ({ fails: 'timeout' })
    const lines = told(sit({ policy: policy({}) }, { says: fails }))
    expect(lines).toContainEqual(expect.stringMatching(/^ben gave no opinion \(timeout\): /))
    expect(lines.at(-1)).toMatch(/^closed, (?:failed|quorum failed): /)
  })
})

describe('the story of an exchange', () => {
  it('tells its bookkeeping too, in words', () => {
    const embedded = { clusters: [{ id: 'k1' }], alarms: [], messages: [{ id: '1.1' }, { id: '1.2' }] }
    expect(tellOf('exchange/1', event('messages_embedded', embedded))).toMatchObject({
      tone: 'quiet',
      text: '2 messages were placed, 1 theme now',
    })
    const role = { role: 'auditor', round: 5, text: 'Count what was read.' }
    expect(tellOf('exchange/1', event('role_reported', role))).toMatchObject({
      text: 'the pool is told the role of the auditor: Count what was read.',
    })
  })
})

describe('the story of any trace', () => {
  const types = [
    'council_opened',
    'review_given',
    'claim_issued',
    'mind_wrote',
    'key_registered',
    'call_started',
  ]
  it.each(['council/1', 'agents/1', 'exchange/1', 'registry/1', 'unknown/1'])(
    'never throws, for any payload of %s',
    (protocol) => {
      fc.assert(
        fc.property(
          fc.oneof(fc.constantFrom(...types, 'constructor', '__proto__', 'toString'), fc.string()),
          fc.dictionary(
            fc.constantFrom('seat', 'opinion', 'key', 'messages', 'action', 'evidence'),
            fc.jsonValue(),
          ),
          (type, payload) => {
            const line = tellOf(protocol, event(type, payload))
            if (line !== null) expect([typeof line.text, Array.isArray(line.more)]).toEqual(['string', true])
          },
        ),
      )
    },
  )

  it('leaves what was erased to be listed as erased', () => {
    expect(tellOf('council/1', { ...event('council_opened', null), payload: null })).toBeNull()
  })

  it('tells of keys that came and went, and of what was erased', () => {
    const key = { id: 'k'.repeat(64), agent: 'olga', roles: ['convener'] }
    const text = (type: string, payload: object) => tellOf('registry/1', event(type, payload))?.text
    expect(text('key_registered', { key })).toBe(`registered: olga (convener) key ${'k'.repeat(16)}`)
    expect(text('key_revoked', { key: key.id, reason: 'lost' })).toBe(`revoked: key ${'k'.repeat(16)}`)
    expect(
      text('redaction_recorded', { trace: 'T', seq: 3, artifact: null, by: 'olga', reason: 'law' }),
    ).toBe('T/3 erased for olga')
  })
})

describe('the subject of a trace', () => {
  it('is the question, the reviewed code, the objective, the prompt of the pool, or the parent of a fork', () => {
    const of = (type: string, payload: object) => subjectOf(type, payload as never)
    const context = { kind: 'full', files: [{ path: 'a.ts' }], excluded: {}, diff: 'HEAD~1..HEAD' }
    expect(of('council_opened', { mode: 'ask', question: 'Shall\n we?', context })).toBe('Shall we?')
    expect(of('council_opened', { mode: 'review', question: 'x', context })).toBe(
      'review of HEAD~1..HEAD: a.ts',
    )
    expect(of('session_initialized', { objective: 'List licences' })).toBe('List licences')
    expect(of('exchange_opened', { terms: { pool: { prompt: 'Think.' } } })).toBe('Think.')
    const parent = { trace: '01KEC000000000000000000000', seq: 4, hash: '0'.repeat(64) }
    expect(of('trace_forked', { parent })).toBe('continues from event 4 of 01KEC000000000000000000000')
  })

  it('is empty if the first event has another shape', () => {
    for (const payload of [{}, { question: 7 }, { mode: 'review', context: null }])
      expect(subjectOf('council_opened', payload as never)).toBeNull()
    expect(subjectOf('constructor', {})).toBeNull()
  })
})

describe('the story of a session', () => {
  const intent = { intent: 'p1-i1', tool: 'Read', risk: 'high', justification: 'it is needed' }

  it("AGT-X-7 shows the risk of a host's call as the policy found it, because only the policy judged it", () => {
    const ofHost = { ...intent, call: 'toolu_1', quote: '{"file_path":"a"}' }
    expect(tellOf('agents/1', event('tool_intent_signed', ofHost))?.text).toBe('olga intends p1-i1: Read')
    expect(tellOf('agents/1', event('tool_intent_signed', intent))?.text).toBe(
      'olga intends p1-i1: Read, risk high',
    )
  })
})
