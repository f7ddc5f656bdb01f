// Whose word is a person's, and what an approval must name to approve anything.
import { describe, expect, it } from 'vitest'
import { withPayload } from '../../test/support/agents-scene.ts'
import { Walk } from '../../test/support/agents-walk.ts'
import { COUNCIL, HUMAN, hashOf, MIND, task } from '../../test/support/agents-world.ts'
import { MEANS } from '../ledger/means.ts'
import { proofFault } from './approvals.ts'
import { PROOFS } from './task.ts'

describe('the proof that a person spoke', () => {
  /** By what is wanted: the means that are enough, in the order of `MEANS`. */
  const counted = (more: object, console = true) =>
    PROOFS.map((approval_proof) => {
      const policy = { ...task().policy, approval_proof, ...more }
      return MEANS.filter((via) => proofFault(policy, via, { console }) === null).join(' ')
    })

  it('AGT-X-2 counts if it is at least what the policy asks for', () => {
    expect(counted({})).toEqual([
      'terminal key-file passphrase file console',
      'key-file passphrase file',
      'key-file file',
    ])
  })

  it('AGT-X-2 is not a console in edition 1, and is a host or none only if the home allows it', () => {
    expect(counted({}, false)[0]).toBe('terminal key-file passphrase file')
    expect(counted({ via_host: true })).toEqual([
      'terminal key-file host passphrase file console',
      'key-file passphrase file',
      'key-file file',
    ])
    expect(counted({ unproven: true })).toEqual([
      'terminal key-file passphrase file console none',
      'key-file passphrase file',
      'key-file file',
    ])
  })

  it('AGT-X-2 is a terminal if the policy says nothing, and the message names what is missing', () => {
    const { policy } = task()
    expect(proofFault(policy, 'terminal')).toBeNull()
    expect(proofFault(policy, 'console')).toMatch(/^the policy wants more than in the console: /)
    expect(proofFault(policy, 'none')).toBe('nothing shows that a person said it')
    expect(proofFault(policy, 'host')).toBe('the policy takes no approval through a host')
    expect(proofFault({ ...policy, approval_proof: 'other-machine' }, 'terminal')).toMatch(/--key FILE/)
  })
})

const critics = (...more: readonly (typeof MIND | typeof COUNCIL | typeof HUMAN)[]) => {
  const { roles } = task()
  return task({ roles: { ...roles, critics: [...roles.critics, ...more] } })
}
const human = { decision: 'allow', needs: 'human', risk: 'high' } as const

/** An honest session up to where this seat is to judge the first intent. */
const upTo = (seat: string, opening = task(), change: ConstructorParameters<typeof Walk>[0] = {}): Walk =>
  new Walk({ assess: () => human, ...change })
    .open(opening)
    .run((walk) => walk.wanted.some(({ id }) => id.startsWith(`judge/p1-i1/${seat}`)))

describe('an approval', () => {
  it.each<[string, Record<string, string>]>([
    ['it names another intent', { intent_hash: hashOf('x') }],
    ['it names other arguments', { input_hash: hashOf('x') }],
    ['it names another definition of the tool', { definition: hashOf('x') }],
    ['it names another policy', { policy: hashOf('x') }],
    ['it names no time at which it ends', { expires: 'in the middle of January' }],
    ['it had expired when it was given', { expires: '2026-01-01T00:00:00.000Z' }],
  ])('AGT-TOOL-2 approves nothing if %s', (why, change) => {
    const walk = upTo('human')
    const forged = withPayload(walk.drafts('judge/')[0], change)
    expect(walk.refusal(forged)).toMatchObject({
      code: 'APPROVAL_MISSING',
      message: `this approves nothing: ${why}`,
    })
    // Folded all the same, it still counts for nothing.
    walk.force(forged)
    expect(walk.session.intents.get('p1-i1')?.approvals.map(({ seat }) => seat)).toEqual(['policy'])
  })

  it('AGT-TOOL-2 expires at its time and not before', () => {
    const walk = upTo('human')
    const [draft] = walk.drafts('judge/')
    expect(walk.refusal(withPayload(draft, { expires: walk.world.at }))?.code).toBe('APPROVAL_MISSING')
    const next = new Date(Date.parse(walk.world.at) + 1).toISOString()
    expect(walk.refusal(withPayload(draft, { expires: next }))).toBeNull()
  })

  it('AGT-X-2 of a machine is given by that seat alone, by its own means', () => {
    const walk = upTo('policy')
    const [draft] = walk.drafts('judge/p1-i1/policy')
    expect(walk.refusal(withPayload(draft, {}, 'carl', 'critic'))?.message).toBe(
      'carl does not speak for the seat policy',
    )
    expect(walk.refusal(withPayload(draft, { via: 'terminal' }))?.message).toBe(
      'the seat policy cannot speak via terminal',
    )
  })

  it('AGT-X-2 by a named person is given by that person, and by any person by no seat of the session', () => {
    const ann = { ...HUMAN, agent: 'ann', key: hashOf('ann') }
    const { roles } = task()
    const named = new Walk().open(task({ roles: { ...roles, critics: [...roles.critics, ann] } }))
    named.run(undefined, false)
    const [draft] = named.drafts('review/p1/human')
    expect(named.refusal(draft as never)?.message).toBe('only ann may decide this')
    expect(named.refusal({ ...draft, actor: { agent: 'ann', role: 'critic', key: 'k' } } as never)).toBeNull()
    const any = upTo('human', critics(MIND))
    const [other] = any.drafts('judge/')
    expect(any.refusal(other as never)).toBeNull()
    for (const agent of ['paula', 'eve', 'aude', 'policy', 'claude'])
      expect(any.refusal({ ...other, actor: { agent, role: 'critic', key: 'k' } } as never)?.message).toBe(
        `${agent} is a seat of this session, not a person`,
      )
    for (const via of ['policy', 'mind', 'council'])
      expect(any.refusal(withPayload(other, { via }))?.message).toBe(
        'no answer of a machine counts as a person',
      )
  })

  it('AGT-X-1 by a model rests on what that model said about this same intent', () => {
    const walk = upTo('claude', critics(MIND), {
      judge: (subject) => ({ verdict: subject === 'p1' ? 'approve' : 'reject', reasons: ['no'] }),
    })
    walk.run((w) => w.types.filter((type) => type === 'critic_answered').length === 2)
    const [blocked] = walk.drafts('judge/p1-i1/claude')
    expect(blocked).toMatchObject({ type: 'intent_blocked', payload: { reason: 'no' } })
    const [approval] = upTo('human').drafts('judge/')
    const { action } = blocked?.payload ?? {}
    const { hash, inputHash } = walk.session.intents.get('p1-i1') ?? {}
    const forged = withPayload(
      approval,
      { action, seat: 'claude', via: 'mind', intent_hash: hash, input_hash: inputHash } as never,
      'claude',
    )
    expect(walk.refusal(forged)?.message).toBe('this approves nothing: its mind did not approve')
  })

  it('AGT-X-2 by a seat that may not judge does not count', () => {
    const walk = upTo('human')
    const [draft] = walk.drafts('judge/')
    const action = String(draft?.payload.action).replace('/human/', '/eve/')
    expect(walk.refusal(withPayload(draft, { seat: 'eve', action }))?.code).toBe('ROLE_POLICY_VIOLATION')
  })

  it('AGT-TOOL-2 is given once by each seat', () => {
    const walk = upTo('human', critics(HUMAN, MIND))
    const [draft] = walk.drafts('judge/p1-i1/human')
    walk.say(draft as never)
    expect(walk.refusal(draft as never)).not.toBeNull()
    walk.force(draft as never)
    expect(walk.session.intents.get('p1-i1')?.approvals.map(({ seat }) => seat)).toEqual(['policy', 'human'])
  })
})

describe('the decision of the policy on an intent', () => {
  const judgedBy = (needs: 'none' | 'critic' | 'human', risk: 'low' | 'high', opening = critics()) => {
    const walk = new Walk({ assess: () => ({ decision: 'allow', needs, risk }) }).open(opening)
    walk.run((w) => w.session.intents.get('p1-i1')?.status === 'started')
    return walk.session.intents.get('p1-i1')?.approvals.map(({ seat }) => seat)
  }

  it('AGT-X-1 says who judges it: the policy alone, all critics, or always a person', () => {
    expect(judgedBy('none', 'high', critics(MIND, HUMAN))).toEqual(['policy'])
    expect(judgedBy('critic', 'low', critics(MIND))).toEqual(['policy', 'claude'])
    expect(judgedBy('critic', 'low', critics(HUMAN, MIND))).toEqual(['policy', 'human', 'claude'])
    expect(judgedBy('human', 'low', critics(MIND))).toEqual(['policy', 'claude', 'human'])
    expect(judgedBy('human', 'low', critics(HUMAN))).toEqual(['policy', 'human'])
    expect(judgedBy('critic', 'low')).toEqual(['policy', 'human'])
  })

  it('AGT-X-3 includes a council from the risk that the task names', () => {
    expect(judgedBy('critic', 'low', critics(MIND, COUNCIL))).toEqual(['policy', 'claude'])
    expect(judgedBy('critic', 'high', critics(MIND, COUNCIL))).toEqual(['policy', 'claude', 'council'])
    expect(judgedBy('critic', 'low', critics(COUNCIL))).toEqual(['policy', 'human'])
  })

  it('AGT-TOOL-1 blocks what it denies, with a reason that names the rule', () => {
    const denied = (reasons: readonly string[], deciding: readonly string[]) => {
      const walk = new Walk({ assess: () => ({ decision: 'deny', needs: 'none', risk: 'low' }) })
      walk.open().run((w) => w.wanted.some(({ id }) => id.startsWith('assess/')))
      const [assessed] = walk.drafts('assess/')
      walk.say(withPayload(assessed, { reasons, deciding } as never))
      return walk.drafts('judge/')[0]
    }
    expect(denied(['writes'], ['p1', 'p2'])).toMatchObject({
      type: 'intent_blocked',
      payload: { reason: 'denied by p1, p2 (writes)' },
    })
    expect(denied([], [])).toMatchObject({ payload: { reason: 'denied by the policy' } })
  })
})
