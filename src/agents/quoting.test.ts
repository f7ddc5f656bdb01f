// Every part of a prompt that holds the words of others names where they stand: the event that said them, the artifact,
// or the terms. Judged from the recorded requests of whole sessions and the events themselves.

import { describe, expect, it } from 'vitest'
import { Walk } from '../../test/support/agents-walk.ts'
import { hashOf, LICENCE, MIND, plannedTask, type World } from '../../test/support/agents-world.ts'
import type { ExecutorReply } from '../../test/support/all-of-agents.ts'
import type { PromptPart } from '../ledger/prompt.ts'

const plan = (objective: string) => ({
  objective,
  assumptions: [],
  required_tools: ['files.read'],
  expected_evidence: [],
})
const read = (path: string): ExecutorReply => ({
  intent: { tool: 'files.read', input: { path }, justification: 'look' },
})
const claiming = (quote: string, artifact = hashOf(LICENCE)): ExecutorReply => ({
  claims: [{ text: 'it is MIT', confidence: 'high', evidence: [{ artifact, quote }] }],
})

/** A proposal is rejected and revised, one approved on conditions, an intent blocked, an answer and a claim not taken. */
function eventful(): Partial<World> {
  const plans = ['one', 'another'].map((objective) => ({ proposals: [plan(objective)] }))
  const replies: Readonly<Record<string, ExecutorReply[]>> = {
    p2: [
      claiming('x', hashOf('of nobody')),
      { intent: { tool: 'files.none', input: {}, justification: 'look' } },
      read('a'),
      read('b'),
      claiming('GNU'),
    ],
    'p2-c1': [claiming('MIT License')],
  }
  const rejected = { verdict: 'reject', reasons: ['no'] } as const
  return {
    plan: () => plans.shift() ?? null,
    act: (subject) => replies[subject]?.shift() ?? null,
    assess: () => ({ decision: 'allow', needs: 'critic', risk: 'medium' }),
    judge: (subject) => {
      if (subject === 'p1' || subject === 'p2-i1') return rejected
      if (subject !== 'p2') return { verdict: 'approve', reasons: ['fine'] }
      return { verdict: 'conditional', reasons: ['if'], conditions: { tools: ['files.read'] } }
    },
  }
}

/** Which event each kind of part quotes; the others quote artifacts or terms. */
const SAID_BY: Readonly<Record<string, string>> = {
  proposal: 'proposal_created',
  reviews: 'proposal_reviewed',
  conditions: 'proposal_reviewed',
  intent: 'tool_intent_signed',
  policy: 'intent_assessed',
  objection: 'executor_answered',
  missing: 'executor_incomplete',
  claim: 'claim_issued',
  challenges: 'claim_challenged',
}

describe('the recorded prompts of a session', () => {
  it('VER-10 name the event, the artifact or the terms behind every quoted text', () => {
    const walk = new Walk(eventful()).open(plannedTask([MIND])).run()
    expect(walk.phase).toBe('completed')
    const parts = walk.events.flatMap(({ payload }): readonly PromptPart[] => {
      const kept = (payload?.artifacts ?? []) as unknown as readonly { name: string; hash: string }[]
      const request = kept.find(({ name }) => name === 'request.json')
      return request ? JSON.parse(String(walk.world.artifacts.get(request.hash))).parts : []
    })
    const foreign = parts.filter(({ template }) => template === null)
    expect(foreign.filter(({ quotes }) => quotes === null)).toEqual([])
    const byEvent = foreign.filter(({ quotes }) => quotes?.kind === 'event')
    expect(new Set(byEvent.map(({ name }) => name))).toEqual(new Set(Object.keys(SAID_BY)))
    for (const { name, quotes } of byEvent) {
      const said = walk.events.find(({ trace, seq }) => quotes?.id === `${trace}/${seq}`)
      expect([name, said?.type]).toEqual([name, SAID_BY[name]])
    }
    const others = foreign.filter(({ quotes }) => quotes?.kind !== 'event')
    expect(new Set(others.map(({ quotes }) => quotes?.kind))).toEqual(new Set(['artifact', 'terms']))
  })
})
