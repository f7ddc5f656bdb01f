// What a seat says over all parts is the union of what it said to each, and the worst of it.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as council from '../../../test/support/all-of-council.ts'
import { askedFinding, opinionAnswer } from '../../../test/support/council-answers.ts'
import type { Json } from '../../ledger/canonical.ts'
import { unionOf } from './join.ts'

const answer = (more: Parameters<typeof opinionAnswer>[1] = {}): council.OpinionAnswer => {
  const read = council.readOpinion('review', opinionAnswer('review', { stakes: 'low', ...more }) as Json, 2)
  if (!read.ok) throw new Error(read.why)
  return read.answer
}
const joined = (...more: readonly Parameters<typeof opinionAnswer>[1][]) => unionOf(more.map(answer))

describe('the union of a seat’s answers', () => {
  it.each([
    ['reject', ['adopt', 'reject', 'need-info']],
    ['need-info', ['adopt', 'need-info']],
    ['adopt', ['adopt', 'adopt']],
  ])('COU-P-4 takes the worst stance: %s of %j', (worst, stances) => {
    expect(joined(...stances.map((stance) => ({ stance }))).stance).toBe(worst)
  })

  it('COU-P-4 prefers a stance to none, and has none if no part stated one', () => {
    const open = { ...answer(), stance: council.UNSTATED } as const
    expect(unionOf([open, answer()]).stance).toBe('adopt')
    expect(unionOf([open, { ...answer(), stance: 'answer' }]).stance).toBe('answer')
    expect(unionOf([open, open]).stance).toBe(council.UNSTATED)
  })

  it.each([
    ['high', ['low', 'high', 'unstated']],
    ['unstated', ['low', 'unstated', 'medium']],
    ['medium', ['low', 'medium', 'low']],
    ['low', ['low', 'low']],
  ])('COU-P-4 COU-S-2 takes the highest stakes, and leaves them open if one part does: %s', (most, all) => {
    expect(joined(...all.map((stakes) => ({ stakes }))).stakes).toBe(most)
  })

  it('COU-S-2 leaves stakes open that an earlier edition did not ask for', () => {
    const { stakes: _, ...silent } = answer()
    expect(unionOf([answer(), silent]).stakes).toBe('unstated')
  })

  it('COU-P-4 has the confidence of the least confident part', () => {
    expect(joined({ confidence: 'high' }, { confidence: 'low' }, { confidence: 'medium' }).confidence).toBe(
      'low',
    )
    expect(joined({ confidence: 'high' }, { confidence: 'medium' }).confidence).toBe('medium')
    expect(joined({ confidence: 'high' }).confidence).toBe('high')
  })

  it('COU-P-4 holds each text once, in order, and no blank one', () => {
    const said = joined(
      { summary: 'First.', questions: ['how?', ''], assumptions: ['a'] },
      { summary: 'First.', questions: ['when?', 'how?'], assumptions: ['b', 'a'] },
      { summary: 'Then.', questions: [' '], assumptions: [] },
    )
    expect(said.summary).toBe('First.\n\nThen.')
    expect(said.questions).toEqual(['how?', 'when?'])
    expect(said.assumptions).toEqual(['a', 'b'])
    expect(said.details.recommendation).toBe('Put a small cache before the reader and measure it.')
  })

  it('COU-P-4 loses no finding and no risk, however the answers are split', () => {
    const findings = fc.array(fc.nat(9), { maxLength: 6 })
    fc.assert(
      fc.property(fc.array(findings, { minLength: 1, maxLength: 5 }), (parts) => {
        const lines = (numbers: readonly number[]) => numbers.map((n) => askedFinding({ line: n + 1 }))
        const risks = (numbers: readonly number[]) =>
          numbers.map((n) => ({ description: `risk ${n}`, severity: 'low', mitigation: '' }))
        const said = joined(...parts.map((numbers) => ({ findings: lines(numbers), risks: risks(numbers) })))
        expect(said.findings.map(({ line }) => line)).toEqual(parts.flat().map((n) => n + 1))
        expect(said.risks.map(({ description }) => description)).toEqual(parts.flat().map((n) => `risk ${n}`))
      }),
      { numRuns: 30 },
    )
  })
})
