// How sessions end, are cut, forked or partly erased, and who may speak when several critics sit.

import { describe, expect, it } from 'vitest'
import { SignedSession, withPayload } from '../../test/support/agents-scene.ts'
import { agents, TRACE, Walk } from '../../test/support/agents-walk.ts'
import { by, HUMAN, hashOf, MIND, plannedTask, task } from '../../test/support/agents-world.ts'
import { PHASES } from '../../test/support/all-of-agents.ts'
import { TraceLog } from '../clerk/trace-log.ts'
import type { Payload } from '../ledger/event.ts'
import { FORKED } from '../ledger/fork.ts'

const ABORT = { type: 'session_aborted', actor: by('olga'), payload: { reason: 'enough', via: 'terminal' } }

describe('the end', () => {
  it('AGT-FAIL-1 comes by abort from every phase that is not an end, and no event follows', () => {
    for (const phase of PHASES.slice(0, 6)) {
      const walk = new Walk()
      if (phase !== 'initialized') walk.open().run((w) => w.phase === phase)
      expect(walk.phase).toBe(phase)
      walk.say(ABORT)
      expect([walk.phase, agents.finished(walk.state), walk.wanted]).toEqual(['aborted', true, []])
      expect(walk.refusal(ABORT)?.code).toBe('ORDER_VIOLATION')
    }
  })

  it('AGT-FAIL-1 comes by a signature that is not valid: no event is accepted after it, and the session verifies as failed', async () => {
    const session = await (await SignedSession.open()).run('assess/')
    const [assessed] = session.next('assess/')
    await session.forge({ ...withPayload(assessed, {}), signer: session.scene.ports.key('mallory') })
    const log = new TraceLog(session.scene.ports, agents, session.scene.trace)
    await log.refresh()
    expect(log.flaw?.code).toBe('VAULT_CORRUPT')
    for (const draft of [ABORT, ...session.next('judge/')])
      await expect(log.append([draft])).rejects.toThrow(/signature/)
    expect(await session.findings()).toContain('SIG_INVALID intent_assessed')
    expect((await session.verify()).status).toBe('fail')
  })
})

describe('a fork', () => {
  const forked = {
    type: FORKED,
    actor: by('clerk'),
    payload: { parent: { trace: TRACE, seq: 0, hash: hashOf('x') } } as Payload,
  }

  it('LED-15 voids open intents and unused approvals, and signs anew', () => {
    const walk = new Walk().open().run((w) => w.wanted.some(({ id }) => id.startsWith('start/')))
    const [start] = walk.drafts('start/')
    walk.say(forked)
    expect(walk.session.intents.get('p1-i1')).toMatchObject({ status: 'void', approvals: [] })
    expect(walk.refusal(start as never)?.code).toBe('APPROVAL_MISSING')
    expect(walk.wanted.map(({ id }) => id)).toEqual(['intent/p1-i2/1'])
    expect(walk.run().phase).toBe('completed')
  })

  it('LED-15 leaves a call that its parent had started to a person', () => {
    const walk = new Walk().open().run((w) => w.state.open.size > 0)
    walk.say(forked)
    expect(walk.wanted.map(({ id, call }) => `${call} ${id}`)).toEqual(['park resolve/p1-i1/1'])
  })

  it('of a session that has ended continues from the state before its end', () => {
    const walk = new Walk().open().run((w) => w.phase === 'claiming')
    walk.say(ABORT)
    walk.say(forked)
    expect(walk.phase).toBe('claiming')
    expect(walk.run().phase).toBe('completed')
  })
})

describe('guards', () => {
  it('AGT-TOOL-3 allow no call of a tool before its start is signed, and no end without its input among the artifacts', () => {
    const walk = new Walk().open().run((w) => w.wanted.some(({ id }) => id.startsWith('start/')))
    const called = { action: 'tool/p1-i1/1', call: 'tool', clerk: 'C' }
    expect(walk.refusal({ type: 'call_started', actor: by('clerk'), payload: called })?.code).toBe(
      'ORDER_VIOLATION',
    )
    walk.run((w) => w.state.open.size > 0)
    const done = {
      action: 'tool/p1-i1/1',
      intent: 'p1-i1',
      duration_ms: 1,
      truncated: false,
      secrets_removed: 0,
    }
    const completed = { type: 'tool_execution_completed', actor: by('eve') }
    for (const artifacts of [[], [{ hash: hashOf('out'), size: 3, name: 'o', media_type: 'text/plain' }]]) {
      const refusal = walk.refusal({ ...completed, payload: { ...done, artifacts } as unknown as Payload })
      expect(refusal?.code).toBe('SCHEMA_INVALID')
    }
  })

  it('say what an erased payload may have held', () => {
    const walk = new Walk().open().run((w) => w.wanted.some(({ id }) => id.startsWith('start/')))
    const [start] = walk.drafts('start/')
    const events = walk.events.map((event) =>
      event.type === 'intent_approved' ? { ...event, payload: null } : event,
    )
    const state = events.reduce((before, event) => agents.evolve(before, event), agents.initial)
    const refusal = agents.refuse(state, walk.occurrence(start as never))
    expect(refusal?.code).toBe('APPROVAL_MISSING')
    const [lack] = (refusal?.lacks ?? []) as readonly object[]
    expect(lack).toMatchObject({ types: expect.arrayContaining(['intent_approved']), least: 1 })
  })

  it('AGT-X-1 let policy, models and people judge in turn, and stop at the first that blocks', () => {
    const { roles } = task()
    const opening = task({ roles: { ...roles, critics: [...roles.critics, MIND, HUMAN] } })
    const assess = () => ({ decision: 'allow', needs: 'critic', risk: 'medium' }) as const
    const walk = new Walk({ assess })
      .open(opening)
      .run((w) => w.session.intents.get('p1-i1')?.status === 'started')
    const seats = walk.session.intents.get('p1-i1')?.approvals.map(({ seat }) => seat)
    expect(seats).toEqual(['policy', 'claude', 'human'])
    const judge = (subject: string) =>
      ({ verdict: subject === 'p1' ? 'approve' : 'reject', reasons: ['no'] }) as const
    const blocked = new Walk({ assess, judge })
      .open(opening)
      .run((w) => w.session.intents.get('p1-i1')?.status === 'blocked')
    expect(blocked.session.intents.get('p1-i1')?.approvals.map(({ seat }) => seat)).toEqual(['policy'])
  })

  it('AGT-X-2 accept no decision through a host if the policy forbids it, and none of a machine in place of a person', () => {
    const assess = () => ({ decision: 'allow', needs: 'human', risk: 'high' }) as const
    const human = (opening: ReturnType<typeof task>): Walk =>
      new Walk({ assess })
        .open(opening)
        .run((w) => w.wanted.some(({ id }) => id.startsWith('judge/p1-i1/human')))
    const strict = human(task())
    const [approval] = strict.drafts('judge/')
    const said = (walk: Walk, via: string) =>
      walk.refusal(withPayload(walk.drafts('judge/')[0], { via }))?.code ?? null
    expect(['terminal', 'key-file', 'host', 'mind'].map((via) => said(strict, via))).toEqual([
      null,
      null,
      'ROLE_POLICY_VIOLATION',
      'ROLE_POLICY_VIOLATION',
    ])
    expect(said(human(task({ policy: { ...task().policy, via_host: true } })), 'host')).toBeNull()
    for (const agent of ['paula', 'aude', 'eve', 'policy'])
      expect(strict.refusal(withPayload(approval, {}, agent, 'critic'))?.code).toBe('ROLE_POLICY_VIOLATION')
  })

  it('open no session with wrong roles or a wrong form', () => {
    const { roles } = task()
    const [policy] = roles.critics
    const wrong = [
      { ...roles, critics: [HUMAN] },
      { ...roles, critics: [policy, { ...policy, seat: 'two' }] },
      { ...roles, planner: { ...roles.planner, agent: 'policy' } },
      { ...roles, executor: { ...roles.executor, agent: 'aude' } },
      { ...roles, planner: { ...roles.planner, mind: 'thinker' } },
      { ...roles, critics: [policy, { ...MIND, key: null }] },
    ]
    for (const bad of wrong) expect(() => new Walk().open(task({ roles: bad as never }))).toThrow(/refused/)
    expect(() => new Walk().open(plannedTask([], { proposals: task().proposals }))).toThrow(
      /exactly when no mind plans/,
    )
    expect(() => new Walk().open(task({ proposals: [] }))).toThrow(/exactly when no mind plans/)
  })
})
