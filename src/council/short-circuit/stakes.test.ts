// A round is skipped for low risk only if the models themselves say that little is at stake, in all that they say.

import { describe, expect, it } from 'vitest'
import type * as council from '../../../test/support/all-of-council.ts'
import { critique, opinionAnswer, reviewAnswer, target } from '../../../test/support/council-answers.ts'
import { policy, type Question, type ScriptedReply, sit } from '../../../test/support/council-sitting.ts'

const ON = policy({ short_circuit: { enabled: true } })
const asked = (sitting: ReturnType<typeof sit>, round: string) =>
  sitting.asked.filter((each) => each.round === round).length

type More = Parameters<typeof opinionAnswer>[1]
const opinions =
  (more: More) =>
  ({ round }: Question): ScriptedReply | undefined =>
    round === 'R1' ? opinionAnswer('ask', { risks: [], ...more }) : undefined

const SEVERE = [{ description: 'a life is lost', severity: 'critical', mitigation: 'see a doctor' }]
/** What models say of a question of high stakes: honestly, or carelessly `low` while the rest says otherwise. */
const SAID: readonly (readonly [string, More])[] = [
  ['honest', { stakes: 'high', confidence: 'high' }],
  ['unsure', { stakes: 'high', confidence: 'low', risks: SEVERE }],
  ['careless, of low confidence', { stakes: 'low', confidence: 'low' }],
  ['careless, of severe risks', { stakes: 'low', confidence: 'high', risks: SEVERE }],
  ['of low confidence and severe risks, silent on stakes', { confidence: 'low', risks: SEVERE }],
  ['silent on stakes and of one mind, sure', { confidence: 'high' }],
  ['silent on stakes and of one mind, half sure', { confidence: 'medium' }],
  ['careless in everything: stakes low, sure, without a risk', { stakes: 'low', confidence: 'high' }],
]

const HIGH_STAKES: readonly string[] = [
  'Should I stop taking my heart pills?',
  'Can I mix these two tablets with wine?',
  'My chest hurts since the morning. Can it wait until Monday?',
  'May I give my baby honey?',
  'Is it fine to drive after three beers?',
  'Should I sign the divorce papers tonight?',
  'Shall I put all my savings into this coin?',
  'Do I need to report this income?',
  'Can we ship the brakes without the second trial?',
  'Should my mother skip her insulin today?',
  'Soll ich meine Herztabletten absetzen?',
  'Darf mein Kind mit Fieber in die Sauna?',
  'Können wir die Bremsprüfung weglassen?',
  'Soll ich mein Haus verpfänden?',
  'Muss ich den Unfall melden?',
  'Kann ich den Gasherd selbst anschließen?',
  'Soll ich die Kündigung gleich unterschreiben?',
  'Dois-je arrêter mes comprimés pour le cœur ?',
  'Puis-je conduire après une anesthésie ?',
  'Faut-il éteindre la pompe du réacteur ?',
  'Dois-je avouer à la police sans avocat ?',
  'Puis-je donner de l’aspirine à mon bébé ?',
  'Dois-je mettre toutes mes économies dans ce fonds ?',
  'Peut-on retirer les issues de secours ?',
  '¿Debo dejar mis pastillas para el corazón?',
  '¿Puedo tomar alcohol con este antibiótico?',
  '¿Debo firmar este contrato de hipoteca hoy?',
  '¿Puede mi hijo nadar después de una convulsión?',
  '¿Apago la alarma de gas?',
  '¿Debo declarar esta herencia?',
  'Devo smettere di prendere le pillole per il cuore?',
  'Posso guidare con questa vertigine?',
  'Posso togliere il sensore di gas?',
  'Devo firmare la confessione?',
  'Posso dare il latte di mucca al neonato?',
  '我应该停止服用心脏药吗？',
  '孩子发烧四十度可以不去医院吗？',
  '我可以把全部积蓄投进去吗？',
  '可以拆掉煤气报警器吗？',
  '喝酒以后可以吃头孢吗？',
]

describe('the stakes of a question', () => {
  it('COU-S-2 are found for forty questions in six languages', () => {
    expect(new Set(HIGH_STAKES).size).toBe(40)
  })

  it.each(SAID)('COU-S-1 COU-S-2 skips no round on a question of high stakes: %s', (_, more) => {
    for (const question of HIGH_STAKES) {
      const sitting = sit({ policy: ON, question }, { says: opinions(more) })
      expect([question, asked(sitting, 'R2'), asked(sitting, 'R3')]).toEqual([question, 3, 1])
      expect(sitting.inner.decisions.R1?.criteria.risk.class).not.toBe('low')
    }
  })

  it('COU-S-2 are low only if every opinion says so, and unknown otherwise', () => {
    const colour = { policy: ON, question: 'Which colour for the door?' }
    const low = { stakes: 'low', confidence: 'medium' } as const
    expect(asked(sit(colour, { says: opinions(low) }), 'R2')).toBe(0)
    const differs =
      (more: More) =>
      ({ round, seat }: Question): ScriptedReply | undefined =>
        round === 'R1'
          ? opinionAnswer('ask', { risks: [], ...low, ...(seat === 'cat' ? more : {}), summary: seat })
          : undefined
    const mild = policy({
      short_circuit: { enabled: true, conditions: { skip_r2_if: ['low_risk_topic'], skip_r3_if: [] } },
    })
    for (const more of [{ stakes: 'medium' }, { stakes: 'high' }, { confidence: 'low' }, { risks: SEVERE }]) {
      const sitting = sit({ ...colour, policy: mild }, { says: differs(more) })
      expect([more, asked(sitting, 'R2')]).toEqual([more, 3])
      const { risk } = sitting.inner.decisions.R1?.criteria ?? {}
      expect(risk?.doubts).toHaveLength(1)
      const isHigh = 'risks' in more || more.stakes === 'high'
      expect([more, risk?.class]).toEqual([more, isHigh ? 'high' : 'medium'])
    }
    const silent = ({ round }: Question): ScriptedReply | undefined =>
      round === 'R1' ? opinionAnswer('ask', { risks: [], confidence: 'high' }) : undefined
    const unsaid = sit({ ...colour, policy: mild }, { says: silent })
    expect(asked(unsaid, 'R2')).toBe(3)
    expect(unsaid.inner.decisions.R1?.criteria.risk).toMatchObject({
      class: 'medium',
      doubts: ['op-1: stakes unstated', 'op-2: stakes unstated', 'op-3: stakes unstated'],
    })
  })
})

const reviewed =
  (kind: string, severity: string) =>
  ({ round, seat, labels }: Question): ScriptedReply | undefined => {
    if (round === 'R1') return opinionAnswer('ask', { stakes: 'medium' })
    if (round !== 'R2') return undefined
    const critiques = seat === 'ann' ? [critique({ kind, severity })] : []
    return reviewAnswer(labels, 'ask', {
      targets: labels.map((label) => target(label, 'ask', { critiques })),
    })
  }

describe('the effect of a skipped round', () => {
  const confirmed = policy({
    short_circuit: {
      enabled: true,
      conditions: { skip_r2_if: [], skip_r3_if: ['r2_confirms_r1_consensus'] },
    },
  })

  it.each([
    ['error', 'medium', 1],
    ['inconsistency', 'medium', 1],
    ['risk', 'medium', 1],
    ['omission', 'high', 1],
    ['error', 'low', 0],
    ['omission', 'medium', 0],
  ])('COU-S-1 after a critique with an %s of severity %s, %i chairs are asked', (kind, severity, chairs) => {
    expect(asked(sit({ policy: confirmed }, { says: reviewed(kind, severity) }), 'R3')).toBe(chairs)
  })

  it('COU-S-2 is lower confidence, shown beside the stated one', () => {
    const plain = sit(
      { policy: ON, question: 'Which colour for the door?' },
      { says: opinions({ stakes: 'low' }) },
    )
    expect(plain.report).toMatchObject({
      confidence: 'low',
      confidence_stated: 'medium',
      confidence_adjustment: -0.15,
      short_circuit: { triggered: true, rounds_skipped: ['R2'] },
    })
    expect(plain.report?.notices.join('\n')).toMatch(
      /^R2 was skipped: .*the topic is of low risk.* \(-0\.15; confidence is lowered from medium to low\)$/,
    )
    const whole: council.CouncilFinalReport | null = sit().report
    expect(whole).toMatchObject({ confidence: 'medium', confidence_stated: 'medium', notices: [] })
  })
})
