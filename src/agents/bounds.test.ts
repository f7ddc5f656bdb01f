// What bounds and conditions mean for what comes next: who is still asked, what may be intended, and in which words the end of
// a plan is told.
import { describe, expect, it } from 'vitest'
import { withPayload } from '../../test/support/agents-scene.ts'
import { Walk } from '../../test/support/agents-walk.ts'
import { by, MIND, plan, plannedTask, read, task, written } from '../../test/support/agents-world.ts'
import type { Draft } from '../ledger/signing.ts'
import { objectionTo } from './proposal-progress.ts'
import type { ExecutorReply } from './replies.ts'
import type { Proposal } from './state.ts'

const LIMITS = task().limits
const wants = (kind: string) => (walk: Walk) => walk.wanted.some(({ id }) => id.startsWith(kind))
const thinking = (...replies: readonly ExecutorReply[]) => {
  let i = 0
  return new Walk({
    plan: () => ({ proposals: [plan] }),
    act: () => replies[Math.min(i++, replies.length - 1)] ?? null,
  })
}
const actsAsked = (walk: Walk): number => walk.types.filter((type) => type.startsWith('executor_')).length

describe('a limit', () => {
  it('AGT-X-4 on steps asks a model once for its claims; one on money or time asks it nothing', () => {
    const steps = thinking(read('a'), read('b'))
      .open(plannedTask([], { limits: { ...LIMITS, steps: 2 } }))
      .run()
    expect(steps.wanted.length + actsAsked(steps)).toBeGreaterThan(2)
    const afterLimit = (limits: object) => {
      const walk = thinking(read('a'), read('b'))
        .open(plannedTask([], { limits: { ...LIMITS, ...limits } }))
        .run()
      const at = walk.types.indexOf('limit_reached')
      expect(at).toBeGreaterThan(walk.types.indexOf('tool_execution_completed'))
      return walk.types.slice(at).filter((type) => type.startsWith('executor_')).length
    }
    expect(afterLimit({ steps: 2 })).toBe(1)
    expect(afterLimit({ cost: 0.03 })).toBe(0)
    expect(afterLimit({ minutes: 13 / 60 })).toBe(0)
  })

  it('AGT-X-4 asks nothing in a written plan, which has no model that could claim more', () => {
    const walk = new Walk().open(task({ limits: { ...LIMITS, steps: 1 } })).run()
    expect(walk.types).toContain('limit_reached')
    expect(walk.types.filter((type) => type === 'call_started').length).toBe(
      walk.types.filter((type) => type.startsWith('tool_execution_')).length / 2,
    )
  })

  it('AGT-X-4 on revisions stops a model from planning again, and tells it so', () => {
    const replan: ExecutorReply = { replan: { reason: 'other way', proposal: plan } }
    const walk = thinking(replan, { give_up: { reason: 'blocked' } })
    walk.open(plannedTask([], { limits: { ...LIMITS, revisions: 0 } })).run()
    const [proposal] = walk.session.proposals.values()
    expect(proposal?.turns[0]).toMatchObject({
      kind: 'replan',
      objection: 'the plan was revised as often as the limits allow',
    })
    expect(proposal?.closed?.outcome).toBe('failed')
    const allowed = thinking(replan, { give_up: { reason: 'blocked' } })
    allowed.open(plannedTask([], { limits: { ...LIMITS, revisions: 1 } })).run()
    expect([...allowed.session.proposals.values()].map(({ closed }) => closed?.outcome)).toEqual([
      'replanned',
      'failed',
    ])
  })
})

describe('what an approval allows', () => {
  const objection = (condition: object, next: object = {}) =>
    objectionTo(task(), { plan: written(), conditions: [condition] } as unknown as Proposal, {
      tool: 'files.read',
      step: 'a',
      risk: 'medium',
      ...next,
    })

  it('AGT-PROP-2 is limited to the tools, steps and risk that its conditions name', () => {
    expect(objection({ tools: ['files.read'], steps: ['a'], max_risk: 'medium' })).toBeNull()
    expect(objection({ tools: ['shell.run', 'files.write'] })).toBe(
      'the approval allows only shell.run, files.write',
    )
    expect(objection({ steps: ['b'] })).toBe('the approval does not allow this step')
    expect(objection({ steps: ['a'] }, { step: null })).toBe('the approval does not allow this step')
    expect(objection({ max_risk: 'low' })).toBe('the approval allows nothing over low risk')
    expect(objection({ max_risk: 'high' })).toBeNull()
  })

  it("AGT-PROP-2 has no conditions if a model approves without any, and the model's conditions otherwise", () => {
    const judging = (verdict: 'approve' | 'conditional' | 'reject') => {
      const walk = new Walk({ judge: () => ({ verdict, reasons: ['so'], conditions: { max_risk: 'low' } }) })
      walk.open(task({ roles: { ...task().roles, critics: [...task().roles.critics, MIND] } }))
      return walk.run(wants('review/p1/claude'))
    }
    for (const [verdict, conditions] of [
      ['approve', {}],
      ['conditional', { max_risk: 'low' }],
      ['reject', {}],
    ] as const) {
      const walk = judging(verdict)
      const [draft] = walk.drafts('review/p1/claude')
      expect(draft?.payload).toMatchObject({ conditions })
      expect(walk.refusal(draft as Draft)).toBeNull()
      const other = withPayload(draft, {
        conditions: verdict === 'conditional' ? {} : { max_risk: 'low' },
      } as never)
      expect(walk.refusal(other)?.message).toBe('the conditions are not those of the critic')
    }
  })

  it('AGT-TOOL-2 comes from a seat that may judge the intent', () => {
    const walk = new Walk().open().run(wants('judge/'))
    const [draft] = walk.drafts('judge/')
    expect(walk.refusal(withPayload(draft, { seat: 'nobody' } as never))).not.toBeNull()
  })
})

describe('what a session waits for', () => {
  it('AGT-PROP-1 is named in words: a proposal, a proposal that is not rejected, or an end', () => {
    const parked = (walk: Walk) =>
      walk.wanted.map((action) => (action.call === 'park' ? action.waitsFor : ''))
    const none = new Walk({ plan: () => null }).open(plannedTask()).run(undefined, false)
    expect(parked(none).join()).toContain('make a proposal, or abort')
    const rejected = new Walk()
      .open(task({ proposals: [written({ required_tools: ['nothing.here'] })] }))
      .run(undefined, false)
    expect(parked(rejected).join()).toContain('make a proposal that is not rejected, or abort')
  })
})

describe('a call that ran', () => {
  it('AGT-TOOL-3 stays ended: no later start opens it again', () => {
    const walk = new Walk().open().run(wants('start/'))
    const [start] = walk.drafts('start/')
    walk.run((w) => w.types.includes('tool_execution_completed'))
    expect(walk.session.intents.get('p1-i1')?.status).toBe('completed')
    walk.force(start as Draft)
    expect(walk.session.intents.get('p1-i1')?.status).toBe('completed')
  })

  it('AGT-STATE-1 is followed by no event after the end of the session, and by no event without content', () => {
    const walk = new Walk().open().run()
    expect(walk.refusal({ type: 'session_aborted', actor: by('olga'), payload: {} })?.message).toBe(
      'the session is completed: nothing may follow',
    )
    const early = new Walk().open()
    const draft = early.drafts('propose/')[0] as Draft
    expect(early.refusal({ ...draft, payload: null as never })?.message).toBe('proposal_created says nothing')
  })
})
