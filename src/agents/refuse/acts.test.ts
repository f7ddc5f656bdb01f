// Acting, forged step by step: each event of an honest session is bent in one member, or said where it has no place, and
// refused in the words of the guard that it breaks.
import { describe, expect, it } from 'vitest'
import { withPayload } from '../../../test/support/agents-scene.ts'
import { Walk } from '../../../test/support/agents-walk.ts'
import {
  artifact,
  by,
  COUNCIL,
  HUMAN,
  hashOf,
  MIND,
  personVerdict,
  plan,
  plannedTask,
  read,
  task,
  written,
} from '../../../test/support/agents-world.ts'
import type { Draft } from '../../ledger/signing.ts'

const human = { decision: 'allow', needs: 'human', risk: 'high' } as const
const wants = (prefix: string) => (walk: Walk) => walk.wanted.some(({ id }) => id.startsWith(prefix))
const upTo = (prefix: string, walk = new Walk().open()): Walk => walk.run(wants(prefix))
const draftOf = (walk: Walk, prefix: string): Draft => walk.drafts(prefix).at(-1) as Draft
const saysOf = (walk: Walk, draft: Draft | undefined): string | null =>
  walk.refusal(draft as Draft)?.message ?? null

describe('an intent', () => {
  it.each<[string, object]>([
    ['p9 was never proposed', { proposal: 'p9' }],
    ['the tool nothing.here is not offered in this session', { tool: 'nothing.here' }],
    ['the approved proposal does not list files.write as required', { tool: 'files.write' }],
    ['files.read is not defined so in this session', { definition: hashOf('another') }],
    ['the intent is not what was planned or answered', { step: 'b' }],
    ['the intent is not what was planned or answered', { input_hash: hashOf('{}') }],
    ['the intent is not what was planned or answered', { risk: 'high' }],
    ['the intent is not what was planned or answered', { revises: 'p1-i0' }],
    ['the intent is not what was planned or answered', { intent: 'p1-i2', action: 'intent/p1-i2/1' }],
    ['the input of the intent is not among its artifacts', { artifacts: [artifact('{}', 'input.json')] }],
  ])('AGT-TOOL-1 is refused: %s', (why, change) => {
    const walk = upTo('intent/')
    const draft = draftOf(walk, 'intent/')
    expect(saysOf(walk, draft)).toBeNull()
    expect(saysOf(walk, withPayload(draft, change as never))).toBe(why)
  })

  it('AGT-TOOL-1 is signed once, and only while its plan has a step left', () => {
    const walk = upTo('intent/')
    const draft = draftOf(walk, 'intent/')
    walk.say(draft)
    expect(saysOf(walk, draft)).toBe('p1-i1 was signed already')
    const again = withPayload(draft, { intent: 'p1-i2', action: 'intent/p1-i2/1' })
    expect(saysOf(walk, again)).toBe('p1 wants nothing done now')
    walk.run(wants('close/'))
    expect(saysOf(walk, withPayload(draft, { intent: 'p1-i3', action: 'intent/p1-i3/1' }))).toBe(
      'p1 is at its end',
    )
  })

  it('AGT-PROP-2 waits until every critic has reviewed its plan', () => {
    const intent = draftOf(upTo('intent/'), 'intent/')
    const { roles } = task()
    const walk = new Walk().open(
      task({ roles: { ...roles, critics: [...roles.critics, HUMAN] }, proposals: [written(), written()] }),
    )
    walk.run(wants('review/p1/human'))
    walk.say(personVerdict(walk.world, walk.wanted.find(({ id }) => id.startsWith('review/p1')) as never))
    const other = withPayload(intent, { proposal: 'p2', intent: 'p2-i1', action: 'intent/p2-i1/1' })
    expect(walk.refusal(other)).toMatchObject({
      code: 'APPROVAL_MISSING',
      message: 'p2 is proposed, not approved',
    })
  })

  it('AGT-X-4 is not signed beyond a limit of the session', () => {
    const limits = { ...task().limits, steps: 1 }
    const walk = upTo('limit/', new Walk().open(task({ limits })))
    expect(draftOf(walk, 'limit/').payload).toMatchObject({ limit: 'steps', proposal: null, bound: 1 })
    const [, second] = written().steps ?? []
    const honest = upTo('intent/p1-i2')
    expect(saysOf(walk, draftOf(honest, 'intent/p1-i2'))).toBe('the limit of steps is reached')
    expect(second?.id).toBe('b')
  })
})

describe('an assessment', () => {
  it('AGT-TOOL-1 is made once, for an intent that waits for it, under the policy in force', () => {
    const walk = upTo('assess/')
    const draft = draftOf(walk, 'assess/')
    expect(saysOf(walk, withPayload(draft, { policy: hashOf('another') }))).toBe(
      'assessed under a policy that is not in force',
    )
    expect(saysOf(walk, withPayload(draft, { intent: 'p1-i9', action: 'assess/p1-i9/1/1' }))).toBe(
      'no intent p1-i9 was signed',
    )
    walk.say(draft)
    expect(saysOf(walk, draft)).toBe('p1-i1 is not to be assessed now')
  })
})

describe('a verdict', () => {
  it('AGT-X-1 is given in turn, on an intent that is still to be judged', () => {
    const { roles } = task()
    const opening = task({ roles: { ...roles, critics: [...roles.critics, MIND, HUMAN] } })
    const walk = upTo('judge/p1-i1/policy', new Walk({ assess: () => human }).open(opening))
    const block = (seat: string, agent: string, via: string): Draft => ({
      type: 'intent_blocked',
      actor: by(agent, 'critic'),
      payload: { action: `judge/p1-i1/${seat}/1/1`, intent: 'p1-i1', seat, reason: 'no', via },
    })
    expect(saysOf(walk, block('human', 'carl', 'terminal'))).toBe('it is not for human to judge p1-i1 now')
    walk.run(wants('judge/p1-i1/human'))
    expect(saysOf(walk, block('policy', 'policy', 'policy'))).toBe('policy has approved it already')
    walk.say(block('human', 'carl', 'terminal'))
    expect(saysOf(walk, block('human', 'carl', 'terminal'))).toBe(
      'p1-i1 is blocked: there is nothing to judge',
    )
  })
})

describe('the start of a tool', () => {
  it.each<[string, object]>([
    ['it starts with other arguments', { input_hash: hashOf('{}') }],
    ['the tool is not the one that was approved', { definition: hashOf('another') }],
    ['it names approvals that are not those of the intent', { approvals: [] }],
    ['it names approvals that are not those of the intent', { approvals: [hashOf('x')] }],
    ['no intent p1-i9 was signed', { intent: 'p1-i9', action: 'start/p1-i9/1/1' }],
  ])('AGT-TOOL-2 is refused: %s', (why, change) => {
    const walk = upTo('start/')
    const draft = draftOf(walk, 'start/')
    expect(saysOf(walk, draft)).toBeNull()
    expect(saysOf(walk, withPayload(draft, change as never))).toBe(why)
  })

  it('AGT-TOOL-2 names every approval, in any order, and none that has ended', () => {
    const walk = upTo('start/', new Walk({ assess: () => human }).open())
    const draft = draftOf(walk, 'start/')
    const given = draft.payload.approvals as readonly string[]
    expect(given).toHaveLength(2)
    expect(saysOf(walk, withPayload(draft, { approvals: [...given].reverse() }))).toBeNull()
    expect(saysOf(walk, withPayload(draft, { approvals: given.slice(1) }))).toMatch(/approvals that are not/)
    expect(saysOf(walk, withPayload(draft, { approvals: [...given, ...given] }))).toMatch(
      /approvals that are not/,
    )
    walk.world.at = '2026-01-01T03:00:00.000Z'
    expect(saysOf(walk, draft)).toMatch(/^the approval of (policy|human) had expired at /)
    const voided = { action: 'start/p1-i1/1/1', intent: 'p1-i1', why: 'expired', reason: 'late' }
    expect(saysOf(walk, { type: 'approval_voided', actor: by('eve'), payload: voided })).toBeNull()
  })

  it('AGT-TOOL-2 uses up its approvals: they can neither start a tool nor be voided a second time', () => {
    const walk = upTo('start/')
    const draft = draftOf(walk, 'start/')
    const voided = (why: string): Draft => ({
      type: 'approval_voided',
      actor: by('eve'),
      payload: { action: 'start/p1-i1/1/1', intent: 'p1-i1', why, reason: 'late' },
    })
    expect(saysOf(walk, voided('expired'))).toBe('no approval of it has expired')
    expect(saysOf(walk, voided('tool_changed'))).toBeNull()
    walk.say(draft)
    expect(saysOf(walk, draft)).toBe('the approvals of p1-i1 are used up: it is started')
    expect(walk.refusal(voided('tool_changed'))?.code).toBe('ORDER_VIOLATION')
  })
})

describe('an execution', () => {
  const CUT = { type: 'call_indeterminate', actor: by('clerk') }

  it('AGT-TOOL-3 ends once, with its input on record', () => {
    const walk = upTo('tool/')
    const [called, done] = walk.drafts('tool/') as readonly [Draft, Draft]
    expect(saysOf(walk, done)).not.toBeNull()
    walk.say(called)
    expect(saysOf(walk, withPayload(done, { artifacts: [artifact('{}', 'x')] } as never))).toBe(
      'an execution keeps its input among its artifacts',
    )
    walk.say(done)
    expect(saysOf(walk, done)).not.toBeNull()
    expect(saysOf(walk, called)).toBe('the approvals of p1-i1 are used up: it is completed')
  })

  it('AGT-REC-1 that was cut off waits for a person, who says whether it failed or is repeated', () => {
    const cut = (): Walk => {
      const walk = upTo('tool/')
      const [called] = walk.drafts('tool/')
      walk.say(called as Draft)
      const mark = {
        type: 'tool_execution_indeterminate',
        actor: by('eve'),
        payload: { action: 'mark/p1-i1/1', intent: 'p1-i1', reason: 'r' },
      }
      expect(saysOf(walk, mark)).not.toBeNull()
      walk.say({ ...CUT, payload: { action: 'tool/p1-i1/1', reason: 'its clerk is gone' } })
      return walk.run(wants('resolve/'), false)
    }
    const walk = cut()
    expect(walk.session.intents.get('p1-i1')?.status).toBe('indeterminate')
    expect(walk.wanted.map(({ id, call }) => `${call} ${id}`)).toEqual(['park resolve/p1-i1/1'])
    const resolve = (as: string, agent = 'carl', role = 'critic', via = 'terminal'): Draft => ({
      type: 'execution_resolved',
      actor: by(agent, role),
      payload: { action: 'resolve/p1-i1/1', intent: 'p1-i1', as, reason: 'I looked', via },
    })
    for (const agent of ['paula', 'eve', 'aude', 'policy'])
      expect(saysOf(walk, { ...resolve('again'), actor: { ...by('carl', 'critic'), agent } })).toBe(
        'only a person says what became of an execution that was cut off',
      )
    expect(saysOf(walk, resolve('again', 'carl', 'critic', 'host'))).toBe(
      'the policy takes no approval through a host',
    )
    expect(saysOf(walk, resolve('again', 'olga', 'operator'))).toBeNull()
    walk.say(resolve('failed'))
    expect(walk.session.intents.get('p1-i1')).toMatchObject({
      status: 'failed',
      reason: 'marked as failed: I looked',
    })
    expect(saysOf(walk, resolve('failed'))).not.toBeNull()
    const again = cut()
    again.say(resolve('again'))
    expect(again.session.intents.get('p1-i1')?.status).toBe('repeated')
    expect(again.wanted.map(({ id }) => id)).toEqual(['intent/p1-i2/1'])
    expect(again.run().phase).toBe('completed')
  })
})

describe('a council or a model', () => {
  it('AGT-X-3 answers once, on the matter it was convened for', () => {
    const { roles } = task()
    const opening = task({ roles: { ...roles, critics: [...roles.critics, COUNCIL] } })
    const walk = upTo('convene/', new Walk({ assess: () => ({ ...human, needs: 'critic' }) }).open(opening))
    const convened = draftOf(walk, 'convene/')
    expect(
      saysOf(walk, withPayload(convened, { intent: 'p1-i9', action: 'convene/p1-i9/council/1/1' })),
    ).toBe('no intent p1-i9 was signed')
    walk.say(convened)
    expect(saysOf(walk, convened)).not.toBeNull()
    const [called, heard] = walk.drafts('consult/') as readonly [Draft, Draft]
    walk.say(called)
    expect(saysOf(walk, withPayload(heard, { trace: '01KE0000000000000000000055' }))).toBe(
      'it is not the council that was convened',
    )
    walk.say(heard)
    expect(walk.session.intents.get('p1-i1')?.council?.heard?.decision).toBe('adopt')
    walk.run((w) => w.session.intents.get('p1-i1')?.status === 'started')
    expect(saysOf(walk, convened)).toBe('no council is to be heard on p1-i1 now')
  })

  it('AGT-X-1 answers only for a seat that has one, and on a matter that exists', () => {
    const opening = plannedTask([MIND])
    const walk = new Walk({ plan: () => ({ proposals: [plan] }), act: () => read('a') }).open(opening)
    walk.run(wants('consult/p1/claude'))
    const [called, answered] = walk.drafts('consult/') as readonly [Draft, Draft]
    walk.say(called)
    expect(saysOf(walk, answered)).toBeNull()
    const other = { subject: 'p9', action: 'consult/p9/claude/1/1' }
    expect(saysOf(walk, withPayload(answered, other))).toBe('there is no p9 to be heard on')
    const policy = { seat: 'policy', action: 'consult/p1/policy/1/1' }
    expect(walk.refusal(withPayload(answered, policy, 'policy'))?.code).toBe('ROLE_POLICY_VIOLATION')
  })
})
