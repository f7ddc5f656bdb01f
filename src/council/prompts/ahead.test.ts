// What is known of prompts before a council opens: how they are portioned, and what a person is shown who is asked for
// consent. It is what is sent, but for the code of the tags.
import { describe, expect, it } from 'vitest'
import * as council from '../../../test/support/all-of-council.ts'
import { opinionAnswer } from '../../../test/support/council-answers.ts'
import { about, context, openInParts, PARTS } from '../../../test/support/council-parts.ts'
import {
  opening,
  policy,
  type ScriptedReply,
  Sitting,
  seat,
  sit,
} from '../../../test/support/council-sitting.ts'
import { renderPrompt } from '../../ledger/prompt.ts'
import { sha256 } from '../../stores/digest.ts'
import { agreementOf } from '../short-circuit/agreement.ts'
import { portionedFor, promptsOfR1 } from './prompt.ts'

const withoutCodes = ({ parts }: council.CouncilPrompt): string =>
  renderPrompt(parts).replaceAll(/-[0-9a-f]{12}\b/g, '-CODE')

describe('the prompts of round one', () => {
  it('COU-R1-1 are known before the opening, one for all or one for each part', () => {
    const one = sit()
    const [asked] = one.asked
    if (!asked) throw new Error('somebody is asked')
    const known = promptsOfR1(sha256, opening(), council.NO_PACK, 'ann')
    expect(known.map(withoutCodes)).toEqual([withoutCodes(asked.prompt)])
    expect(known[0]?.system).toBe(asked.prompt.system)
    const sitting = openInParts(about).run()
    const sent = sitting.asked.filter(({ round, seat: name }) => round === 'R1' && name === 'ben')
    const ahead = promptsOfR1(sha256, sitting.inner.opened, { parts: PARTS, condensed: [] }, 'ben')
    expect(ahead.map(withoutCodes)).toEqual(sent.map(({ prompt }) => withoutCodes(prompt)))
    expect(ahead).toHaveLength(3)
  })

  it('COU-P-4 are cut for the smallest window of the models asked, and the checks have none', () => {
    const long = PARTS.map(({ name, text }) => ({ name, text: text.repeat(name === 'context' ? 1 : 4) }))
    const pack = { parts: long, condensed: [] }
    const artifacts = [{ hash: 'ab'.repeat(32), size: 1, name: 'pack.json', media_type: 'application/json' }]
    const opened = (chars: number, more: readonly council.SeatRecord[] = []) =>
      opening({
        mode: 'review',
        context,
        artifacts,
        seats: [seat('ann'), seat('ben', { prompt_chars: chars }), ...more],
      })
    const [whole] = promptsOfR1(sha256, opened(9e9), pack, 'ben')
    if (!whole) throw new Error('there is a prompt')
    const size = whole.system.length + JSON.stringify(whole.schema).length + renderPrompt(whole.parts).length
    expect(portionedFor(opened(size + 500), pack, 9).portions).toBe(1)
    const cut = portionedFor(opened(size - 1_000), pack, 9)
    expect(cut.portions).toBe(2)
    const panel = seat('panel', { embedded: true, prompt_chars: 1_000 })
    expect(portionedFor(opened(size + 500, [panel]), pack, 9).portions).toBe(1)
    const chair = seat('dan', { roles: ['chair'], prompt_chars: 1_000 })
    expect(portionedFor(opened(size + 500, [chair]), pack, 9).portions).toBe(1)
    const sent = { parts: cut.parts, condensed: [] }
    for (const prompt of promptsOfR1(sha256, { ...opened(size - 1_000), portions: 2 }, sent, 'ben')) {
      const length =
        prompt.system.length + JSON.stringify(prompt.schema).length + renderPrompt(prompt.parts).length
      expect(length).toBeLessThanOrEqual(size - 1_000)
    }
  })
})

describe('agreement', () => {
  const PROSE: ScriptedReply = {
    raw: { text: 'A cache would help, and it would also hide how slow the reader is.' },
  }

  it('COU-S-2 counts only the scores of seats that state a stance', () => {
    const sitting = new Sitting({
      says: ({ round, seat: name }) => (round === 'R1' && name === 'ben' ? PROSE : undefined),
    }).open({ policy: policy({ short_circuit: { embeddings: true } }) })
    sitting.run((one) => one.decide().some(({ id }) => id.startsWith('score/')))
    const pairs = [
      { a: 'op-1', b: 'op-2', cosine: 0 },
      { a: 'op-1', b: 'op-3', cosine: 0.9 },
      { a: 'op-2', b: 'op-3', cosine: 0 },
    ]
    const action = sitting.decide()[0]?.id
    sitting.say(council.AGREEMENT_SCORED, 'clerk', 'clerk', { action, encoder: 'test', pairs })
    expect(agreementOf(sitting.inner)).toEqual({
      score: 0.96,
      stance: 1,
      recommendation: 0.9,
      by: 'embeddings',
      vendor_factor: 1,
      stances: { adopt: 2 },
    })
  })

  it('COU-S-2 of one vendor with itself counts half, of two vendors between', () => {
    const vendors = (...names: readonly string[]) =>
      sit({ seats: names.map((vendor, i) => seat(['ann', 'ben', 'cat'][i] ?? '', { vendor })) }).inner
    expect(agreementOf(vendors('x', 'x', 'x')).vendor_factor).toBe(0.5)
    expect(agreementOf(vendors('x', 'x', 'y')).vendor_factor).toBe(0.8333)
    expect(agreementOf(vendors('x', 'y', 'z')).vendor_factor).toBe(1)
  })

  it('COU-S-2 low stakes lower no class that the words of the question raise', () => {
    const says = ({ round }: { readonly round: string }): ScriptedReply | undefined =>
      round === 'R1' ? opinionAnswer('ask', { stakes: 'low', risks: [], confidence: 'high' }) : undefined
    const classOf = (question: string) =>
      sit({ question }, { says }).inner.decisions.R1?.criteria.risk.class ?? null
    expect(classOf('Which colour for the door?')).toBe('low')
    expect(classOf('Which database for the notes?')).toBe('medium')
    expect(classOf('Shall we delete the production backups?')).toBe('high')
  })
})
