// Sessions that were forged by someone who holds every key: chained and signed without a flaw, and found by the
// verifier offline, each under its code.

import { describe, expect, it } from 'vitest'
import { SignedSession, withPayload } from '../../test/support/agents-scene.ts'
import { by, COUNCIL, HUMAN, hashOf, LICENCE, task, written } from '../../test/support/agents-world.ts'
import type { Payload } from '../ledger/event.ts'

const INPUT = '{"path":"a/LICENSE"}'
const risky = { assess: () => ({ decision: 'allow', needs: 'human', risk: 'high' }) as const }

describe('an honest session', () => {
  it('AGT-AUD-1 verifies, and completes only through a verification that names report, size and head', async () => {
    const session = await (await SignedSession.open()).run()
    expect(session.phase).toBe('completed')
    const report = await session.verify()
    expect(report.failures).toEqual([])
    expect(report.status).toBe('pass')
  })

  it('verifies with a person among the critics, and with a claim that was challenged and withdrawn', async () => {
    const claims = [
      { text: 'a is MIT', confidence: 'high', evidence: [{ step: 'a', quote: 'MIT License' }] },
      { text: 'a is GPL', confidence: 'low', evidence: [{ step: 'a', quote: 'GNU' }] },
    ] as const
    const session = await SignedSession.open(task({ proposals: [written({ claims })] }), risky)
    await session.run()
    expect((await session.verify()).failures).toEqual([])
  })
})

describe('the verifier finds', () => {
  it('AGT-ORD-1 an execution without an intent', async () => {
    const session = await (await SignedSession.open()).run('intent/')
    const action = {
      action: 'start/p1-i9/1/1',
      intent: 'p1-i9',
      approvals: [],
      input_hash: hashOf('x'),
      definition: hashOf('y'),
    }
    await session.forge({ type: 'tool_execution_started', actor: by('eve'), payload: action })
    const called = { action: 'tool/p1-i9/1', call: 'tool', clerk: 'C' }
    await session.forge({ type: 'call_started', actor: by('clerk'), payload: called })
    expect(await session.findings()).toEqual([
      'ORDER_VIOLATION tool_execution_started',
      'ORDER_VIOLATION call_started',
    ])
  })

  it('AGT-ACT-1 an execution without the approval that its risk needs', async () => {
    const session = await (await SignedSession.open(task(), risky)).run('judge/')
    const intent = session.log.state.inner.intents.get('p1-i1')
    const payload = {
      action: 'start/p1-i1/1/1',
      intent: 'p1-i1',
      approvals: (intent?.approvals ?? []).map(({ hash }) => hash),
      input_hash: intent?.inputHash ?? '',
      definition: intent?.definition ?? '',
    }
    await session.forge({ type: 'tool_execution_started', actor: by('eve'), payload })
    expect(await session.findings()).toEqual(['APPROVAL_MISSING tool_execution_started'])
  })

  it('AGT-TOOL-1 an execution after a block', async () => {
    const session = await (await SignedSession.open(task(), risky)).run('judge/p1-i1/human')
    const [approval] = session.next('judge/')
    const blocked = {
      action: 'judge/p1-i1/human/1/1',
      intent: 'p1-i1',
      seat: 'human',
      reason: 'no',
      via: 'terminal',
    }
    await session.say({ type: 'intent_blocked', actor: by('carl'), payload: blocked })
    expect(session.log.state.inner.intents.get('p1-i1')?.status).toBe('blocked')
    await session.forge(approval)
    const intent = session.log.state.inner.intents.get('p1-i1')
    const payload = {
      action: 'start/p1-i1/1/1',
      intent: 'p1-i1',
      approvals: [],
      input_hash: intent?.inputHash ?? '',
      definition: intent?.definition ?? '',
    }
    await session.forge({ type: 'tool_execution_started', actor: by('eve'), payload })
    expect(await session.findings()).toEqual([
      'ORDER_VIOLATION intent_approved',
      'APPROVAL_MISSING tool_execution_started',
    ])
  })

  it('AGT-TOOL-2 an approval for other arguments', async () => {
    for (const member of ['input_hash', 'intent_hash', 'definition', 'policy']) {
      const session = await (await SignedSession.open(task(), risky)).run('judge/p1-i1/policy')
      const [approval] = session.next('judge/p1-i1/policy')
      await session.forge(withPayload(approval, { [member]: hashOf('something else') }))
      expect(await session.findings(), member).toEqual(['APPROVAL_MISSING intent_approved'])
      expect(session.wanted).toEqual(['judge/p1-i1/policy/1/1'])
    }
  })

  it('AGT-TOOL-2 an approval that is used twice', async () => {
    const session = await (await SignedSession.open(task(), risky)).run('start/')
    const [started] = session.next('start/')
    await session.run('intent/p1-i2')
    await session.forge(started)
    expect(await session.findings()).toContain('APPROVAL_MISSING tool_execution_started')
    const other = await (await SignedSession.open(task(), risky)).run('start/p1-i2')
    const used = other.log.state.inner.intents.get('p1-i1')?.approvals.map(({ hash }) => hash) ?? []
    await other.forge(withPayload(other.next('start/')[0], { approvals: used }))
    expect(await other.findings()).toEqual(['APPROVAL_MISSING tool_execution_started'])
  })

  it('AGT-TOOL-2 an approval that had expired', async () => {
    const session = await (await SignedSession.open()).run('start/')
    const [started] = session.next('start/')
    await session.forge({ ...withPayload(started, {}), at: '2026-01-02T00:00:00.000Z' })
    expect(await session.findings()).toEqual(['APPROVAL_MISSING tool_execution_started'])
  })

  it('AGT-ORD-1 a claim before its execution is completed', async () => {
    const session = await (await SignedSession.open()).run('tool/')
    const evidence = [{ artifact: hashOf(LICENCE), range: [4, 15], quote: 'MIT License' }]
    const claim = {
      claim: 'p1-c1',
      proposal: 'p1',
      text: 'a is MIT',
      confidence: 'high',
      evidence,
      revises: null,
    }
    await session.forge({
      type: 'claim_issued',
      actor: by('eve'),
      payload: { action: 'claim/p1-c1/1', ...claim },
    })
    expect(await session.findings()).toEqual(['ORDER_VIOLATION claim_issued'])
  })

  it('AGT-CLAIM-1 a claim without evidence, with too little, or with evidence that no execution left', async () => {
    const evidence = { artifact: hashOf('elsewhere'), range: [0, 1], quote: 'x' }
    for (const bad of [[], [evidence]]) {
      const session = await (await SignedSession.open()).run('claim/')
      await session.forge(withPayload(session.next('claim/')[0], { evidence: bad } as Payload))
      expect(await session.findings()).toEqual(['CLAIM_UNPROVEN claim_issued'])
    }
    // One sound piece, where the task asks for two.
    const strict = await (await SignedSession.open(task({ evidence_min: 2 }))).run('final/')
    const sound = (await (await SignedSession.open()).run('claim/')).next('claim/')[0]
    expect([strict.phase, strict.wanted]).toEqual(['claiming', ['nothing/1/1']])
    await strict.forge(withPayload(sound, {}))
    expect(await strict.findings()).toEqual(['CLAIM_UNPROVEN claim_issued'])
  })

  it('AGT-CLAIM-2 a bundled claim whose quote is not in its evidence', async () => {
    const claims = [
      { text: 'a is GPL', confidence: 'high', evidence: [{ step: 'a', quote: 'GNU General' }] },
    ] as const
    const session = await (await SignedSession.open(task({ proposals: [written({ claims })] }))).run('weigh/')
    const accepted = {
      action: 'weigh/p1-c1/policy/1',
      claim: 'p1-c1',
      seat: 'policy',
      unchecked: [],
      via: 'policy',
    }
    await session.forge({ type: 'claim_accepted', actor: by('policy'), payload: accepted })
    await session.run()
    expect(session.phase).toBe('completed')
    expect(await session.findings()).toEqual(['CLAIM_UNPROVEN final_statement_signed'])
  })

  it('AGT-FIN-1 a final statement while a challenge is open', async () => {
    const session = await (await SignedSession.open()).run('final/')
    const [final] = session.next('final/')
    const challenge = { claim: 'p1-c1', seat: 'human', ground: 'weak', reason: 'too thin', via: 'terminal' }
    await session.say({ type: 'claim_challenged', actor: by('carl'), payload: challenge })
    await session.forge(final)
    const report = await session.verify()
    expect(report.failures.map(({ code, check }) => `${code} ${check}`)).toEqual([
      'ORDER_VIOLATION finalisation',
    ])
  })

  it('AGT-FIN-1 a final statement that leaves out a claim that stands', async () => {
    const claims = ['MIT License', 'Permission'].map((quote) => ({
      text: quote,
      confidence: 'high' as const,
      evidence: [{ step: 'a', quote }],
    }))
    const session = await (await SignedSession.open(task({ proposals: [written({ claims })] }))).run('final/')
    await session.forge(withPayload(session.next('final/')[0], { claims: ['p1-c1'] }))
    expect((await session.verify()).failures[0]?.check).toBe('finalisation')
  })

  it('AGT-X-2 an executor that approves its own intent', async () => {
    const session = await (await SignedSession.open(task(), risky)).run('judge/p1-i1/human')
    const [approval] = session.next('judge/')
    await session.forge(withPayload(approval, {}, 'eve', 'critic'))
    // The registry binds its key to another role; the one who registers it for both is found by the session itself.
    expect(await session.findings()).toEqual(['KEY_ROLE_MISMATCH intent_approved'])
    const both = await SignedSession.open(task(), risky, { eve: ['executor', 'critic'] })
    await both.run('judge/p1-i1/human')
    await both.forge(withPayload(both.next('judge/')[0], {}, 'eve', 'critic'))
    expect(await both.findings()).toEqual(['ROLE_POLICY_VIOLATION intent_approved'])
  })

  it('AGT-X-2 a seat of the machine that speaks as a person', async () => {
    const session = await (await SignedSession.open(task(), risky)).run('judge/p1-i1/human')
    await session.forge(withPayload(session.next('judge/')[0], {}, 'policy'))
    expect(await session.findings()).toEqual(['ROLE_POLICY_VIOLATION intent_approved'])
  })

  it('AGT-X-2 the key of the executor as that of the auditor, at the opening and at the audit', async () => {
    const base = task()
    const roles = { ...base.roles, auditor: { agent: 'aude', key: base.roles.executor.key } }
    await expect(SignedSession.open(task({ roles }))).rejects.toThrow(/different agents with different keys/)
    const session = await (await SignedSession.open()).run('audit/')
    await session.forge(withPayload(session.next('audit/')[0], {}, 'eve', 'auditor'))
    expect(await session.findings()).toEqual(['KEY_ROLE_MISMATCH verification_run_started'])
    // One agent with a key for both: allowed by the registry, refused by the session.
    const hats = await SignedSession.open(task(), {}, { eve: ['executor', 'auditor'] })
    await hats.run('audit/')
    await hats.forge(withPayload(hats.next('audit/')[0], {}, 'eve', 'auditor'))
    expect(await hats.findings()).toEqual(['ROLE_POLICY_VIOLATION verification_run_started'])
  })

  it('AGT-STATE-1 an event after completion', async () => {
    const session = await (await SignedSession.open()).run()
    expect(session.phase).toBe('completed')
    const payload = { claim: 'p1-c1', seat: 'human', ground: 'weak', reason: 'late', via: 'terminal' }
    await session.forge({ type: 'claim_challenged', actor: by('carl'), payload })
    await session.forge({
      type: 'session_aborted',
      actor: by('olga'),
      payload: { reason: 'late', via: 'terminal' },
    })
    expect(await session.findings()).toEqual([
      'ORDER_VIOLATION claim_challenged',
      'ORDER_VIOLATION session_aborted',
    ])
  })

  it('AGT-PROP-2 an intent under a proposal that was rejected, and one that breaks the conditions of an approval', async () => {
    const base = task()
    const roles = { ...base.roles, critics: [...base.roles.critics, HUMAN] }
    const session = await SignedSession.open(task({ roles, proposals: [written(), written()] }))
    await session.run('review/p1/human')
    await session.say(withPayload(session.next('review/p2/human')[0], { verdict: 'rejected' }))
    const conditions = { verdict: 'conditional', conditions: { steps: ['b'] } }
    await session.say(withPayload(session.next('review/p1/human')[0], conditions))
    const honest = await (await SignedSession.open()).run('intent/')
    const [intent] = honest.next('intent/')
    session.world.artifacts.set(hashOf(INPUT), Buffer.from(INPUT))
    await session.forge(intent)
    await session.forge(withPayload(intent, { proposal: 'p2', intent: 'p2-i1', action: 'intent/p2-i1/1' }))
    expect(await session.findings()).toEqual([
      'ROLE_POLICY_VIOLATION tool_intent_signed',
      'APPROVAL_MISSING tool_intent_signed',
    ])
  })

  it('AGT-X-3 an approval by a council that did not adopt', async () => {
    const base = task()
    const roles = { ...base.roles, critics: [...base.roles.critics, COUNCIL] }
    const verdicts = [
      { decision: 'need-info' },
      { degraded: true },
      { unresolved_high: 1 },
      { decision: null, degraded: true },
    ]
    for (const verdict of verdicts) {
      const assess = () => ({ decision: 'allow', needs: 'critic', risk: 'high' }) as const
      const session = await SignedSession.open(task({ roles }), { assess, council: () => verdict })
      await session.run('judge/p1-i1/council')
      const [blocked] = session.next('judge/p1-i1/council')
      expect(blocked?.type).toBe('intent_blocked')
      const intent = session.log.state.inner.intents.get('p1-i1')
      const payload = {
        action: blocked?.payload.action ?? '',
        intent: 'p1-i1',
        seat: 'council',
        intent_hash: intent?.hash ?? '',
        input_hash: intent?.inputHash ?? '',
        definition: intent?.definition ?? '',
        policy: base.policy.hash,
        expires: '2027-01-01T00:00:00.000Z',
        via: 'council',
        reasons: [],
      }
      await session.forge({ type: 'intent_approved', actor: by('council'), payload })
      expect(await session.findings()).toEqual(['APPROVAL_MISSING intent_approved'])
    }
  })
})

describe('a missing artifact', () => {
  it('AGT-CLAIM-3 lets the session go on to auditing and fails there', async () => {
    const session = await SignedSession.open(task(), { audit: () => 'fail' })
    await session.run('claim/')
    session.world.artifacts.delete(hashOf(LICENCE))
    await session.run('audit/')
    expect(session.phase).toBe('auditing')
    const claim = session.log.state.inner.claims.get('p1-c1')
    expect(claim?.evidence[0]?.range).toBeNull()
    const { failures } = await session.verify(hashOf(LICENCE))
    expect(failures.map(({ code }) => code)).toEqual([
      'ARTIFACT_MISSING',
      'ARTIFACT_MISSING',
      'CLAIM_UNPROVEN',
    ])
    // Where the bytes still are, the claim is seen to have found no place for its quote.
    expect((await session.verify()).failures.map(({ code }) => code)).toEqual(['CLAIM_UNPROVEN'])
    await session.run()
    expect(session.phase).toBe('failed')
  })
})
