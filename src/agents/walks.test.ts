// Random walks: honest and hostile events in any order, against worlds in which anything may happen. No matter what the
// protocol lets pass keeps the invariants of spec/agents.md, which are checked here from the events alone.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { agents, Walk } from '../../test/support/agents-walk.ts'
import {
  by,
  COUNCIL,
  HUMAN,
  hashOf,
  LICENCE,
  MIND,
  perform,
  personVerdict,
  plannedTask,
  SEATS,
  task,
  type World,
  written,
} from '../../test/support/agents-world.ts'
import {
  DEFAULT_LIMITS,
  type ExecutorReply,
  type Payloads,
  TRANSITIONS,
} from '../../test/support/all-of-agents.ts'
import { artifactsOf, type Payload } from '../ledger/event.ts'
import type { Draft } from '../ledger/signing.ts'
import type { Occurrence } from '../protocol.ts'

const limits = { ...DEFAULT_LIMITS, steps: 6, revisions: 2, same_intent: 2, minutes: 3, cost: 0.2 }
const plan = { objective: 'o', assumptions: [], required_tools: ['files.read'], expected_evidence: [] }

const OPENINGS = [
  task({ limits }),
  task({ limits, proposals: [written({ on_failure: 'next' }), written(), written()] }),
  task({ limits, roles: { ...task().roles, critics: [...task().roles.critics, MIND, COUNCIL, HUMAN] } }),
  plannedTask([MIND], { limits }),
  plannedTask([COUNCIL, HUMAN], { limits }),
]

/** A world that does what the numbers say. */
function chance(next: (below: number) => number): Partial<World> {
  const one = <Value>(...values: readonly Value[]): Value => values[next(values.length)] as Value
  const claim = (quote: string): ExecutorReply => ({
    claims: [{ text: quote, confidence: 'low', evidence: [{ artifact: hashOf(LICENCE), quote }] }],
  })
  return {
    assess: () => ({
      decision: one('allow', 'allow', 'deny'),
      needs: one('none', 'critic', 'human'),
      risk: one('low', 'medium', 'high'),
    }),
    tool: () => one<string | Error>(LICENCE, LICENCE, new Error('gone')),
    plan: () => one({ proposals: [plan] }, { proposals: [plan, plan] }, null),
    act: () =>
      one<ExecutorReply | null>(
        { intent: { tool: 'files.read', input: { path: one('a', 'b', 'c') }, justification: 'look' } },
        { intent: { tool: 'shell.run', input: {}, justification: 'not allowed' } },
        {
          intent: {
            tool: 'session.page',
            input: { artifact: hashOf(LICENCE), start: 0, length: 9 },
            justification: 'on',
          },
        },
        claim('MIT License'),
        claim('GNU'),
        { replan: { reason: 'other', proposal: plan } },
        { give_up: { reason: 'enough' } },
        null,
      ),
    judge: () =>
      one(
        { verdict: 'approve', reasons: [] } as const,
        { verdict: 'reject', reasons: ['no'] } as const,
        null,
      ),
    council: () => one({}, { degraded: true }, { decision: 'reject' }, { unresolved_high: 2 }),
    audit: () => one('pass', 'pass-with-warnings', 'fail'),
  }
}

/** Something that no one asked for: an old event again, one that is bent, or one by someone else. */
function hostile(walk: Walk, next: (below: number) => number): Draft | null {
  const old = walk.events[next(walk.events.length)] as Occurrence
  const agent = Object.keys(SEATS)[next(Object.keys(SEATS).length)] as string
  const wanted = walk.wanted[next(Math.max(1, walk.wanted.length))]
  const drafts = wanted && wanted.call !== 'park' ? perform(walk.world, wanted, walk.session) : []
  const honest = drafts[next(Math.max(1, drafts.length))]
  switch (next(5)) {
    case 0:
      return { type: old.type, actor: old.actor, payload: old.payload as Payload }
    case 1:
      return honest ? { ...honest, actor: by(agent) } : null
    case 2:
      return honest
        ? { ...honest, payload: { ...honest.payload, intent: 'p1-i1', input_hash: hashOf('z') } }
        : null
    case 3:
      return honest ? { ...honest, type: old.type } : null
    default:
      return next(40) === 0
        ? { type: 'session_aborted', actor: by('olga'), payload: { reason: 'r', via: 'terminal' } }
        : null
  }
}

type Said<Type extends keyof Payloads> = {
  readonly seq: number
  readonly hash: string
  readonly payload: Payloads[Type]
}
const said = <Type extends keyof Payloads>(
  events: readonly Occurrence[],
  type: Type,
): readonly Said<Type>[] =>
  events
    .filter((event) => event.type === type)
    .map(({ seq, hash, payload }) => ({ seq, hash, payload: payload as never }))

function checkInvariants({ events, session }: Walk): void {
  const starts = said(events, 'tool_execution_started')
  const used = starts.flatMap(({ payload }) => payload.approvals)
  expect(new Set(used).size, '9.3').toBe(used.length)
  const approvals = new Map(said(events, 'intent_approved').map((event) => [event.hash, event]))
  for (const { seq, payload } of starts) {
    const { intent } = payload
    const signed = said(events, 'tool_intent_signed').find((event) => event.payload.intent === intent)
    expect(signed && signed.seq < seq, '9.2').toBe(true)
    const assessed = said(events, 'intent_assessed').findLast(
      (event) => event.payload.intent === intent && event.seq < seq,
    )
    expect(assessed?.payload.decision, '9.2').toBe('allow')
    const seats = payload.approvals.map((hash) => approvals.get(hash)?.payload.seat)
    expect(seats, '9.2').toContain('policy')
    if (assessed?.payload.needs !== 'none') expect(seats.length, '9.2').toBeGreaterThan(1)
    if (assessed?.payload.needs === 'human') expect(seats, '9.2').toContain('human')
    for (const hash of payload.approvals) {
      const approval = approvals.get(hash)?.payload
      expect([approval?.intent, approval?.input_hash, approval?.intent_hash]).toEqual([
        intent,
        signed?.payload.input_hash,
        signed?.hash,
      ])
    }
    expect(
      said(events, 'intent_blocked').some((event) => event.payload.intent === intent),
      '9.4',
    ).toBe(false)
  }
  for (const { seq, payload } of said(events, 'claim_issued')) {
    const left = events
      .filter((event) => event.seq < seq && /^tool_execution_(completed|failed)$/.test(event.type))
      .flatMap((event) => artifactsOf(event.payload as Payload).map(({ hash }) => hash))
    for (const { artifact } of payload.evidence) expect(left, '9.5').toContain(artifact)
  }
  for (const { seq, payload } of said(events, 'final_statement_signed')) {
    const challenged = said(events, 'claim_challenged').map((event) => event.payload.claim)
    for (const claim of payload.claims) expect(challenged, '9.6').not.toContain(claim)
    const over = events.filter((event) => event.seq < seq && /_(completed|failed|resolved)$/.test(event.type))
    for (const start of starts)
      expect(
        over.some((event) => event.payload?.intent === start.payload.intent),
        '9.6',
      ).toBe(true)
  }
  const intents = said(events, 'tool_intent_signed').map(({ payload }) => payload)
  expect(intents.length, '9.8').toBeLessThanOrEqual(limits.steps)
  for (const { tool, input_hash } of intents) {
    const same = intents.filter((other) => other.tool === tool && other.input_hash === input_hash)
    expect(same.length, '9.8').toBeLessThanOrEqual(limits.same_intent)
  }
  expect(session.steps, '9.8').toBeLessThanOrEqual(limits.steps)
}

function stroll(opening: number, numbers: readonly number[]): Walk {
  let at = 0
  const next = (below: number): number => (numbers[at++ % numbers.length] ?? 0) % below
  const walk = new Walk(chance(next)).open(OPENINGS[opening % OPENINGS.length])
  for (let i = 0; i < 120; i++) {
    const before = walk.phase
    const ids = walk.wanted.map(({ id }) => id)
    expect(new Set(ids).size, '9.9').toBe(ids.length)
    const draft = hostile(walk, next)
    const isOver = agents.finished(walk.state)
    if (draft && walk.refusal(draft) === null) {
      expect(isOver, '9.7').toBe(false)
      walk.say(draft)
    } else if (!isOver) {
      const action = walk.wanted[next(Math.max(1, walk.wanted.length))]
      if (action && action.call !== 'park')
        for (const step of perform(walk.world, action, walk.session)) walk.say(step)
      else if (action && /^(review|judge|resolve)\//.test(action.id))
        walk.say(personVerdict(walk.world, action))
    }
    const type = walk.events.at(-1)?.type
    const known = TRANSITIONS.some(
      ({ from, to, on }) => from.includes(before) && to === walk.phase && on.some((e) => e === type),
    )
    expect(walk.phase === before || known, '9.1').toBe(true)
  }
  return walk
}

describe('random walks', () => {
  it('break no invariant', () => {
    const reached = new Set<string>()
    fc.assert(
      fc.property(
        fc.nat(),
        fc.array(fc.nat(1_000_000), { minLength: 40, maxLength: 80 }),
        (opening, numbers) => {
          const walk = stroll(opening, numbers)
          checkInvariants(walk)
          reached.add(walk.phase)
        },
      ),
      { numRuns: 60, seed: 20261115 },
    )
    // Walks that never get anywhere would keep every invariant.
    expect([...reached]).toEqual(expect.arrayContaining(['completed', 'aborted', 'claiming']))
  }, 120_000)

  it('fold any input without throwing', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(), fc.jsonValue()), { maxLength: 20 }), (garbage) => {
        const walk = new Walk().open().run()
        const types = [...new Set(walk.types)]
        const fresh = new Walk().open()
        for (const [n, value] of garbage) {
          const sample = walk.events.find(({ type }) => type === types[n % types.length])
          const payload =
            n % 3 === 0 ? null : ({ ...sample?.payload, [n % 2 ? 'intent' : 'claims']: value } as Payload)
          const event = { ...(sample as Occurrence), payload }
          agents.refuse(fresh.state, event)
          fresh.state = agents.evolve(fresh.state, event)
          agents.decide(fresh.state)
        }
      }),
      { numRuns: 40, seed: 20261115 },
    )
  }, 60_000)
})

describe('a session that was cut off', () => {
  const asWhole = new Walk().open().run()

  it('AGT-REC-1 continues from every event to the same end, by valid transitions only', () => {
    for (const { seq } of asWhole.events) {
      const walk = new Walk()
      for (const event of asWhole.events.slice(0, seq + 1))
        walk.say({ ...event, payload: event.payload as Payload })
      for (const [hash, bytes] of asWhole.world.artifacts) walk.world.artifacts.set(hash, bytes)
      const [open] = walk.state.open.keys()
      if (open)
        walk.say({
          type: 'call_indeterminate',
          actor: by('clerk'),
          payload: { action: open, reason: 'gone' },
        })
      walk.run(undefined, false)
      if (!open) {
        expect(walk.phase).toBe('completed')
        expect(walk.session.statement).toEqual(asWhole.session.statement)
        continue
      }
      expect(walk.wanted.map(({ call, id }) => `${call} ${id.split('/')[0]}`)).toEqual(['park resolve'])
      expect(walk.run().phase).toBe('completed')
    }
  })

  it('AGT-TOOL-5 never reruns a tool by itself: a person marks it failed or lets it be intended again', () => {
    const cut = (): Walk => {
      const walk = new Walk().open().run((w) => w.state.open.size > 0)
      walk.say({
        type: 'call_indeterminate',
        actor: by('clerk'),
        payload: { action: 'tool/p1-i1/1', reason: 'gone' },
      })
      return walk.run(undefined, false)
    }
    const again = cut()
    expect(again.session.intents.get('p1-i1')?.status).toBe('indeterminate')
    again.run()
    expect(again.session.intents.get('p1-i1')?.status).toBe('repeated')
    expect([...again.session.intents.keys()]).toEqual(['p1-i1', 'p1-i2', 'p1-i3'])
    expect(again.phase).toBe('completed')
    const failed = cut()
    const payload = {
      action: 'resolve/p1-i1/1',
      intent: 'p1-i1',
      as: 'failed',
      reason: 'it ran halfway',
      via: 'terminal',
    }
    const machine = failed.refusal({ type: 'execution_resolved', actor: by('policy'), payload })
    expect(machine?.code).toBe('ROLE_POLICY_VIOLATION')
    failed.say({ type: 'execution_resolved', actor: by('olga'), payload })
    failed.run()
    expect(failed.session.proposals.get('p1')?.closed?.outcome).toBe('failed')
  })
})
