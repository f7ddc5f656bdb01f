// Plans, claims and the end, forged member by member.
import { describe, expect, it } from 'vitest'
import { withPayload } from '../../../test/support/agents-scene.ts'
import { Walk } from '../../../test/support/agents-walk.ts'
import { by, HUMAN, hashOf, LICENCE, MIND, task, written } from '../../../test/support/agents-world.ts'
import type { Draft } from '../../ledger/signing.ts'

const wants = (prefix: string) => (walk: Walk) => walk.wanted.some(({ id }) => id.startsWith(prefix))
const upTo = (prefix: string, walk = new Walk().open()): Walk => walk.run(wants(prefix))
const draftOf = (walk: Walk, prefix: string): Draft => walk.drafts(prefix).at(-1) as Draft
const saysOf = (walk: Walk, draft: Draft): string | null => walk.refusal(draft)?.message ?? null
const withCritics = (...more: readonly (typeof MIND | typeof HUMAN)[]) => {
  const { roles } = task()
  return task({ roles: { ...roles, critics: [...roles.critics, ...more] } })
}

describe('a proposal', () => {
  it.each<[string, object, string?]>([
    ['p1 is not what was planned', { objective: 'Delete it all' }],
    ['p1 is not what was planned', { required_tools: ['shell.run'] }],
    ['p1 is not what was planned', { steps: [] }],
    ['it revises p9, which was never proposed', { revises: 'p9' }],
    ['no proposal p7 is due here', { proposal: 'p7', action: 'propose/p7/1' }],
    ['p1 is due: it is not made by hand', { via: 'terminal' }],
    ['p1 is for the planner to make', {}, 'eve'],
  ])('AGT-PROP-1 is refused: %s', (why, change, agent) => {
    const walk = upTo('propose/')
    const draft = draftOf(walk, 'propose/')
    expect(saysOf(walk, draft)).toBeNull()
    expect(saysOf(walk, withPayload(draft, change as never, agent, agent && 'executor'))).toBe(why)
  })

  it('AGT-PROP-1 is made once', () => {
    const walk = upTo('propose/')
    const draft = draftOf(walk, 'propose/')
    walk.say(draft)
    expect(saysOf(walk, draft)).toBe('p1 was proposed already')
  })

  it('AGT-PROP-2 is reviewed once by each critic, never by its author, and by the means the critic is known for', () => {
    const walk = upTo('review/p1/policy', new Walk().open(withCritics(MIND, HUMAN)))
    const policy = draftOf(walk, 'review/p1/policy')
    expect(saysOf(walk, withPayload(policy, { verdict: 'rejected' }))).toBe(
      'the policy finds otherwise: nothing stands against it',
    )
    expect(saysOf(walk, { ...policy, actor: { ...policy.actor, key: by('paula').key } })).toBe(
      'the author of a proposal cannot review it',
    )
    walk.say(policy)
    expect(saysOf(walk, policy)).not.toBeNull()
    const early = withPayload(policy, { seat: 'claude', action: 'review/p1/claude/1', via: 'mind' }, 'claude')
    expect(saysOf(walk, early)).toBe('claude was not heard on it')
    walk.run(wants('review/p1/claude'))
    const claude = draftOf(walk, 'review/p1/claude')
    expect(saysOf(walk, claude)).toBeNull()
    expect(saysOf(walk, withPayload(claude, { verdict: 'rejected' }))).toBe(
      'claude is known to think otherwise',
    )
    expect(saysOf(walk, withPayload(claude, { conditions: { steps: ['a'] } }))).toBe(
      'the conditions are not those of the critic',
    )
  })

  it("AGT-PROP-2 takes a model's condition exactly as written, and the work must keep it", () => {
    const conditions = { tools: ['files.write'] }
    const judge = (subject: string) =>
      subject === 'p1'
        ? ({ verdict: 'conditional', conditions, reasons: ['only so'] } as const)
        : ({ verdict: 'approve', reasons: [] } as const)
    const walk = upTo('review/p1/claude', new Walk({ judge }).open(withCritics(MIND)))
    const claude = draftOf(walk, 'review/p1/claude')
    expect(claude.payload).toMatchObject({ verdict: 'conditional', conditions })
    expect(saysOf(walk, withPayload(claude, { conditions: {} }))).toBe(
      'the conditions are not those of the critic',
    )
    walk.run()
    expect(walk.session.proposals.get('p1')?.closed).toMatchObject({
      outcome: 'failed',
      reason: 'step a: the approval allows only files.write',
    })
  })

  it.each<[string, object]>([
    ['the tool shell.none is not offered in this session', { required_tools: ['files.read', 'shell.none'] }],
    ['step a uses files.read, which the proposal does not list as required', { required_tools: [] }],
    [
      'a claim is based on step z, which the proposal does not have',
      { claims: [{ text: 't', confidence: 'low', evidence: [{ step: 'z', quote: 'q' }] }] },
    ],
    ['there is no step to carry out', { steps: [], claims: [] }],
  ])('AGT-PROP-2 that cannot be carried out is rejected by the policy: %s', (why, change) => {
    const walk = upTo('review/', new Walk().open(task({ proposals: [written(change)] })))
    const review = draftOf(walk, 'review/')
    expect(review.payload).toMatchObject({ verdict: 'rejected', reasons: [why] })
    expect(saysOf(walk, withPayload(review, { verdict: 'approved' }))).toBe(
      `the policy finds otherwise: ${why}`,
    )
  })

  it('AGT-PROP-3 closes at its end, as it ended, once', () => {
    const walk = upTo('tool/p1-i2')
    const close: Draft = {
      type: 'proposal_closed',
      actor: by('eve'),
      payload: { action: 'close/p1/1', proposal: 'p1', outcome: 'succeeded', reason: 'r' },
    }
    expect(walk.refusal(close)).not.toBeNull()
    walk.run(wants('close/'))
    const draft = draftOf(walk, 'close/')
    expect(saysOf(walk, withPayload(draft, { outcome: 'failed' }))).toBe('p1 ends as succeeded')
    expect(saysOf(walk, withPayload(draft, { proposal: 'p9', action: 'close/p9/1' }))).toBe(
      'p9 was never proposed',
    )
    expect(saysOf(walk, draft)).toBeNull()
  })
})

describe('a claim', () => {
  const quoted = (quote: string) => ({ artifact: hashOf(LICENCE), range: [4, 4 + quote.length], quote })

  it.each<[string, object]>([
    ['the claim is not what was planned or answered', { text: 'a is GPL' }],
    ['the claim is not what was planned or answered', { confidence: 'low' }],
    ['the claim is not what was planned or answered', { proposal: 'p2' }],
    ['the claim is not what was planned or answered', { revises: 'p1-c0' }],
    ['the claim is not what was planned or answered', { evidence: [quoted('MIT')] }],
    [
      'the claim is not what was planned or answered',
      { evidence: [{ ...quoted('MIT License'), artifact: hashOf('{"path":"b/LICENSE"}') }] },
    ],
    ['p1-c9 is not a claim that is due', { claim: 'p1-c9', action: 'claim/p1-c9/1' }],
    ['a range ends before it starts', { evidence: [{ ...quoted('MIT License'), range: [9, 9] }] }],
    ['0 pieces of evidence, 1 are the least', { evidence: [] }],
    [
      `no ended execution left an artifact ${hashOf('x')} that can be quoted`,
      { evidence: [{ ...quoted('MIT License'), artifact: hashOf('x') }] },
    ],
  ])('AGT-CLAIM-1 is refused: %s', (why, change) => {
    const walk = upTo('claim/')
    const draft = draftOf(walk, 'claim/')
    expect(saysOf(walk, draft)).toBeNull()
    expect(saysOf(walk, withPayload(draft, change as never))).toBe(why)
  })

  it('AGT-CLAIM-1 is issued once, and withdrawn only if something contradicts it', () => {
    const walk = upTo('claim/')
    const draft = draftOf(walk, 'claim/')
    const withdrawn = (claim: string): Draft => ({
      type: 'claim_withdrawn',
      actor: by('eve'),
      payload: { action: `claim/${claim}/1`, claim, text: 'a is MIT', reason: 'r' },
    })
    expect(saysOf(walk, withdrawn('p1-c1'))).toBe('nothing keeps p1-c1 from being issued')
    expect(saysOf(walk, withdrawn('p1-c9'))).toBe('there is no claim p1-c9')
    walk.say(draft)
    expect(saysOf(walk, draft)).toBe('p1-c1 was issued already')
    expect(saysOf(walk, withdrawn('p1-c1'))).toBe('p1-c1 is not challenged')
  })

  it('AGT-CLAIM-1 counts the same quote of the same artifact as one piece of evidence', () => {
    const twice = { step: 'a', quote: 'MIT License' }
    const claims = [{ text: 'a is MIT', confidence: 'high' as const, evidence: [twice, twice] }]
    const walk = new Walk().open(task({ evidence_min: 2, proposals: [written({ claims })] })).run()
    expect(walk.session.claims.get('p1-c1')).toMatchObject({
      status: 'withdrawn',
      reason: 'it has 1 pieces of evidence, 2 are the least',
    })
    expect(walk.types).not.toContain('claim_issued')
  })

  it('AGT-CLAIM-2 is judged once by each critic that is asked, by the means the critic is known for', () => {
    const walk = upTo('weigh/p1-c1/policy', new Walk().open(withCritics(MIND)))
    const policy = draftOf(walk, 'weigh/p1-c1/policy')
    expect(saysOf(walk, withPayload(policy, { claim: 'p1-c9', action: 'weigh/p1-c9/policy/1' }))).toBe(
      'p1-c9 was never issued',
    )
    const early = withPayload(
      policy,
      { seat: 'claude', action: 'weigh/p1-c1/claude/1', via: 'mind' },
      'claude',
    )
    expect(saysOf(walk, early)).toBe('claude was not heard on it')
    const stray = withPayload(
      policy,
      { seat: 'human', action: 'weigh/p1-c1/human/1', via: 'terminal' },
      'carl',
    )
    expect(saysOf(walk, stray)).toBe('the seat human is not asked about claims')
    walk.say(policy)
    expect(saysOf(walk, policy)).not.toBeNull()
    walk.run(wants('weigh/p1-c1/claude'))
    const challenge: Draft = {
      type: 'claim_challenged',
      actor: by('claude'),
      payload: { claim: 'p1-c1', seat: 'claude', ground: 'weak', reason: 'r', via: 'mind' },
    }
    expect(saysOf(walk, challenge)).toBe('claude is known to think otherwise')
    expect(saysOf(walk, draftOf(walk, 'weigh/p1-c1/claude'))).toBeNull()
  })

  it('AGT-CLAIM-2 can be challenged once by a person who was not asked, and is then withdrawn', () => {
    const walk = upTo('final/')
    const challenge: Draft = {
      type: 'claim_challenged',
      actor: by('carl'),
      payload: { claim: 'p1-c1', seat: 'human', ground: 'weak', reason: 'thin', via: 'terminal' },
    }
    walk.say(challenge)
    expect(saysOf(walk, challenge)).toBe('human has weighed p1-c1 already')
    walk.run((w) => w.session.claims.get('p1-c1')?.status === 'withdrawn')
    expect(walk.session.claims.get('p1-c1')).toMatchObject({ status: 'withdrawn', reason: 'weak: thin' })
    expect(saysOf(walk, challenge)).toBe('p1-c1 is withdrawn already')
  })
})

describe('the end of a session', () => {
  it('AGT-FIN-1 bundles the claims that hold and lists the others, once all are settled', () => {
    const claims = [
      { text: 'a is MIT', confidence: 'high' as const, evidence: [{ step: 'a', quote: 'MIT License' }] },
      { text: 'a is GPL', confidence: 'low' as const, evidence: [{ step: 'a', quote: 'GNU' }] },
    ]
    const walk = upTo('weigh/p1-c2', new Walk().open(task({ proposals: [written({ claims })] })))
    const final = (change: object): Draft => ({
      type: 'final_statement_signed',
      actor: by('eve'),
      payload: { action: 'final/1', claims: ['p1-c1'], unproven: [], text: 't', ...change } as never,
    })
    expect(walk.refusal(final({}))).toMatchObject({
      message: 'p1-c1 is not weighed by every critic',
      finalisation: true,
    })
    walk.run(wants('final/'))
    const draft = draftOf(walk, 'final/')
    expect(saysOf(walk, draft)).toBeNull()
    expect(draft.payload).toMatchObject({ claims: ['p1-c1'], unproven: [{ text: 'a is GPL' }] })
    expect(saysOf(walk, withPayload(draft, { claims: [] }))).toBe(
      'a final statement bundles at least one claim',
    )
    expect(saysOf(walk, withPayload(draft, { claims: ['p1-c1', 'p1-c2'] }))).toBe(
      'it does not bundle exactly the claims that stand',
    )
    expect(saysOf(walk, withPayload(draft, { unproven: [] }))).toBe('it does not list what was withdrawn')
  })

  it('AGT-FIN-1 waits until everything planned is issued or withdrawn', () => {
    const claims = ['MIT License', 'Permission'].map((quote) => ({
      text: quote,
      confidence: 'high' as const,
      evidence: [{ step: 'a', quote }],
    }))
    const walk = new Walk().open(task({ proposals: [written({ claims })] }))
    walk.run((w) => w.session.claims.get('p1-c1')?.accepted.length === 1)
    const early: Draft = {
      type: 'final_statement_signed',
      actor: by('eve'),
      payload: { action: 'final/1', claims: ['p1-c1'], unproven: [], text: 't' },
    }
    expect(walk.refusal(early)?.message).toMatch(/^p1-c2 is (neither issued nor withdrawn|not weighed)/)
  })

  it.each<[string, object]>([
    ['it verified something else than the trace up to verification_run_started', { size: 3 }],
    ['it verified something else than the trace up to verification_run_started', { head: hashOf('x') }],
    ['it verified something else than the trace up to verification_run_started', { trace: 'another' }],
    ['the report is not among the artifacts', { report: hashOf('x') }],
  ])('AGT-AUD-1 is verified as it stands: %s', (why, change) => {
    const walk = upTo('verify/')
    const draft = draftOf(walk, 'verify/')
    expect(saysOf(walk, draft)).toBeNull()
    expect(saysOf(walk, withPayload(draft, change as never))).toBe(why)
  })

  it('AGT-AUD-1 may keep further artifacts beside the report of its audit', () => {
    const walk = upTo('verify/')
    const draft = draftOf(walk, 'verify/')
    const artifacts = draft.payload.artifacts as { hash: string }[]
    const further = { ...artifacts[0], name: 'further.json', hash: 'f'.repeat(64) }
    expect(saysOf(walk, withPayload(draft, { artifacts: [further, ...artifacts] } as never))).toBeNull()
  })

  it('AGT-AUD-1 is verified only after the audit began, and the audit begins once', () => {
    const done = draftOf(upTo('verify/'), 'verify/')
    const walk = upTo('audit/')
    expect(walk.refusal(done)).not.toBeNull()
    const begun = draftOf(walk, 'audit/')
    walk.say(begun)
    expect(saysOf(walk, begun)).not.toBeNull()
  })
})
