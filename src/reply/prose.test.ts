import { describe, expect, it } from 'vitest'
import { stanceIn } from './prose.ts'

const STANCES = { adopt: ['yes'], reject: ['request changes', 'no'], 'need-info': ['needs more info'] }

describe('the stance of a prose answer', () => {
  it.each([
    ['Stance: adopt', 'adopt'],
    ['**Stance:** Adopt', 'adopt'],
    ['- **Verdict**: **need info** (confidence: 90 %)', 'need-info'],
    ['## Position\n\nReject\n\n## Why', 'reject'],
    ['My stance is need-info.', 'need-info'],
    ['Decision: reject. The ledger needs its constraints.', 'reject'],
    ['Decision: Request changes', 'reject'],
    ['Stance: adopt\n\nVerdict: yes', 'adopt'],
  ])('is read where it is stated: %s', (text, stance) => {
    expect(stanceIn(text, STANCES)).toBe(stance)
  })

  it.each([
    'Some teams adopt one early and regret it.',
    'Stance: adopt\n\nStance: reject',
    'Stance: adopt with caveats',
    'Stance: adopt | reject | need-info',
    'Stance: adopt, if the load is low',
    'Stance: not adopt',
    'Stance:\nadopt',
    'Recommendation: adopt',
    'Decision: no objections.',
    '> Stance: adopt\n\nThat is what the notes say.',
    '```\nStance: adopt\n```\nis the format.',
    'The stance matters. Adopt.',
  ])('is unstated in: %s', (text) => {
    expect(stanceIn(text, STANCES)).toBe('unstated')
  })
})
