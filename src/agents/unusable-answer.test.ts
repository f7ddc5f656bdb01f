// What a model answers and cannot be taken: it is told what there is, once, and then the session continues without it.

import { describe, expect, it } from 'vitest'
import { agents, Walk } from '../../test/support/agents-walk.ts'
import { hashOf, LICENCE, plan, plannedTask, read, type World } from '../../test/support/agents-world.ts'
import type { ExecutorReply } from '../../test/support/all-of-agents.ts'
import { tell } from '../render/story/agents.ts'

const claiming = (quote: string, artifact = hashOf(LICENCE)): ExecutorReply => ({
  claims: [{ text: 'it is MIT', confidence: 'high', evidence: [{ artifact, quote }] }],
})
const paging = (artifact: string): ExecutorReply => ({
  intent: { tool: 'session.page', input: { artifact, start: 0, length: 9 }, justification: 'more' },
})
const NOBODYS = hashOf('of nobody')

/** The last answer is given over and over. */
function answering(...replies: readonly ExecutorReply[]): Partial<World> {
  let i = 0
  return {
    plan: () => ({ proposals: [plan] }),
    act: () => replies[Math.min(i++, replies.length - 1)] ?? null,
  }
}

const outcomes = (walk: Walk): readonly string[] => walk.types.filter((type) => type.startsWith('executor_'))

/** What was asked, as it is recorded of the outcome of an action. */
function requestFor(walk: Walk, action: string): string {
  const event = walk.events.find(
    ({ type, payload }) => type.startsWith('executor_') && payload?.action === action,
  )
  const kept = (event?.payload?.artifacts ?? []) as unknown as readonly { name: string; hash: string }[]
  const hash = kept.find(({ name }) => name === 'request.json')?.hash ?? ''
  const { parts } = JSON.parse(String(walk.world.artifacts.get(hash)))
  return parts.map(({ text }: { text: string }) => text).join('\n\n')
}

/** What a verifier finds who builds all prompts and reads all replies again. */
function found(walk: Walk): readonly string[] {
  let state = agents.initial
  return walk.events.flatMap((event) => {
    const refused = agents.examine?.(state, event, (hash) => walk.world.artifacts.get(hash) ?? null)
    state = agents.evolve(state, event)
    return refused ? [`${event.type}: ${refused.message}`] : []
  })
}

describe('a claim on an artifact that does not exist', () => {
  it('VOX-15 costs one more question, which names the artifacts that exist; after that it is a failure and the session goes on', () => {
    const walk = new Walk(answering(read('a'), claiming('MIT License', NOBODYS))).open(plannedTask()).run()
    expect(outcomes(walk)).toEqual(['executor_answered', 'executor_incomplete', 'executor_failed'])
    const again = requestFor(walk, 'act/p1/2/mend/1')
    expect(again).toContain(
      `These are the artifacts of this session, each by its id, and there are no others:\n`,
    )
    for (const id of walk.session.produced.keys()) expect(again).toContain(id)
    expect(requestFor(walk, 'act/p1/2/1')).not.toContain('there are no others')
    expect(walk.session.proposals.get('p1')?.closed).toEqual({
      outcome: 'failed',
      reason: 'what the executor claims stands on artifacts that this session does not have',
    })
    expect(walk.phase).toBe('completed')
    expect(walk.session.statement?.claims).toEqual(['p1-i1-fact'])
    expect(found(walk)).toEqual([])
  })

  it('VOX-15 is reported on screen, both times', () => {
    const walk = new Walk(answering(read('a'), claiming('MIT License', NOBODYS))).open(plannedTask()).run()
    const lines = walk.events.flatMap((event) => tell(event)?.text ?? [])
    expect(lines).toContain(
      'the executor is asked again on p1: it names an artifact that there is not (claims[0].evidence[0].artifact)',
    )
    expect(lines).toContain(
      'the executor did not answer on p1: the answer lacks claims[0].evidence[0].artifact, also when asked for it',
    )
    expect(lines).toContain(
      'p1 failed: what the executor claims stands on artifacts that this session does not have',
    )
  })

  it('VOX-15 has no effect if the second answer names an artifact that exists', () => {
    const walk = new Walk(answering(read('a'), claiming('MIT License', NOBODYS), claiming('MIT License')))
      .open(plannedTask())
      .run()
    expect(outcomes(walk)).toEqual(['executor_answered', 'executor_incomplete', 'executor_answered'])
    expect(walk.session.statement?.claims).toEqual(['p1-c1'])
  })

  it('VOX-15 ends the work if the executor asks for its pages three times in a row, and names the artifacts that exist', () => {
    const walk = new Walk(answering(read('a'), paging(NOBODYS))).open(plannedTask()).run()
    expect(outcomes(walk)).toHaveLength(4)
    expect(requestFor(walk, 'act/p1/3/1')).toContain(`there are no others:\n`)
    expect(walk.session.proposals.get('p1')?.closed?.reason).toBe('no answer of the executor could be taken')
    expect(walk.phase).toBe('completed')
    expect(found(walk)).toEqual([])
  })

  it('VOX-15 was asked about as long as steps were left in edition 1, and still verifies so', () => {
    const walk = new Walk(answering(read('a'), claiming('MIT License', NOBODYS)))
      .open(plannedTask([], { edition: 1 } as object))
      .run()
    expect(outcomes(walk).length).toBeGreaterThan(30)
    expect(found(walk)).toEqual([])
  })
})

describe('a quote that does not stand in its artifact', () => {
  const near = claiming('the mit   licence')

  it('AGT-CLAIM-2 is answered once with the nearest passage, as data, which a verifier builds again', () => {
    const walk = new Walk(answering(read('a'), near, claiming('MIT License'))).open(plannedTask()).run()
    const asked = requestFor(walk, 'act/p1-c1/1/1')
    const label = `label="artifact ${hashOf(LICENCE)}, bytes 0 to 15 of ${LICENCE.length}"`
    expect(asked).toMatch(new RegExp(`<data-([0-9a-f]{16}) ${label}>\nThe MIT License\n</data-\\1>`))
    expect(asked).toContain('Where an artifact comes nearest to each of them is shown above')
    expect(walk.session.statement?.claims).toEqual(['p1-c1-r1'])
    expect(found(walk)).toEqual([])
  })

  it('AGT-CLAIM-2 withdraws the claim if the next quote is not found either', () => {
    const walk = new Walk(answering(read('a'), near)).open(plannedTask()).run()
    expect(outcomes(walk)).toHaveLength(3)
    expect(walk.session.claims.get('p1-c1-r1')?.status).toBe('withdrawn')
    expect(walk.phase).toBe('completed')
    expect(found(walk)).toEqual([])
  })

  it('AGT-CLAIM-2 detects a recorded prompt that shows another passage than the nearest', () => {
    const walk = new Walk(answering(read('a'), near, claiming('MIT License'))).open(plannedTask()).run()
    const event = walk.events.find(({ payload }) => payload?.action === 'act/p1-c1/1/1' && payload?.artifacts)
    const kept = event?.payload?.artifacts as unknown as { name: string; hash: string }[]
    const hash = kept.find(({ name }) => name === 'request.json')?.hash ?? ''
    const request = JSON.parse(String(walk.world.artifacts.get(hash)))
    const part = request.parts.find(({ name }: { name: string }) => name === 'nearest')
    part.text = part.text.replace('The MIT License', 'The GNU License')
    walk.world.artifacts.set(hash, Buffer.from(JSON.stringify(request)))
    expect(found(walk)).toEqual([
      'executor_answered: the executor was shown something else: the part nearest is not what the session gives',
    ])
  })

  it('AGT-CLAIM-2 was answered without a passage in edition 1', () => {
    const walk = new Walk(answering(read('a'), near)).open(plannedTask([], { edition: 1 } as object)).run()
    expect(requestFor(walk, 'act/p1-c1/1/1')).not.toContain('comes nearest')
    expect(found(walk)).toEqual([])
  })
})
