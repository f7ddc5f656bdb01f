import { describe, expect, it } from 'vitest'
import { AttachedWalk, attachedTask } from '../../../test/support/agents-attached.ts'
import { agents } from '../../../test/support/agents-walk.ts'
import { by, task } from '../../../test/support/agents-world.ts'

const begun = (walk = new AttachedWalk(), opening = attachedTask()): AttachedWalk => {
  walk.open(opening).run(undefined, false)
  return walk
}
const statuses = (walk: AttachedWalk) => [...walk.session.intents.values()].map(({ status }) => status)

describe('an attached session', () => {
  it('AGT-X-7 accepts intents that it did not ask for, several at once, and completes with the claims that can be proven', () => {
    const walk = begun(
      new AttachedWalk({
        assess: (tool) => ({ decision: tool === 'mcp__x' ? 'deny' : 'allow', needs: 'none', risk: 'low' }),
      }),
    )
    walk.announce('c1').announce('c2').announce('c3', { tool: 'mcp__x' })
    expect(statuses(walk)).toEqual(['signed', 'signed', 'blocked'])
    walk.start('p1-i2', 'c2').start('p1-i1', 'c1').complete('p1-i2').complete('p1-i1').end().run()
    expect(walk.phase).toBe('completed')
    const [claim] = walk.session.claims.values()
    expect(claim?.text).toBe(
      'claude-code 2.1.0, as it says, announced 3 tool calls: 2 completed, 1 was blocked.',
    )
    expect(claim?.evidence.map(({ quote }) => quote)).toEqual([
      '{"command":"c1"}',
      '{"command":"c2"}',
      '{"command":"c3"}',
    ])
  })

  it('AGT-X-7 starts no call that is blocked or waits for a person, and none by itself', () => {
    const walk = begun(
      new AttachedWalk({ assess: () => ({ decision: 'allow', needs: 'human', risk: 'high' }) }),
    )
    walk.announce('c1')
    expect(() => walk.start('p1-i1')).toThrow('APPROVAL_MISSING')
    walk.run()
    expect(walk.session.intents.get('p1-i1')?.approvals).toHaveLength(2)
    expect(walk.wanted.filter(({ call }) => call !== 'park')).toEqual([])
    walk.start('p1-i1', 'another-call').complete('p1-i1')
    expect(() => walk.start('p1-i1')).toThrow('APPROVAL_MISSING')
    expect(walk.session.intents.get('p1-i1')).toMatchObject({ status: 'completed', call: 'another-call' })
  })

  it('AGT-X-7 marks what the host left unfinished as indeterminate at the end, without waiting for a person', () => {
    const walk = begun().announce('c1').start('p1-i1').announce('c2').gap().end().run()
    expect([walk.phase, statuses(walk)]).toEqual(['completed', ['indeterminate', 'void']])
    expect([...walk.session.claims.values()][0]?.text).toContain(
      '1 was never started, 1 has an unknown outcome. 1 gap is recorded.',
    )
  })

  it('AGT-X-7 knows no limit of steps, repeats or minutes', () => {
    const walk = begun()
    for (let i = 1; i <= 50; i++) walk.announce('same').start(`p1-i${i}`).complete(`p1-i${i}`)
    walk.world.at = '2027-01-01T00:00:00.000Z'
    expect(walk.announce('late').end().run().phase).toBe('completed')
  })

  it('AGT-X-7 blocks a tool that the standing order does not allow, and records that', () => {
    const walk = begun().announce('c1', { tool: 'Write', input: { file_path: 'a' } })
    expect([...walk.session.intents.values()][0]).toMatchObject({
      status: 'blocked',
      reason: 'the approved proposal does not list Write as required',
    })
  })

  it('AGT-X-7 requires the definition of a tool on record at its first use, and the name of the call', () => {
    const walk = begun()
    const { payload, ...rest } = walk.signed('c1')
    const [input] = (payload as { artifacts: readonly object[] }).artifacts
    expect(
      walk.refusal({ ...rest, payload: { ...payload, artifacts: [input] } as never })?.message,
    ).toContain('the definition of Bash is not on record')
    const { call: _, ...uncalled } = payload as { call: string }
    expect(walk.refusal({ ...rest, payload: uncalled as never })?.code).toBe('SCHEMA_INVALID')
    walk.announce('c1')
    const again = walk.signed('c2')
    const kept = (again.payload as { artifacts: readonly object[] }).artifacts.slice(0, 1)
    expect(walk.refusal({ ...again, payload: { ...again.payload, artifacts: kept } as never })).toBeNull()
  })

  it('AGT-X-7 accepts no event of the host after the end of its session, nor in a session without a host', () => {
    const ended = begun().announce('c1').end()
    expect(ended.refusal(ended.signed('c2'))?.code).toBe('ORDER_VIOLATION')
    const gap = { why: 'unseen', tool: null, call: null, reason: 'r' }
    const plain = new AttachedWalk()
    plain.open(task()).run((walk) => walk.phase === 'executing')
    expect(plain.refusal({ type: 'gap_recorded', actor: by('clerk'), payload: gap })?.code).toBe(
      'ROLE_POLICY_VIOLATION',
    )
  })

  it('AGT-X-7 VER-3 does not exist in edition 1', () => {
    const first = new AttachedWalk()
    first.open({ ...attachedTask(), edition: 1 }).run(undefined, false)
    expect([...first.session.proposals.values()][0]?.status).toBe('rejected')
  })

  it('AGT-X-7 warns a verifier of each gap', () => {
    const walk = begun().announce('c1').gap()
    const found = walk.events.map((event) => agents.warns?.(event)).filter((warning) => warning)
    expect(found).toEqual([
      'a call of Bash (c9): it was told of only after it had run; no intent was recorded for it',
    ])
  })

  it('AGT-X-7 says in its claim that no call was gated if the policy only observes', () => {
    const { policy } = attachedTask()
    const claimOf = (observe: boolean): string | undefined => {
      const opening = attachedTask({ policy: { ...policy, observe } })
      const walk = begun(new AttachedWalk(), opening)
        .announce('c1')
        .start('p1-i1')
        .complete('p1-i1')
        .end()
        .run()
      return [...walk.session.claims.values()][0]?.text
    }
    expect(claimOf(false)).toMatch(/announced 1 tool call: 1 completed\.$/)
    expect(claimOf(true)).toMatch(/announced 1 tool call: 1 completed\. Nothing was gated\.$/)
  })

  it('AGT-X-7 keeps the first author of an input that was made twice', () => {
    const walk = begun().announce('same').announce('same')
    const [first, second] = [...walk.session.intents.values()]
    expect(second?.inputHash).toBe(first?.inputHash)
    expect(walk.session.produced.get(first?.inputHash ?? '')).toMatchObject({ intent: 'p1-i1' })
  })

  it.each(['call', 'quote'])('AGT-X-7 signs no intent of a host without its %s', (member) => {
    const walk = begun()
    const draft = walk.signed('c1')
    const { [member]: _, ...payload } = draft.payload as Record<string, unknown>
    expect(walk.refusal({ ...draft, payload: payload as never })?.message).toBe(
      'an intent of a host names its call and how its input begins',
    )
  })
})
