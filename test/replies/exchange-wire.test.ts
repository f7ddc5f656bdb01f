// The replies of the corpus that an exchange can get, end to end: over a loopback server, through the command, into a trace
// that a verifier judges. What the wire carried and what is recorded agree, and nothing private reaches the pool.

import { afterAll, describe, expect, it } from 'vitest'
import type { AskingFields } from '../../src/ledger/raw-reply.ts'
import type { Occurrence } from '../../src/protocol.ts'
import { openPoolHome, type PoolHome, plainScript, traceOf } from '../support/pool-home.ts'
import { type CarelessReply, isReadable, readCorpus } from './corpus.ts'

const houses: PoolHome[] = []
afterAll(async () => {
  for (const house of houses) await house.server.close()
})

const of = (shape: string): readonly CarelessReply[] =>
  readCorpus().filter(
    (reply) => isReadable(reply) && reply.shape === shape && reply.context?.prompt === undefined,
  )

/** One round for each reply; the one who is asked again answers as usual. */
async function run(replies: readonly CarelessReply[], isAudit: boolean): Promise<readonly Occurrence[]> {
  const house = await openPoolHome()
  houses.push(house)
  let next = 0
  house.script = (asked) => {
    const isTurn = asked.isAudit === isAudit && asked.model === 'one'
    if (!isTurn || asked.words.includes('You have answered this already')) return plainScript(asked)
    const reply = replies[next++]
    return reply ? { careless: { raw: reply.raw, wire: reply.wire } } : plainScript(asked)
  }
  const limits = { max_messages: 3, max_chars: 400 }
  const terms = await house.terms('terms.yaml', { pool: limits, auditor: { every: isAudit ? 2 : 1_000 } })
  const rounds = String(isAudit ? replies.length * 2 : replies.length)
  const trace = traceOf(await house.witan('exchange', 'run', '--terms', terms, '--rounds', rounds, '--json'))
  const events = await house.events(trace)
  await expectCounted(house, trace, events)
  return events
}

/** Calls on the wire, attempts recorded and calls announced are as many; what came of each is on record. */
async function expectCounted(house: PoolHome, trace: string, events: readonly Occurrence[]): Promise<void> {
  const attempts = events.reduce((sum, { payload }) => {
    const { attempts: made = [] } = (payload ?? {}) as unknown as Partial<AskingFields>
    return sum + made.length
  }, 0)
  const asked = house.server.requests.filter(({ method }) => method === 'POST')
  const announced = events.filter(
    ({ type, payload }) => type === 'call_started' && !String(payload?.action).startsWith('embed/'),
  )
  expect([attempts, announced.length]).toEqual([asked.length, asked.length])
  const { json } = await house.witan('exchange', 'status', trace, '--json')
  expect(json).toMatchObject({ totals: { asked: asked.length, calls: asked.length } })
  const verified = await house.witan('verify', trace)
  expect(verified.code, verified.stdout).toBe(0)
}

/** A judge that is asked after each audit; the one who is asked again answers that none asks. */
async function runJudged(replies: readonly CarelessReply[]): Promise<readonly Occurrence[]> {
  const house = await openPoolHome(['one', 'two', 'three'])
  houses.push(house)
  let next = 0
  house.judge.script = ({ words }) => {
    const reply = words.includes('You have answered this already') ? undefined : replies[next++]
    return reply ? { careless: { raw: reply.raw, ...(reply.wire ? { wire: reply.wire } : {}) } } : null
  }
  const terms = await house.terms('terms.yaml', {
    pool: { minds: ['one', 'two'] },
    auditor: { every: 2 },
    restart: { judge: 'three' },
  })
  const rounds = String(replies.length * 2)
  const trace = traceOf(await house.witan('exchange', 'run', '--terms', terms, '--rounds', rounds, '--json'))
  const events = await house.events(trace)
  await expectCounted(house, trace, events)
  return events
}

const EXPECTED = { kept: ['given'], missing: ['incomplete', 'given'], refused: ['failed'] } as const

const outcomes = (events: readonly Occurrence[], kind: 'mind' | 'audit'): readonly string[] =>
  events
    .filter(
      ({ type, payload }) => type.startsWith(`${kind}_`) && (kind === 'audit' || payload?.mind === 'one'),
    )
    .map(({ type }) => type.slice(kind.length + 1).replace(/^(?:wrote|written)$/, 'given'))

const expectedOf = (replies: readonly CarelessReply[]): readonly string[] =>
  replies.flatMap(({ expect: { outcome } }) => (outcome === 'prose' ? [] : EXPECTED[outcome]))

describe('careless replies to an exchange over the wire', () => {
  it('VOX-15 VOX-16 EXC-POOL-1 minds keep their turn with at most one further call, and their thoughts to themselves', async () => {
    const isUsual = ({ context }: CarelessReply): boolean =>
      (context?.max_messages ?? 3) === 3 && (context?.max_chars ?? 400) === 400
    const replies = of('exchange').filter(isUsual)
    expect(replies.length).toBeGreaterThan(15)
    const events = await run(replies, false)
    expect(outcomes(events, 'mind')).toEqual(expectedOf(replies))
    const published = JSON.stringify(
      events.filter(({ type }) => type === 'mind_wrote').map(({ payload }) => payload?.messages),
    )
    expect(published).not.toMatch(/<\/?think/)
  }, 240_000)

  it('VOX-15 VOX-16 an auditor is heard with at most one further call', async () => {
    const replies = of('audit').slice(0, 6)
    expect(outcomes(await run(replies, true), 'audit')).toEqual(expectedOf(replies))
  }, 240_000)

  it('VOX-15 VOX-16 EXC-INT-3 a judge is heard with at most one further call, and cites nothing that was not shown', async () => {
    const replies = of('judgement')
    const events = await runJudged(replies)
    const came = events
      .filter(({ type }) => /^(?:restart_judged|judge_failed|judge_incomplete)$/.test(type))
      .map(({ type }) => type.replace(/^(?:restart|judge)_/, '').replace('judged', 'given'))
    expect(came).toEqual(expectedOf(replies))
    const judged = events.filter(({ type }) => type === 'restart_judged').map(({ payload }) => payload)
    expect(judged.every((payload) => JSON.stringify(payload?.asks) === '[]')).toBe(true)
    expect(judged.some((payload) => JSON.stringify(payload?.struck) !== '[]')).toBe(true)
    const kept = judged.map((payload) => JSON.stringify(payload?.artifacts))
    expect(kept.every((artifacts) => artifacts.includes('raw.json'))).toBe(true)
  }, 240_000)
})
