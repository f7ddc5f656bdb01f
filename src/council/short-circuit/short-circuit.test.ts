// When a round may be skipped, with the numbers that decide it.
import { describe, expect, it } from 'vitest'
import type * as council from '../../../test/support/all-of-council.ts'
import { critique, opinionAnswer, reviewAnswer, target } from '../../../test/support/council-answers.ts'
import {
  policy,
  type Question,
  type ScriptedReply,
  seat,
  sit,
} from '../../../test/support/council-sitting.ts'
import { contentWords, overlap } from './agreement.ts'
import { budgetOf, isOverBudget } from './budget.ts'
import { riskByWords, riskInSixLanguages } from './risk.ts'

const ON = policy({ short_circuit: { enabled: true } })
const only = (conditions: council.ShortCircuitPolicy['conditions']) =>
  policy({ short_circuit: { enabled: true, conditions } })
const AGREED = only({ skip_r2_if: ['high_agreement_in_r1'], skip_r3_if: [] })
const asked = (sitting: ReturnType<typeof sit>, round: string) =>
  sitting.asked.filter((each) => each.round === round).length

const recommend =
  (texts: Readonly<Record<string, string>>, stances: Readonly<Record<string, string>> = {}) =>
  ({ round, seat: name }: Question): ScriptedReply | undefined => {
    if (round !== 'R1') return undefined
    const { details } = opinionAnswer()
    return opinionAnswer('ask', {
      stance: stances[name] ?? 'adopt',
      stakes: 'low',
      details: { ...(details as object), recommendation: texts[name] ?? 'Take the cache.' },
    })
  }

const stating =
  (stakes: string) =>
  ({ round }: Question): ScriptedReply | undefined =>
    round === 'R1' ? opinionAnswer('ask', { stakes }) : undefined

describe('skipping rounds', () => {
  it('COU-S-1 is off by default, and records what it would have done', () => {
    const sitting = sit({}, { says: stating('medium') })
    expect([asked(sitting, 'R2'), asked(sitting, 'R3')]).toEqual([3, 1])
    const { R1, R2 } = sitting.inner.decisions
    expect(R1).toMatchObject({
      triggered: false,
      rounds_skipped: [],
      enabled: false,
      shadow: { triggered: true, rounds_skipped: ['R2'] },
    })
    expect(R2).toMatchObject({ triggered: false, shadow: { triggered: true, rounds_skipped: ['R3'] } })
    expect(R1?.reason).toMatch(/^off; it would have skipped/)
  })

  it('COU-S-1 COU-S-2 skips R2 if R1 agrees and states the stakes, and lowers confidence', () => {
    expect(asked(sit({ policy: AGREED }), 'R2')).toBe(3)
    const sitting = sit({ policy: AGREED }, { says: stating('medium') })
    expect(asked(sitting, 'R2')).toBe(0)
    expect(sitting.inner.decisions.R1).toMatchObject({
      triggered: true,
      rounds_skipped: ['R2'],
      confidence_adjustment: -0.15,
    })
    expect(sitting.report).toMatchObject({
      rounds_completed: ['R1', 'R3'],
      short_circuit: { triggered: true, rounds_skipped: ['R2'] },
      confidence_adjustment: -0.15,
    })
  })

  it('COU-S-2 does not skip R2 for opposed stances, a risky topic, or one vendor agreeing with itself', () => {
    const divided = sit({ policy: AGREED }, { says: recommend({}, { cat: 'reject' }) })
    expect(asked(divided, 'R2')).toBe(3)
    const risky = sit({ policy: ON, question: 'Shall we delete the production backups?' })
    expect(asked(risky, 'R2')).toBe(3)
    expect(risky.inner.decisions.R1?.criteria.risk).toMatchObject({
      class: 'high',
      words: ['backups', 'delete', 'production'],
    })
    const seats = ['ann', 'ben', 'cat'].map((name) => seat(name, { vendor: 'one' }))
    const alike = sit({ policy: AGREED, seats })
    expect(asked(alike, 'R2')).toBe(3)
    expect(alike.inner.decisions.R1?.criteria.agreement).toMatchObject({
      vendor_factor: 0.5,
      score: 0.5,
      stance: 1,
    })
    expect(alike.report).toMatchObject({ one_vendor: true, notices: ['one vendor: agreement counts little'] })
  })

  it('COU-S-1 skips R2 for a topic of low risk, unless two opinions are opposed or the risk is higher', () => {
    const mild = only({ skip_r2_if: ['low_risk_topic'], skip_r3_if: [] })
    const colour = { policy: mild, question: 'Which colour for the door?' }
    const apart = { ann: 'Paint it blue.', ben: 'Keep the wood.', cat: 'Take white.' }
    const sitting = sit(colour, { says: recommend(apart) })
    expect(asked(sitting, 'R2')).toBe(0)
    expect(sitting.inner.decisions.R1).toMatchObject({
      triggered: true,
      reason: 'the topic is of low risk, and no two opinions are opposed',
      rounds_skipped: ['R2'],
    })
    expect(asked(sit(colour, { says: recommend({}, { cat: 'reject' }) }), 'R2')).toBe(3)
    expect(asked(sit({ ...colour, question: 'Which database for the notes?' }), 'R2')).toBe(3)
  })

  it('COU-S-2 compares the words of recommendations if the stance says little', () => {
    const open = { ann: 'answer', ben: 'answer', cat: 'answer' }
    const apart = { ann: 'Paint the hall blue.', ben: 'Buy curtains.', cat: 'Leave everything alone.' }
    const sitting = sit({ policy: AGREED }, { says: recommend(apart, open) })
    expect(sitting.inner.decisions.R1?.criteria.agreement.score).toBe(0.2)
    expect(asked(sitting, 'R2')).toBe(3)
    expect(overlap(contentWords('caching reads'), contentWords('The reads are cached'))).toBe(1)
    expect(overlap(contentWords(''), contentWords('x'))).toBe(0)
  })

  it('COU-S-2 uses the scores of an encoder only where an event recorded them', () => {
    const scored = policy({ short_circuit: { enabled: false, embeddings: true } })
    const sitting = sit({ policy: scored })
    expect(sitting.spoken.map(({ type }) => type)).toContain('agreement_scored')
    expect(sitting.inner.decisions.R1?.criteria.agreement.by).toBe('words')
    const before = sit({ policy: scored }).spoken.findIndex(({ type }) => type === 'agreement_scored')
    expect(before).toBeGreaterThan(0)
  })

  it('COU-S-1 skips R3 if reviewers confirm opinions of low stakes, and then assembles the report without a model', () => {
    const confirmed = only({ skip_r2_if: [], skip_r3_if: ['r2_confirms_r1_consensus'] })
    expect(asked(sit({ policy: confirmed }), 'R3')).toBe(1)
    const sitting = sit({ policy: confirmed }, { says: stating('medium') })
    expect(asked(sitting, 'R3')).toBe(0)
    expect(sitting.report).toMatchObject({
      synthesis: 'none',
      decision: 'adopt',
      confidence_adjustment: -0.1,
    })
    expect(sitting.closed?.status).toBe('reported')
    const objects = ({ round, labels, seat: name }: Question): ScriptedReply | undefined =>
      round === 'R2' && name === 'ann'
        ? reviewAnswer(labels, 'ask', {
            targets: labels.map((label) =>
              target(label, 'ask', { critiques: [critique({ severity: 'high' })] }),
            ),
          })
        : undefined
    expect(asked(sit({ policy: confirmed }, { says: objects }), 'R3')).toBe(1)
  })

  it('COU-S-1 COU-S-2 skips R3 when little of the budget is left, in money or in time', () => {
    const conditions = { skip_r2_if: [], skip_r3_if: ['budget_constraint'] } as const
    const tight = { ...only(conditions), budget: { cost: 0.07, minutes: null } }
    const sitting = sit({ policy: tight })
    expect(asked(sitting, 'R3')).toBe(0)
    expect(sitting.inner.decisions.R2).toMatchObject({
      triggered: true,
      reason: '86 % of the budget is used up, over 80 %',
    })
    expect(sitting.closed?.status).toBe('reported')
    const wide = { ...only(conditions), budget: { cost: 1, minutes: null } }
    expect(asked(sit({ policy: wide }), 'R3')).toBe(1)
    const spent = sit().inner.thinkingMs / 60_000
    const inTime = (minutes: number) => sit({ policy: { ...wide, budget: { cost: null, minutes } } })
    expect([asked(inTime(spent), 'R3'), asked(inTime(spent * 10), 'R3')]).toEqual([0, 1])
    expect(inTime(spent).closed?.status).toBe('reported')
  })

  it('COU-S-2 classes topics by words, and never a review or an architecture as low', () => {
    const risk = (question: string, mode: council.Mode = 'ask') =>
      riskByWords(sit({ question, mode }).inner).class
    expect(risk('Which colour for the door?')).toBe('low')
    expect(risk('Which colour for the door?', 'review')).toBe('medium')
    expect(risk('Which database for the notes?')).toBe('medium')
    expect(risk('How do we store passwords?')).toBe('high')
    expect(risk('Is this author right?')).toBe('low')
  })

  it('COU-S-2 looks for words of risk in the question, the constraints and the focus alike', () => {
    const risk = (more: Partial<council.CouncilOpened>) => {
      const { inner } = sit({ question: 'Which colour for the door?', ...more })
      return [riskByWords(inner).class, riskInSixLanguages(inner).class]
    }
    expect(risk({})).toEqual(['low', 'low'])
    expect(risk({ constraints: ['No passwords.'] })).toEqual(['high', 'high'])
    expect(risk({ focus: ['passwords'] })).toEqual(['high', 'high'])
    expect(risk({ focus: ['die Tabletten'] })).toEqual(['low', 'high'])
  })

  it('COU-S-1 does not skip R2 if words agree and one stance does not', () => {
    const agreed = recommend({}, { cat: 'need-info' })
    const sitting = sit({ policy: AGREED }, { says: agreed })
    expect(sitting.inner.decisions.R1?.criteria.agreement).toMatchObject({
      stance: 0.6667,
      recommendation: 1,
    })
    expect(asked(sitting, 'R2')).toBe(3)
  })

  it('COU-S-2 uses no scores if one opinion has no text to compare', () => {
    const scored = policy({ short_circuit: { embeddings: true } })
    const alone = policy({ short_circuit: { embeddings: true }, quorum: { r1_min: 1, r2_min: 0 } })
    const types = (sitting: ReturnType<typeof sit>) => sitting.spoken.map(({ type }) => type)
    expect(types(sit({ policy: scored }))).toContain('agreement_scored')
    const one = sit({ policy: alone, seats: [seat('ann')] })
    expect(types(one)).not.toContain('agreement_scored')
    expect(one.closed?.status).toBe('reported')
  })
})

describe('the used share of a budget', () => {
  const used = (cost: number | null, minutes: number | null) =>
    budgetOf({
      opened: { policy: { budget: { cost, minutes } } },
      cost: { known: 0.1, unknown: 2 },
      thinkingMs: 90_000,
    } as unknown as council.OpenedCouncil)

  it('COU-S-1 is the larger of money and time, at most 1, and unknown without either', () => {
    expect(used(null, null)).toEqual({ cost_at_least: 0.1, cost_unknown_calls: 2, minutes: 1.5, used: null })
    expect([used(0.4, null).used, used(null, 3).used, used(0.4, 3).used]).toEqual([0.25, 0.5, 0.5])
    expect([used(0.01, null).used, used(null, 1).used]).toEqual([1, 1])
    expect([used(0, null).used, used(null, 0).used]).toEqual([1, 1])
  })

  it('COU-X-3 of zero is used up once a question was asked, and not before', () => {
    const over = (calls: number, known: number, thinkingMs: number, budget: object) =>
      isOverBudget({
        opened: { policy: { budget: { cost: null, minutes: null, ...budget } } },
        cost: { known, calls },
        thinkingMs,
      } as unknown as council.OpenedCouncil)
    expect([over(0, 0, 0, { cost: 0 }), over(1, 0, 0, { cost: 0 })]).toEqual([false, true])
    expect([over(1, 0.2, 0, { cost: 0.3 }), over(2, 0.3, 0, { cost: 0.3 })]).toEqual([false, true])
    expect([over(0, 0, 60_000, { minutes: 1 }), over(1, 0, 60_000, { minutes: 1 })]).toEqual([false, true])
    expect([over(1, 0, 59_999, { minutes: 1 }), over(9, 9, 9e9, {})]).toEqual([false, false])
  })
})
