// What each mode asks and reports, what is checked about findings, what a fork takes over, and what a run leaves on
// record about itself.
import { describe, expect, it } from 'vitest'
import * as council from '../../test/support/all-of-council.ts'
import {
  askedFinding,
  askedMembers,
  opinionAnswer,
  reportAnswer,
  reviewAnswer,
  target,
} from '../../test/support/council-answers.ts'
import {
  protocol,
  type Question,
  type ScriptedReply,
  Sitting,
  seat,
  sit,
} from '../../test/support/council-sitting.ts'
import type { Json } from '../ledger/canonical.ts'
import { FORKED } from '../ledger/fork.ts'
import { examine as panel } from '../models/embedded/embedded-model.ts'
import { sha256 } from '../stores/digest.ts'
import { completenessOf } from './report/completeness.ts'

const context: council.ContextRecord = {
  kind: 'full',
  files: [{ path: 'src/a.ts', lines: 10, bytes: 100 }],
  excluded: { secret: 2 },
  bytes: 100,
  tokens: 30,
  diff: null,
}

const reviewing = (says: (question: Question) => ScriptedReply | undefined): Sitting => {
  const pack = { parts: [], condensed: [] }
  const sitting = new Sitting({ says, pack })
  return sitting.open({ mode: 'review', context, artifacts: [sitting.keep('pack.json', pack)] }).run()
}

describe('the modes of a council', () => {
  it('COU-M-1 each ask for their own fields and report them', () => {
    for (const mode of council.MODES) {
      expect(Object.keys(opinionAnswer(mode)).sort()).toEqual(askedMembers(mode))
      expect(sit({ mode }).closed?.status).toBe('reported')
    }
    const { report } = sit({ mode: 'architecture' })
    expect(report).toMatchObject({ decision: 'adopt', verification_plan: ['measure the load for a week'] })
    expect(report?.alternatives).toHaveLength(1)
    expect(
      council.readOpinion('architecture', opinionAnswer('architecture', { stance: 'answer' }) as Json).ok,
    ).toBe(false)
  })

  it('COU-R1-2 COU-R3-2 take an answer that fits and nothing else', () => {
    const read = (more: object) => council.readOpinion('ask', { ...opinionAnswer(), ...more } as Json)
    expect(read({}).ok).toBe(true)
    expect(read({ admin: true })).toEqual({ ok: false, why: 'the value has an unknown member' })
    expect(read({ stance: 'maybe' }).ok).toBe(false)
    expect(
      read({ summary: ' ', details: { ...(opinionAnswer().details as object), recommendation: '' } }),
    ).toEqual({
      ok: false,
      why: 'the opinion says nothing',
    })
    expect(read({ summary: 'half \ud800' })).toMatchObject({ answer: { summary: 'half \ufffd' } })
    for (const missing of ['rationale', 'disagreements', 'uncertainties', 'next_actions', 'conclusion']) {
      const { [missing]: _, ...rest } = reportAnswer(['op-1'])
      expect(council.readReport('ask', rest as Json)).toEqual({
        ok: false,
        why: `the value lacks ${missing}`,
      })
    }
    const undecided = (reason: string) =>
      council.readReport('ask', {
        ...reportAnswer(['op-1']),
        decision: 'need-info',
        need_info_reason: reason,
      } as Json)
    expect(undecided(' ')).toEqual({ ok: false, why: 'the report needs information and does not say why' })
    expect(undecided('Nobody named a budget.')).toMatchObject({
      ok: true,
      answer: { decision: 'need-info', need_info_reason: 'Nobody named a budget.' },
    })
  })

  it('COU-R2-3 takes a review only when it speaks of an opinion that was shown, in all five dimensions', () => {
    const labels = new Map([['A', 'op-2']])
    const { errors: _, ...lacking } = target('A')
    const read = (targets: Json) =>
      council.readReview('ask', { ...reviewAnswer([]), targets } as Json, labels)
    expect(read([target('A')])).toMatchObject({ ok: true, answer: { targets: [{ opinion: 'op-2' }] } })
    expect(read([target('Opinion A'), target('Z')])).toMatchObject({
      answer: { targets: [{ opinion: 'op-2' }] },
    })
    expect(read([lacking])).toEqual({ ok: false, why: 'targets[0] lacks errors' })
    expect(read([target('__proto__')]).ok).toBe(false)
  })
})

describe('the findings of a review', () => {
  const says = ({ round, seat: name, labels }: Question): ScriptedReply | undefined => {
    const findings = [
      askedFinding(),
      askedFinding({ line: 99 }),
      askedFinding({ file: 'src/none.ts', category: 'testing' }),
      askedFinding({ file: '', line: 5 }),
      askedFinding({ file: './src/a.ts', line: 0 }),
    ]
    if (round === 'R1')
      return opinionAnswer('review', { stance: 'reject', findings: name === 'ann' ? findings : [] })
    if (round === 'R2' && name === 'ben')
      return reviewAnswer(labels, 'review', {
        targets: labels.map((label) =>
          target(label, 'review', {
            findings: [
              { finding: `${label}.f1`, verdict: 'confirmed', severity: 'high', note: 'seen' },
              { finding: 'Q.f9', verdict: 'confirmed', severity: 'high', note: 'dropped' },
            ],
          }),
        ),
        missed_findings: [askedFinding({ severity: 'critical', description: 'missed by all' })],
      })
    if (round === 'R2' && name === 'cat')
      return reviewAnswer(labels, 'review', {
        targets: labels.map((label) =>
          target(label, 'review', {
            findings: [
              { finding: `${label}.f1`, verdict: 'false_positive', severity: 'low', note: 'bound above' },
            ],
          }),
        ),
      })
    const sources = (...ids: readonly string[]) => ({ sources: ids })
    return round === 'R3'
      ? reportAnswer(['op-1'], 'review', {
          decision: 'reject',
          findings: findings.map((finding, i) => ({ ...finding, ...sources(`op-1.f${i + 1}`) })),
        })
      : undefined
  }

  it('COU-M-1 have ids by category, and name the seats that reported, confirmed and disputed them', () => {
    const { report } = reviewing(says)
    expect(report?.findings.map(({ id }) => id)).toEqual([
      'SEC-001',
      'SEC-002',
      'TST-001',
      'SEC-003',
      'SEC-004',
    ])
    expect(report?.findings[0]).toMatchObject({
      reported_by: ['ann'],
      confirmed_by: ['ben'],
      disputed_by: ['cat'],
    })
    expect(report?.findings[1]).toMatchObject({ confirmed_by: [], disputed_by: [] })
  })

  it('COU-M-1 are checked against the files that were reviewed', () => {
    const { report } = reviewing(says)
    expect(report?.findings.map(({ location_checked }) => location_checked)).toEqual([
      'ok',
      'beyond-end',
      'unknown-file',
      'none',
      'ok',
    ])
    expect(report?.findings[4]?.file).toBe('src/a.ts')
  })

  it('COU-R3-4 that are severe and left out are listed as unresolved', () => {
    expect(reviewing(says).report?.unresolved).toEqual([
      { id: 'rv-2.f1', severity: 'critical', description: 'missed by all' },
    ])
  })

  it('COU-R3-3 are grouped by place if no chair does it', () => {
    const chairless = reviewing((question) => (question.round === 'R3' ? { fails: 'auth' } : says(question)))
    expect(chairless.report?.findings[0]).toMatchObject({
      id: 'SEC-001',
      sources: ['op-1.f1', 'rv-2.f1'],
      severity: 'critical',
    })
    expect(chairless.report?.findings).toHaveLength(5)
  })
})

describe('the panel of checks', () => {
  it('COU-M-1 gives an opinion without a decision, with its findings and its banner', () => {
    const diff = ['--- a/a.ts', '+++ b/a.ts', '@@ -1 +1,2 @@', ' x', '+<<<<<<< HEAD', ''].join('\n')
    const reading = panel({ question: '', mode: 'review', files: [], diff })
    const read = council.readOpinion('review', council.panelOpinion(reading), 2)
    expect(read).toMatchObject({ ok: true, answer: { stance: 'need-info', confidence: 'low' } })
    expect(read.ok && read.answer.findings.length).toBeGreaterThan(0)
    for (const mode of ['ask', 'architecture'] as const) {
      const inquiry = panel({ question: 'Shall we?', mode, files: [] })
      expect(council.readOpinion(mode, council.panelOpinion(inquiry), 2)).toMatchObject({
        ok: true,
        answer: { details: { understanding: 'Checks only: no language model was asked.' } },
      })
    }
  })
})

describe('a fork', () => {
  const forkAt = (parent: Sitting, round: 'R1' | 'R2', amend: council.Amendment): Sitting => {
    const end = council.endOfRound(parent.inner, round)
    if (!end) throw new Error('the round is over')
    const fork = new Sitting({ trace: '01KEC000000000000000000001' })
    for (const spoken of parent.spoken.slice(0, end.seq + 1)) fork.take(spoken)
    const payload = { parent: { trace: end.trace, seq: end.seq, hash: 'ab'.repeat(32) }, amend, after: round }
    return fork.say(FORKED, 'olga', council.CONVENER, payload)
  }

  it('COU-X-2 after R2 asks another chair only, and pays for no answer again', () => {
    const seats = [seat('ann'), seat('ben', { roles: ['participant', 'chair'] }), seat('cat')]
    const parent = sit()
    const fork = forkAt(parent, 'R2', { seats, chairs: ['ben'] }).run()
    expect(fork.asked.map(({ round, seat: name }) => `${round} ${name}`)).toEqual(['R3 ben'])
    expect(fork.closed).toMatchObject({
      status: 'reported',
      metrics: { calls: 1, total_cost_estimate: 0.01 },
    })
    expect(fork.report?.chair).toBe('ben')
  })

  it('COU-X-2 after R1 with a new seat asks that seat, and keeps the opinion of one that left', () => {
    const fork = forkAt(sit(), 'R1', { seats: [seat('ann'), seat('ben'), seat('dan')] }).run()
    expect(fork.asked.map(({ round, seat: name }) => `${round} ${name}`)).toEqual([
      'R1 dan',
      'R2 ann',
      'R2 ben',
      'R2 dan',
      'R3 ann',
    ])
    expect(council.opinionsOf(fork.inner).map(({ id, seat: name }) => `${id} ${name}`)).toEqual([
      'op-1 ann',
      'op-2 ben',
      'op-3 cat',
      'op-4 dan',
    ])
  })

  it('COU-X-2 under another policy decides again what to skip', () => {
    const policy = {
      ...council.DEFAULT_POLICY,
      short_circuit: { ...council.DEFAULT_POLICY.short_circuit, enabled: true },
    }
    const says = ({ round }: Question): ScriptedReply | undefined =>
      round === 'R1' ? opinionAnswer('ask', { stakes: 'medium' }) : undefined
    const fork = forkAt(sit({}, { says }), 'R1', { policy }).run()
    expect(fork.asked.map(({ round }) => round)).toEqual(['R3'])
  })

  it('COU-X-2 is refused if the council is closed, or if a known name becomes another seat', () => {
    const parent = sit()
    const payload = { parent: { trace: parent.trace, seq: 1, hash: 'ab'.repeat(32) } }
    const fork = { type: FORKED, agent: 'olga', role: council.CONVENER, payload }
    expect(parent.refusal(fork)).toContain('fork it after an earlier event')
    const amend = { seats: [seat('ann', { model: 'other' }), seat('ben')] }
    expect(() => forkAt(parent, 'R1', amend)).toThrow('a seat of a known name is someone else')
  })
})

describe('the record of a council', () => {
  it('COU-O-1 measures each round and the session, by the names of the source', () => {
    const { closed } = sit()
    expect(Object.keys(closed?.rounds[0] ?? {})).toEqual(
      expect.arrayContaining([
        ...['round', 'start_time', 'end_time', 'duration_ms', 'providers_attempted', 'providers_succeeded'],
        ...['providers_failed', 'total_tokens_in', 'total_tokens_out'],
      ]),
    )
    expect(Object.keys(closed?.metrics ?? {})).toEqual(
      expect.arrayContaining([
        ...['session_id', 'mode', 'total_duration_ms', 'rounds_completed', 'short_circuit_triggered'],
        'total_cost_estimate',
      ]),
    )
    expect(
      closed?.rounds.map(({ round, providers_attempted, total_tokens_in }) => [
        round,
        providers_attempted,
        total_tokens_in,
      ]),
    ).toEqual([
      ['R1', 3, 300],
      ['R2', 3, 300],
      ['R3', 1, 100],
    ])
    expect(closed?.metrics).toMatchObject({
      total_cost_estimate: 0.07,
      rounds_completed: 3,
      total_duration_ms: 16_000,
    })
  })

  it('COU-O-1 leaves a transparency record that holds no content', () => {
    const sitting = sit(
      {},
      { says: ({ round, seat: name }) => (round === 'R1' && name === 'cat' ? { fails: 'auth' } : undefined) },
    )
    const minimal = council.transparencyOf(sha256, sitting.inner, 'minimal')
    expect(minimal).toMatchObject({
      run_id: sitting.trace,
      status: 'reported',
      query_start: 'Shall we put a cache before the reader?',
    })
    expect(minimal.providers).toBeUndefined()
    const standard = council.transparencyOf(sha256, sitting.inner, 'standard')
    expect(standard.failures).toMatchObject([{ provider: 'cat', round: 'R1', error_type: 'auth' }])
    expect(standard.providers).toHaveLength(6)
    expect(JSON.stringify(council.transparencyOf(sha256, sitting.inner, 'detailed'))).not.toContain(
      'Take the cache',
    )
  })

  it('COU-R3-3 counts completeness by what was said', () => {
    const [opinion] = council.opinionsOf(sit().inner)
    if (!opinion) throw new Error('there is an opinion')
    const bare = { ...opinion, risks: [], assumptions: [], questions: [], summary: '' }
    expect(completenessOf(opinion)).toBeGreaterThan(completenessOf(bare))
    expect(completenessOf(opinion)).toBeLessThanOrEqual(20)
  })

  it('LED-14 folds a trace with erased texts, and still knows which seats spoke', () => {
    const sitting = sit()
    let state = protocol.initial
    for (const spoken of sitting.spoken.slice(0, 10)) {
      const event = new Sitting().occurrence(spoken)
      state = protocol.evolve(state, spoken.type === 'opinion_given' ? { ...event, payload: null } : event)
    }
    expect([...state.inner.opinions.keys()]).toEqual(['ann', 'ben', 'cat'])
    expect(state.inner.open.size).toBe(2)
    for (const { type } of sitting.spoken)
      expect(() =>
        protocol.evolve(state, {
          ...new Sitting().occurrence({ type, agent: 'x', role: 'y', payload: {} }),
          payload: { seats: [null], action: 7 },
        }),
      ).not.toThrow()
  })
})
