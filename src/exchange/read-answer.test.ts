import { describe, expect, it } from 'vitest'
import { canonicalize } from '../ledger/canonical.ts'
import type { PromptPart } from '../ledger/prompt.ts'
import { ANSWER } from './prompts/completing.ts'
import { concludeAudit, concludeJudgement, concludeMessages } from './read-answer.ts'

const POOL = {
  ...{ prompt: 'Rivers.', minds: ['claude'], window: 5, sample: 2, seed: 1, parallel: false },
  ...{ max_messages: 2, max_chars: 50, max_output_tokens: null },
}
const part = (name: string, text: string): PromptPart => ({ name, text, quotes: null, template: null })
const GROUND = { material: new Map(), clusters: [] }
const AUDIT = canonicalize({ summary: 'It is about rivers.', points: [] })

describe('VOX-15 the result of a reply', () => {
  it('is its messages if it has any, otherwise one more question and then a failure', () => {
    const given = concludeMessages({ text: 'hm\n---\nRivers are long.' }, POOL, false)
    expect(given).toMatchObject({ is: 'given', value: { messages: [{ text: 'Rivers are long.' }] } })
    const nothing = concludeMessages({ text: '' }, POOL, false)
    expect(nothing).toMatchObject({ is: 'incomplete', reading: { outcome: 'missing' } })
    expect(nothing.reading.missing.length).toBeGreaterThan(0)
    const again = concludeMessages({ text: '' }, POOL, true)
    expect(again).toMatchObject({ is: 'failed', reading: { outcome: 'missing' } })
    expect(again.is === 'failed' && again.message).toMatch(/also when asked for it$/)
  })

  it('is a failure with the text of a model that declined, cut to a line, and no further question', () => {
    const refused = (text: string, refusal: string) => concludeMessages({ text, refusal }, POOL, false)
    expect(refused('', '  I will not. ')).toMatchObject({
      is: 'failed',
      message: 'declined to answer: I will not.',
      reading: { outcome: 'refused' },
    })
    const long = refused('', `${'x'.repeat(299)}😀`)
    expect(long.is === 'failed' && long.message).toBe(`declined to answer: ${'x'.repeat(299)}\ufffd`)
  })

  it('is an audit also if the auditor repeats its earlier answer, which was quoted to it', () => {
    const parts = [part('instructions', 'Write your audit.'), part(ANSWER, AUDIT)]
    expect(concludeAudit({ text: AUDIT }, parts, GROUND, true)).toMatchObject({
      is: 'given',
      value: { summary: 'It is about rivers.' },
    })
    // What only repeats the question is no answer.
    const echoed = concludeAudit({ text: AUDIT }, [part('instructions', AUDIT)], GROUND, false)
    expect(echoed.is).toBe('incomplete')
  })

  it('is no audit if the summary is empty, and no judgement if there is no list', () => {
    const blank = canonicalize({ summary: ' ', points: [] })
    expect(concludeAudit({ text: blank }, [], GROUND, false)).toMatchObject({
      is: 'incomplete',
      reading: { missing: expect.arrayContaining([expect.any(String)]) },
    })
    expect(concludeJudgement({ text: 'None asks.' }, new Map(), false).is).toBe('incomplete')
    const texts = new Map([['1.1', 'Let us begin again.']])
    const cited = canonicalize({ asks: [{ id: '1.1', quote: 'Let us begin again.' }] })
    expect(concludeJudgement({ text: cited }, texts, false)).toMatchObject({
      is: 'given',
      value: { struck: [] },
    })
  })
})
