// Critics that are people or councils: conditions, challenges, revisions by hand, and councils over proposals. Sessions of
// the first edition go on as they did.

import { describe, expect, it } from 'vitest'
import { Walk } from '../../test/support/agents-walk.ts'
import { by, COUNCIL, HUMAN, personVerdict, task, written } from '../../test/support/agents-world.ts'
import type { Payload } from '../ledger/event.ts'
import { councilApproves, councilReasons, judgesOf, nextJudge, reviewersOf } from './critics.ts'
import { awaitsRevision } from './proposal-progress.ts'

const roles = (...critics: readonly (typeof HUMAN | typeof COUNCIL)[]) => {
  const base = task().roles
  return { ...base, critics: [...base.critics, ...critics] }
}
const wanted = (walk: Walk): readonly string[] => walk.wanted.map(({ id }) => id)
const parked = (walk: Walk, kind: string) => {
  const found = walk.wanted.find(({ id }) => id.startsWith(`${kind}/`))
  if (!found) throw new Error(`${kind} is not wanted: ${wanted(walk).join(' ')}`)
  return found
}
const ana = by('carl', 'critic')

describe('a person among the critics', () => {
  it('AGT-X-6 AGT-CLAIM-2 is waited for on every claim, and a challenge withdraws a claim that no model can correct', () => {
    const walk = new Walk().open(task({ roles: roles(HUMAN) }))
    walk.run((w) => w.phase === 'claiming').run(undefined, false)
    expect(wanted(walk)).toEqual(['weigh/p1-c1/human/1'])
    const payload = {
      ...parked(walk, 'weigh').input,
      ground: 'weak',
      reason: 'another file',
      via: 'terminal',
    }
    walk.say({ type: 'claim_challenged', actor: ana, payload: payload as Payload })
    walk.run()
    expect(walk.phase).toBe('completed')
    expect(walk.session.claims.get('p1-c1')).toMatchObject({
      status: 'withdrawn',
      reason: 'weak: another file',
    })
  })

  it('AGT-CLAIM-2 is not waited for in edition 1', () => {
    const { edition: _, ...first } = task({ roles: roles(HUMAN) })
    const walk = new Walk().open(first as ReturnType<typeof task>)
    walk.run((w) => w.phase === 'claiming').run(undefined, false)
    expect(walk.phase).toBe('completed')
  })

  it('AGT-X-6 approves a proposal on conditions, and steps outside the conditions are not done', () => {
    const walk = new Walk().open(task({ roles: roles(HUMAN) })).run(undefined, false)
    const said = { ...personVerdict(walk.world, parked(walk, 'review')).payload }
    const conditions = { steps: ['nothing'] }
    const payload = { ...said, verdict: 'conditional', conditions } as Payload
    walk.say({ type: 'proposal_reviewed', actor: ana, payload })
    walk.run(undefined, false)
    expect(walk.session.proposals.get('p1')?.closed).toMatchObject({ outcome: 'failed' })
  })
})

describe('a step that a person blocked', () => {
  const human = { decision: 'allow', needs: 'human', risk: 'high' } as const
  const blocked = (first = false): Walk => {
    const { edition: _, ...old } = task({ roles: roles(HUMAN) })
    const walk = new Walk({ assess: () => human })
    walk.open(first ? (old as ReturnType<typeof task>) : task({ roles: roles(HUMAN) }))
    walk.run((w) => w.wanted.some(({ id }) => id.startsWith('judge/p1-i1/human')))
    const { intent, seat } = parked(walk, 'judge').input
    const payload = { action: parked(walk, 'judge').id, intent, seat, reason: 'wrong file', via: 'terminal' }
    walk.say({ type: 'intent_blocked', actor: ana, payload: payload as Payload })
    return walk.run(undefined, false)
  }

  it('AGT-X-6 AGT-REC-1 waits for a revision, which replaces the plan', () => {
    const walk = blocked()
    expect(wanted(walk)).toEqual(['propose/p2/1', 'resolve/p1-i1/1'])
    const proposal = { action: 'propose/p2/1', proposal: 'p2', revises: 'p1', ...written(), via: 'terminal' }
    const planner = by('paula')
    const other = { ...proposal, revises: null } as unknown as Payload
    expect(walk.refusal({ type: 'proposal_created', actor: planner, payload: other })).not.toBeNull()
    walk.say({ type: 'proposal_created', actor: planner, payload: proposal as unknown as Payload })
    walk.run()
    expect(walk.phase).toBe('completed')
    const { closed } = walk.session.proposals.get('p1') ?? {}
    expect(closed).toMatchObject({ outcome: 'replanned' })
    expect(walk.session.proposals.get('p2')?.closed?.outcome).toBe('succeeded')
  })

  it('AGT-X-6 can be given up, or intended again', () => {
    const resolved = (as: string): Walk => {
      const walk = blocked()
      const payload = { action: 'resolve/p1-i1/1', intent: 'p1-i1', as, reason: 'so be it', via: 'terminal' }
      walk.say({ type: 'execution_resolved', actor: ana, payload })
      return walk
    }
    const given = resolved('failed').run(undefined, false)
    expect(given.session.proposals.get('p1')?.closed).toMatchObject({ outcome: 'failed' })
    const again = resolved('again').run(undefined, false)
    expect(wanted(again)).toEqual(['judge/p1-i2/human/1/1'])
  })

  it('fails its plan at once in edition 1', () => {
    expect(blocked(true).session.proposals.get('p1')?.closed).toMatchObject({ outcome: 'failed' })
  })
})

describe('a council among the critics', () => {
  const opening = (from: 'low' | 'high') => {
    const base = task({ roles: roles(COUNCIL) })
    return { ...base, policy: { ...base.policy, council_from: from } }
  }

  it('AGT-X-3 reviews a proposal from the risk that its task names, and no other', () => {
    const walk = new Walk().open(opening('low')).run()
    expect(walk.types.slice(0, 6)).toEqual([
      'session_initialized',
      'proposal_created',
      'proposal_reviewed',
      'council_convened',
      'call_started',
      'council_heard',
    ])
    expect(walk.phase).toBe('completed')
    expect(new Walk().open(opening('high')).run().types).not.toContain('council_convened')
  })

  it('AGT-X-3 rejects what it does not adopt, and no other answer counts as its own', () => {
    const walk = new Walk({ council: () => ({ decision: 'reject', reasons: ['needless'] }) })
    walk.open(opening('low')).run((w) => w.types.includes('council_heard'))
    const [draft] = walk.drafts('review/')
    expect(draft?.payload).toMatchObject({ verdict: 'rejected', reasons: ['needless'], via: 'council' })
    const forged = { ...draft?.payload, verdict: 'approved' } as Payload
    expect(walk.refusal({ type: 'proposal_reviewed', actor: by('council'), payload: forged })).toMatchObject({
      code: 'ROLE_POLICY_VIOLATION',
    })
    walk.run(undefined, false)
    expect(walk.session.proposals.get('p1')?.status).toBe('rejected')
  })

  it('AGT-X-3 reviews no proposal in edition 1', () => {
    const { edition: _, ...first } = opening('low')
    const walk = new Walk().open(first as ReturnType<typeof task>).run()
    expect(walk.phase).toBe('completed')
    expect(walk.types).not.toContain('council_convened')
  })
})

describe('which critics judge', () => {
  const heard = { decision: 'adopt', unresolved_high: 0, degraded: false, reasons: [] } as never
  const assessed = (decision: string, needs: string, risk: string) => ({ decision, needs, risk }) as never
  const seats = (...args: Parameters<typeof judgesOf>) => judgesOf(...args).map(({ seat }) => seat)
  const at = (from: string, ...critics: readonly (typeof HUMAN | typeof COUNCIL)[]) =>
    task({ roles: roles(...critics), policy: { ...task().policy, council_from: from } as never })

  it('AGT-PROP-2 a council approves only if it adopts a report with no severe point open; the reason is its own or its decision', () => {
    expect(councilApproves(heard)).toBe(true)
    expect(councilApproves({ ...(heard as object), decision: 'reject' } as never)).toBe(false)
    expect(councilApproves({ ...(heard as object), unresolved_high: 1 } as never)).toBe(false)
    expect(councilApproves({ ...(heard as object), degraded: true } as never)).toBe(false)
    expect(councilReasons({ ...(heard as object), reasons: ['so'] } as never)).toEqual(['so'])
    expect(councilReasons(heard)).toEqual(['the council decided: adopt'])
    expect(councilReasons({ ...(heard as object), decision: null } as never)).toEqual([
      'the council decided: nothing',
    ])
  })

  it('AGT-TOOL-2 of an intent follow from the decision of the policy and from the risk', () => {
    expect(seats(task(), assessed('deny', 'human', 'high'))).toEqual(['policy'])
    expect(seats(task(), assessed('allow', 'none', 'high'))).toEqual(['policy'])
    expect(seats(task(), assessed('allow', 'critic', 'low'))).toEqual(['policy', 'human'])
    expect(seats(at('high', COUNCIL), assessed('allow', 'critic', 'medium'))).toEqual(['policy', 'human'])
    expect(seats(at('high', COUNCIL), assessed('allow', 'critic', 'high'))).toEqual(['policy', 'council'])
    expect(seats(at('high', COUNCIL), assessed('allow', 'human', 'high'))).toEqual([
      'policy',
      'council',
      'human',
    ])
    expect(seats(at('high', HUMAN), assessed('allow', 'human', 'low'))).toEqual(['policy', 'human'])
  })

  it('AGT-PROP-2 of a proposal include a council only from its risk, by the tools it needs or the risk it states', () => {
    const plan = written()
    const of = (...args: Parameters<typeof reviewersOf>) => reviewersOf(...args).map(({ seat }) => seat)
    expect(of(at('critical', COUNCIL), plan)).toEqual(['policy'])
    expect(of(at('low', COUNCIL), plan)).toEqual(['policy', 'council'])
    expect(of({ ...at('low', COUNCIL), edition: 1 } as never, plan)).toEqual(['policy'])
    const [step] = plan.steps ?? []
    const risky = { ...plan, required_tools: [], steps: [{ ...step, risk: 'critical' }] }
    expect(of(at('critical', COUNCIL), risky as never)).toEqual(['policy', 'council'])
    expect(of(at('low', COUNCIL), { ...plan, required_tools: [], steps: [] })).toEqual(['policy'])
  })

  it('AGT-TOOL-2 judge one after the other, none before the policy assessed the intent or after the intent ended', () => {
    const intent = { assessment: assessed('allow', 'human', 'high'), status: 'signed', approvals: [] }
    const next = (change: object) => nextJudge(at('high', COUNCIL), { ...intent, ...change } as never)?.seat
    expect(next({})).toBe('policy')
    expect(next({ approvals: [{ seat: 'policy' }] })).toBe('council')
    expect(next({ approvals: [{ seat: 'policy' }, { seat: 'council' }] })).toBe('human')
    expect(next({ approvals: [{ seat: 'policy' }, { seat: 'council' }, { seat: 'human' }] })).toBeUndefined()
    expect(next({ assessment: null })).toBeUndefined()
    expect(next({ status: 'started' })).toBeUndefined()
  })

  it('AGT-PROP-1 a session awaits a revision once all its proposals are rejected, and not before', () => {
    const walk = new Walk()
    expect(awaitsRevision(walk.session)).toBe(false)
    walk.open(task({ proposals: [written({ steps: [], claims: [] }), written()] }))
    walk.run((w) => w.session.proposals.size === 2)
    expect(awaitsRevision(walk.session)).toBe(false)
    const bad = new Walk().open(task({ proposals: [written({ steps: [], claims: [] })] }))
    bad.run((w) => w.session.proposals.get('p1')?.status === 'rejected')
    expect([bad.phase, awaitsRevision(bad.session)]).toEqual(['reviewing', true])
    expect(awaitsRevision(new Walk().open().run().session)).toBe(false)
  })
})
