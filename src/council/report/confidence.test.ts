// A chair may depart from what most opinions say, if it cites what refutes them. And neither chair nor reviewers read in
// an opinion whose it is, though the question may be about models.

import { describe, expect, it } from 'vitest'
import {
  askedFinding,
  critique,
  opinionAnswer,
  reportAnswer,
  reviewAnswer,
  target,
} from '../../../test/support/council-answers.ts'
import { type Question, type ScriptedReply, sit } from '../../../test/support/council-sitting.ts'

/** Two adopt and cat rejects; ben calls what ann says an error; the chair decides and cites. */
const chaired =
  (decision: string, cited: readonly string[], kind = 'error') =>
  ({ round, seat, labels }: Question): ScriptedReply | undefined => {
    if (round === 'R1') return opinionAnswer('ask', { stance: seat === 'cat' ? 'reject' : 'adopt' })
    if (round === 'R3') return reportAnswer(cited, 'ask', { decision, confidence: 'high' })
    const critiques = [critique({ kind, severity: 'medium' })]
    return reviewAnswer(labels, 'ask', {
      stance_after: seat === 'cat' ? 'reject' : 'adopt',
      targets: labels.map((label) => target(label, 'ask', { critiques })),
    })
  }

const BARE = { place: 'decision', cited: [] }

describe('a chair that departs from the majority', () => {
  it.each([[['op-1']], [['op-1', 'op-2']], [['rv-1']]])(
    'COU-R3-5 citing only %j is not supported, and of low confidence',
    (cited) => {
      const { report } = sit({}, { says: chaired('reject', cited) })
      expect(report).toMatchObject({
        decision: 'reject',
        confidence: 'low',
        confidence_stated: 'high',
        unsupported: [BARE],
        majority: { stance: 'adopt', departed: true },
      })
      expect(report?.notices).toEqual([
        'The chair departs from the majority of the first round and cites nothing that refutes it: confidence is low.',
      ])
    },
  )

  it.each([[['op-3']], [['rv-3']], [['rv-3.c1']], [['op-1', 'rv-2.c1', 'rv-2.c2']]])(
    'COU-R3-5 citing %j has cited what refutes it',
    (cited) => {
      const { report } = sit({}, { says: chaired('reject', cited) })
      expect(report).toMatchObject({ confidence: 'high', unsupported: [], notices: [] })
    },
  )

  it('COU-R3-5 is not refuted by a point that an opinion only leaves out', () => {
    const { report } = sit({}, { says: chaired('reject', ['rv-3.c1'], 'omission') })
    expect(report?.unsupported).toEqual([BARE])
  })

  it('COU-R3-5 needs no such citation if the chair agrees with the majority', () => {
    expect(sit({}, { says: chaired('adopt', ['op-1']) }).report).toMatchObject({
      confidence: 'high',
      unsupported: [],
    })
  })

  it('COU-R3-5 may cite a finding of the seats that approve a change', () => {
    const says = ({ round }: Question): ScriptedReply | undefined =>
      round === 'R3'
        ? reportAnswer(['op-1'], 'review', {
            decision: 'reject',
            findings: [{ ...askedFinding(), sources: ['op-1.f1'] }],
          })
        : undefined
    expect(sit({ mode: 'review' }, { says }).report).toMatchObject({ decision: 'reject', unsupported: [] })
  })
})

describe('an opinion as readers see it', () => {
  const question = 'Should we use Claude or GPT-5 for our reviews?'
  const summary = 'As Claude, I prefer Claude to GPT-5. I am ben-1.'
  const says = ({ round, labels }: Question): ScriptedReply | undefined => {
    if (round === 'R1') return opinionAnswer('ask', { summary })
    return round === 'R2' ? reviewAnswer(labels, 'ask', { why: 'I’m GPT-5, and GPT-5 is fine.' }) : undefined
  }
  const textOf = ({ prompt }: Question): string => prompt.parts.map(({ text }) => text).join('\n')

  it('COU-R2-5 does not name its author, keeps what is about models, and the original', () => {
    const sitting = sit({ question }, { says })
    for (const each of sitting.asked.filter(({ round }) => round !== 'R1')) {
      expect(textOf(each)).toContain(question)
      expect(textOf(each)).toContain('As [a member], I prefer Claude to GPT-5. I am [a member].')
      expect(textOf(each)).not.toContain('As Claude')
    }
    const chair = sitting.asked.find(({ round }) => round === 'R3')
    expect(chair && textOf(chair)).toContain('I’m [a member], and GPT-5 is fine.')
    expect(JSON.stringify(sitting.spoken)).toContain(summary)
  })

  it('COU-R2-1 COU-R2-5 names its author if that was asked for, and in edition 1', () => {
    for (const more of [{ labelled: true }, { edition: 1 }]) {
      const { asked } = sit({ question, ...more }, { says })
      expect(asked.filter((each) => textOf(each).includes('As Claude, I'))).toHaveLength(4)
    }
  })
})
