// What no seat judged, how long a prompt may be, and what counts as one vendor agreeing with itself.
import { describe, expect, it } from 'vitest'
import { about, openInParts, partOf } from '../../../test/support/council-parts.ts'
import {
  policy,
  type Question,
  type ScriptedReply,
  Sitting,
  seat,
  sit,
} from '../../../test/support/council-sitting.ts'
import { sha256 } from '../../stores/digest.ts'
import { councilResult } from '../council-result.ts'
import { promptChars } from '../policy.ts'
import { agreementOf } from '../short-circuit/agreement.ts'
import { riskByWords } from '../short-circuit/risk.ts'

describe('parts of round one', () => {
  const silentOn =
    (part: string, ...seats: readonly string[]) =>
    (question: Question): ScriptedReply | undefined =>
      partOf(question) === part && seats.includes(question.seat) ? { fails: 'timeout' } : about(question)
  const unjudged = (says: (question: Question) => ScriptedReply | undefined) =>
    councilResult(sha256, openInParts(says).run().inner).unjudged_parts

  it('COU-P-4 are named if no seat answered them, and only then', () => {
    expect(unjudged(silentOn('2', 'ann', 'ben', 'cat'))).toEqual([2])
    expect(unjudged(silentOn('2', 'ann', 'ben'))).toEqual([])
    expect(councilResult(sha256, sit().inner).unjudged_parts).toEqual([])
  })
})

describe('the length of a prompt', () => {
  it.each([
    [null, 288_000],
    [8_000, 18_000],
    [128_000, 288_000],
    [200_000, 504_000],
    [1_000_000, 700_000],
  ])('COU-P-4 leaves room for the answer in a window of %s tokens: %d characters', (window, chars) => {
    expect(promptChars(window)).toBe(chars)
  })
})

describe('agreement and risk', () => {
  it('COU-X-6 of one vendor needs two opinions: a single one agrees with no other', () => {
    const seats = ['ann', 'ben'].map((name) => seat(name, { vendor: 'one' }))
    const says = ({ round, seat: name }: Question): ScriptedReply | undefined =>
      round === 'R1' && name === 'ben' ? { fails: 'auth' } : undefined
    const alone = sit({ seats, policy: policy({ quorum: { r1_min: 1 } }) }, { says })
    expect([alone.report?.one_vendor, agreementOf(alone.inner).score]).toEqual([false, 0])
    expect(sit({ seats }).report?.one_vendor).toBe(true)
  })

  it('COU-S-2 counts a similarity below zero as zero', () => {
    const sitting = new Sitting().open({ policy: policy({ short_circuit: { embeddings: true } }) })
    sitting.run((one) => one.decide().some(({ id }) => id.startsWith('score/')))
    const pairs = [
      ['op-1', 'op-2', -0.9],
      ['op-1', 'op-3', 0.6],
      ['op-2', 'op-3', 0.3],
    ].map(([a, b, cosine]) => ({ a, b, cosine }))
    const action = sitting.decide()[0]?.id
    sitting.say('agreement_scored', 'clerk', 'clerk', { action, encoder: 'test', pairs })
    expect(agreementOf(sitting.inner)).toMatchObject({ recommendation: 0.3, by: 'embeddings' })
  })

  it('COU-S-2 names no more than eight words of risk, in order', () => {
    const question =
      'Shall we delete production backups, passwords, secrets, payment tokens, credentials, patients, weapons and encryption keys?'
    const { words } = riskByWords(new Sitting().open({ question }).inner)
    expect(words).toHaveLength(8)
    expect(words).toEqual([...words].sort())
  })
})
