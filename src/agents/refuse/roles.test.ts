// Which sessions are opened, and who speaks in them: each wrong opening is refused in the words of the rule that it breaks.
import { describe, expect, it } from 'vitest'
import { withPayload } from '../../../test/support/agents-scene.ts'
import { Walk } from '../../../test/support/agents-walk.ts'
import { by, COUNCIL, HUMAN, hashOf, MIND, plannedTask, task } from '../../../test/support/agents-world.ts'

const { roles } = task()
const [policy] = roles.critics
const { planner, executor, auditor } = roles
const refusalOf = (opening: unknown): string | null =>
  new Walk().refusal({ type: 'session_initialized', actor: by('olga'), payload: opening as never })
    ?.message ?? null
const seated = (change: object): unknown => ({ ...task(), roles: { ...roles, ...change } })

const SAME = 'executor, critics and auditor must be different agents with different keys'
const POLICY_FIRST = 'the first critic, and only the first, is the policy'
const NAMELESS = 'a critic that is no person needs an agent and a key'

describe('a session', () => {
  it.each<[string, object]>([
    [POLICY_FIRST, { critics: [HUMAN] }],
    [POLICY_FIRST, { critics: [MIND, policy] }],
    [POLICY_FIRST, { critics: [policy, { ...policy, seat: 'two', agent: 'two', key: hashOf('two') }] }],
    [NAMELESS, { critics: [policy, { ...MIND, key: null }] }],
    [NAMELESS, { critics: [policy, { ...COUNCIL, agent: null }] }],
    [SAME, { critics: [policy, { ...MIND, agent: 'eve' }] }],
    [SAME, { critics: [policy, { ...MIND, key: executor.key }] }],
    [SAME, { critics: [policy, MIND, { ...COUNCIL, agent: 'claude' }] }],
    [SAME, { auditor: { ...auditor, agent: 'eve' } }],
    [SAME, { auditor: { ...auditor, key: executor.key } }],
    [SAME, { auditor: { ...auditor, key: policy?.key } }],
    ['the planner cannot be a critic of its own plan', { planner: { ...planner, agent: 'policy' } }],
    ['the planner cannot be a critic of its own plan', { planner: { ...planner, key: policy?.key } }],
    ['the planner cannot be the auditor', { planner: { ...planner, agent: 'aude' } }],
    ['the planner cannot be the auditor', { planner: { ...planner, key: auditor.key } }],
    ['a plan without written steps needs a mind to execute it', { planner: { ...planner, mind: 'thinker' } }],
  ])('AGT-ROLE-1 AGT-X-2 is not opened: %s', (why, change) => {
    expect(refusalOf(seated(change))).toBe(why)
  })

  it('AGT-ROLE-1 can be opened by one who plans and executes, with people without a key among the critics', () => {
    expect(refusalOf(seated({ planner: { ...executor, mind: null } }))).toBeNull()
    expect(refusalOf(seated({ critics: [policy, HUMAN, { ...HUMAN, seat: 'second' }] }))).toBeNull()
  })

  it('AGT-PROP-1 has written proposals exactly if no model plans, and its tools are defined on record', () => {
    const why = 'proposals are written exactly when no mind plans'
    expect(refusalOf(task({ proposals: [] }))).toBe(why)
    expect(refusalOf(plannedTask([], { proposals: task().proposals }))).toBe(why)
    const { artifacts, ...rest } = task()
    expect(refusalOf({ ...rest, artifacts: artifacts.slice(1) })).toBe(
      'the definition of a tool is not among the artifacts',
    )
  })

  it('APP-1 that says no model was asked has no council, and only scripted models', () => {
    const demo = (planned: string, executed: string, critics: readonly unknown[]) => ({
      ...plannedTask(),
      scripted: true,
      roles: {
        ...roles,
        planner: { ...planner, mind: planned },
        executor: { ...executor, mind: executed },
        critics: [policy, ...critics],
      },
    })
    const cal = { ...MIND, seat: 'scripted-cal' }
    const why = 'a model of a scripted demo is not scripted'
    expect(refusalOf(demo('scripted-a', 'scripted-b', [cal]))).toBeNull()
    expect(refusalOf(demo('scripted-a', 'scripted-b', [HUMAN]))).toBeNull()
    expect(refusalOf(demo('scripted-a', 'ollama', [cal]))).toBe(why)
    expect(refusalOf(demo('ollama', 'scripted-b', [cal]))).toBe(why)
    expect(refusalOf(demo('scripted-a', 'scripted-b', [MIND]))).toBe(why)
    expect(refusalOf(demo('scripted-a', 'scripted-b', [{ ...COUNCIL, seat: 'scripted-c' }]))).toBe(why)
  })

  it.each<[string, (opening: ReturnType<typeof task>) => unknown]>([
    ['an id holds other characters', () => seated({ critics: [{ ...policy, seat: 'a/b' }] })],
    ['no agent name', () => seated({ critics: [{ ...policy, agent: 'a b' }] })],
    ['an id occurs twice', () => seated({ critics: [policy, { ...MIND, seat: 'policy' }] })],
    ['an id occurs twice', ({ tools, ...one }) => ({ ...one, tools: [...tools, ...tools] })],
    [
      'an id occurs twice',
      ({ proposals: [first], ...one }) => ({
        ...one,
        proposals: [{ ...first, steps: [...(first?.steps ?? []), ...(first?.steps ?? [])] }],
      }),
    ],
    ['a hash is malformed', (one) => ({ ...one, policy: { ...one.policy, hash: 'x'.repeat(64) } })],
    [
      'a hash is malformed',
      (one) => ({ ...one, tools: one.tools.map((tool) => ({ ...tool, definition: 'X'.repeat(64) })) }),
    ],
  ])('AGT-ROLE-1 is not opened where %s', (why, change) => {
    expect(refusalOf(change(task()))).toContain(why)
  })
})

describe('the author of an event', () => {
  it('AGT-ROLE-1 is the agent that the opening names, for every role', () => {
    const walk = new Walk().open()
    for (const [prefix, agent, role] of [
      ['propose/', 'paula', 'planner'],
      ['intent/', 'eve', 'executor'],
    ] as const) {
      walk.run((w) => w.wanted.some(({ id }) => id.startsWith(prefix)))
      const [draft] = walk.drafts(prefix)
      expect(walk.refusal(withPayload(draft, {}, 'mallory', role))?.message).toBe(
        `the ${role} of this session is ${agent}, not mallory`,
      )
    }
    walk.run((w) => w.phase === 'auditing')
    const [audit] = walk.drafts('audit/')
    expect(walk.refusal(withPayload(audit, {}, 'mallory', 'auditor'))?.message).toBe(
      'the auditor of this session is aude, not mallory',
    )
  })

  it('AGT-X-2 keeps to one duty: a key that acted as executor, critic or auditor acts as no other', () => {
    const walk = new Walk().open().run((w) => w.phase === 'claiming')
    const [weighed] = walk.run((w) => w.wanted.some(({ id }) => id.startsWith('weigh/'))).drafts('weigh/')
    const key = by('eve').key
    expect(walk.refusal({ ...weighed, actor: { ...by('policy'), key } } as never)?.message).toBe(
      'a key that acts as executor cannot act as critic',
    )
    walk.run((w) => w.phase === 'auditing')
    const [audit] = walk.drafts('audit/')
    for (const agent of ['eve', 'policy'])
      expect(
        walk.refusal({ ...audit, actor: { ...by('aude'), key: by(agent).key } } as never)?.message,
      ).toMatch(/^a key that acts as (executor|critic) cannot act as auditor$/)
  })

  it('AGT-X-2 is no critic unless the task names it', () => {
    const walk = new Walk().open().run((w) => w.wanted.some(({ id }) => id.startsWith('review/')))
    const [review] = walk.drafts('review/')
    expect(walk.refusal(withPayload(review, { seat: 'eve' }))?.message).toBe(
      'eve is no critic of this session',
    )
  })
})
