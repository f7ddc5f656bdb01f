// Written plans: no model is asked, every step is intended, assessed, approved, started, run and kept.

import { expect, it } from 'vitest'
import { Walk } from '../../test/support/agents-walk.ts'
import { HUMAN, LICENCE, TOOLS, task, written } from '../../test/support/agents-world.ts'

it('carries a written plan from opening to completion without any model', () => {
  const walk = new Walk().open().run()
  const step = [
    'tool_intent_signed',
    'intent_assessed',
    'intent_approved',
    'tool_execution_started',
    'call_started',
    'tool_execution_completed',
  ]
  expect(walk.types).toEqual([
    'session_initialized',
    'proposal_created',
    'proposal_reviewed',
    ...step,
    ...step,
    'proposal_closed',
    'claim_issued',
    'claim_accepted',
    'final_statement_signed',
    'verification_run_started',
    'verification_run_completed',
  ])
  expect(walk.phase).toBe('completed')
  expect(walk.session.statement?.claims).toEqual(['p1-c1'])
})

it('AGT-CLAIM-1 issues a claim with the place of its quote', () => {
  const walk = new Walk().open().run()
  const [evidence] = walk.session.claims.get('p1-c1')?.evidence ?? []
  expect(evidence?.range).toEqual([4, 15])
  expect(LICENCE.slice(4, 15)).toBe('MIT License')
})

it('AGT-TOOL-4 ends a plan at a step that fails, and claims the results proven before', () => {
  const walk = new Walk({
    tool: (_, input) => (JSON.stringify(input).includes('b/') ? new Error('no such file') : LICENCE),
  })
  walk.open().run()
  expect(walk.session.proposals.get('p1')?.closed).toEqual({
    outcome: 'failed',
    reason: 'step b: no such file',
  })
  expect(walk.phase).toBe('completed')
  expect(walk.session.statement?.claims).toEqual(['p1-c1'])
})

it('AGT-TOOL-4 uses the next proposal after one failed, and not before', () => {
  const plans = [written({ on_failure: 'next' }), written({ objective: 'Ask the package list' })]
  const good = new Walk().open(task({ proposals: plans })).run()
  expect([...good.session.proposals.keys()]).toEqual(['p1'])
  let calls = 0
  const bad = new Walk({ tool: () => (calls++ === 0 ? new Error('gone') : LICENCE) }).open(
    task({ proposals: plans }),
  )
  bad.run()
  expect([...bad.session.proposals.values()].map(({ closed }) => closed?.outcome)).toEqual([
    'failed',
    'succeeded',
  ])
  expect(bad.phase).toBe('completed')
})

it('AGT-TOOL-4 uses no fallback if the policy permits none', () => {
  const plans = [written({ on_failure: 'next' }), written()]
  const policy = { ...task().policy, fallback: false }
  const walk = new Walk({ tool: () => new Error('gone') }).open(task({ proposals: plans, policy })).run()
  expect([...walk.session.proposals.keys()]).toEqual(['p1'])
})

it('AGT-PROP-1 works on several proposals side by side', () => {
  const walk = new Walk().open(task({ proposals: [written(), written({ objective: 'once more' })] }))
  walk.pick = (actions) => actions.at(-1)
  walk.run((w) => w.wanted.some(({ id }) => id.startsWith('intent/')))
  walk.pick = (actions) => actions.find(({ id }) => id.startsWith('review/')) ?? actions[0]
  walk.run((w) => w.wanted.every(({ id }) => id.startsWith('intent/')))
  expect(walk.wanted.map(({ id }) => id).sort()).toEqual(['intent/p1-i1/1', 'intent/p2-i1/1'])
  walk.run()
  expect([...(walk.session.statement?.claims ?? [])].sort()).toEqual(['p1-c1', 'p2-c1'])
})

it('AGT-CLAIM-2 challenges a quote that is not in the evidence, and lists the claim as unproven', () => {
  const claims = [
    { text: 'a is MIT', confidence: 'high', evidence: [{ step: 'a', quote: 'MIT License' }] },
    { text: 'a is GPL', confidence: 'low', evidence: [{ step: 'a', quote: 'GNU General' }] },
  ] as const
  const walk = new Walk().open(task({ proposals: [written({ claims })] })).run()
  expect(walk.session.claims.get('p1-c2')?.challenges[0]?.ground).toBe('contradicted')
  expect(walk.session.statement?.claims).toEqual(['p1-c1'])
  expect(walk.session.statement?.unproven.map(({ text }) => text)).toEqual(['a is GPL'])
})

it('claims the bare facts of the calls if nothing else can be proven', () => {
  const walk = new Walk({ tool: () => new Error('gone') }).open().run()
  expect(walk.session.statement?.claims).toEqual(['p1-i1-fact'])
  expect(walk.session.claims.get('p1-i1-fact')?.text).toBe(
    'files.read was called with this input and failed.',
  )
  expect(walk.phase).toBe('completed')
})

it('waits for the operator to abort if no call ran and nothing can be proven', () => {
  const walk = new Walk({ assess: () => ({ decision: 'deny', needs: 'none', risk: 'high' }) }).open().run()
  expect(walk.phase).toBe('claiming')
  expect(walk.wanted.map(({ call, waitsFor }) => [call, waitsFor])).toEqual([
    ['park', 'the operator: nothing could be proven, abort the session'],
  ])
})

it('AGT-PROP-2 waits for a revision or an abort when all proposals are rejected', () => {
  const walk = new Walk().open(task({ proposals: [written({ required_tools: ['net.get'] })] })).run()
  expect(walk.phase).toBe('reviewing')
  expect(walk.session.proposals.get('p1')?.status).toBe('rejected')
  const [park] = walk.wanted
  expect(park?.call).toBe('park')
  const { action: _, ...plan } = { action: '', ...written() }
  const payload = { action: park?.id ?? '', proposal: 'p2', revises: 'p1', ...plan }
  const draft = { type: 'proposal_created', actor: walk.events[1]?.actor as never, payload: payload as never }
  expect(walk.refusal(draft)?.message).toContain('does not say so')
  walk.say({ ...draft, payload: { ...payload, via: 'terminal' } as never })
  walk.run()
  expect(walk.phase).toBe('completed')
  expect(walk.session.proposals.get('p1')?.status).toBe('rejected')
})

it('AGT-TOOL-1 asks a person about calls that need critics if no other critic is named', () => {
  const walk = new Walk({ assess: () => ({ decision: 'allow', needs: 'critic', risk: 'medium' }) })
  walk.open().run(undefined, false)
  expect(walk.wanted.map(({ id, call }) => [id, call])).toEqual([['judge/p1-i1/human/1/1', 'park']])
  walk.run()
  expect(walk.phase).toBe('completed')
})

it('asks no person about calls that the policy allows by itself', () => {
  const base = task()
  const roles = { ...base.roles, critics: [...base.roles.critics, HUMAN] }
  const walk = new Walk().open(task({ roles })).run(undefined, false)
  expect(walk.wanted.map(({ id }) => id)).toEqual(['review/p1/human/1'])
  walk.run((w) => w.session.proposals.get('p1')?.status === 'approved').run(undefined, false)
  expect(walk.wanted.map(({ id }) => id)).toEqual(['weigh/p1-c1/human/1'])
  walk.run()
  expect(walk.phase).toBe('completed')
})

it('opens no session in which a tool is offered whose definition is not kept', () => {
  const tools = [...task().tools, { name: 'net.get', definition: '0'.repeat(64), risk: 'low' as const }]
  expect(() => new Walk().open(task({ tools }))).toThrow(/definition of a tool is not among the artifacts/)
  expect(TOOLS.length).toBe(3)
})
