// What follows from a reply: an answer, another asking for what it lacks, or a failure with its reason.
import { describe, expect, it } from 'vitest'
import { opinionAnswer, reportAnswer, reviewAnswer } from '../../../test/support/council-answers.ts'
import type { Json } from '../../ledger/canonical.ts'
import type { RawReply } from '../../ledger/raw-reply.ts'
import type { Round } from '../events.ts'
import { concludeReply, proseOpinion, type ReplyToRead } from './conclude.ts'
import { readOpinion } from './normalise.ts'

const LABELS = new Map([['A', 'op-2']])
const conclude = (round: Round, raw: RawReply, more: Partial<ReplyToRead> = {}) =>
  concludeReply({ round, mode: 'ask', raw, prompt: '', labels: LABELS, completes: null, ...more })
const said = (value: Json): RawReply => ({ text: JSON.stringify(value) })
const WITH_STANCE = 'Stance: reject\n\nThe load is not known, and a cache without a measure hides the reader.'
const WITHOUT = 'One could wait a week and look at the load before anything is built at all.'

describe('what follows from a reply', () => {
  it('VOX-15 is an opinion at once if prose states its stance; otherwise the stance is asked for', () => {
    expect(conclude('R1', { text: WITH_STANCE })).toMatchObject({
      is: 'given',
      answer: { stance: 'reject', summary: 'Stance: reject', confidence: 'low' },
    })
    expect(conclude('R1', { text: WITHOUT })).toMatchObject({ is: 'incomplete', prose: { summary: WITHOUT } })
  })

  it('VOX-15 is an opinion without a stance if the second prose answer has none, with the longer of the two texts', () => {
    const completes = { prose: proseOpinion(`${WITHOUT} ${WITHOUT}`, 'unstated') }
    expect(conclude('R1', { text: WITHOUT }, { completes })).toMatchObject({
      is: 'given',
      answer: { stance: 'unstated', details: { recommendation: `${WITHOUT} ${WITHOUT}` } },
    })
    expect(conclude('R1', { text: WITH_STANCE }, { completes })).toMatchObject({
      answer: { stance: 'reject', details: { recommendation: `${WITHOUT} ${WITHOUT}` } },
    })
    expect(
      conclude('R1', { text: WITH_STANCE }, { completes: { prose: proseOpinion('No.', 'unstated') } }),
    ).toMatchObject({ answer: { details: { recommendation: WITH_STANCE } } })
  })

  it('VOX-16 is a failure that names what is missing if the second answer still lacks it', () => {
    expect(conclude('R1', { text: '{}' })).toMatchObject({ is: 'incomplete', prose: null })
    const { stance: _, ...stanceless } = opinionAnswer()
    expect(conclude('R1', said(stanceless), { completes: { prose: null } })).toMatchObject({
      is: 'failed',
      cause: null,
      message: 'the answer lacks stance, also when asked for it',
    })
  })

  it.each<[string, RawReply, string]>([
    ['in words', { text: '', refusal: ' I will not. ' }, 'declined to answer: I will not.'],
    ['without a word', { text: '', finish_reason: 'content_filter' }, 'declined to answer'],
    ['at length', { text: '', refusal: 'x'.repeat(400) }, `declined to answer: ${'x'.repeat(300)}…`],
  ])('COU-R1-3 is a failure that says so if a model declines %s', (_, raw, message) => {
    expect(conclude('R1', raw)).toMatchObject({ is: 'failed', cause: 'refused', message })
  })

  it.each<[Round, string, Json]>([
    ['R1', 'opinion', opinionAnswer()],
    ['R1', 'opinions', opinionAnswer()],
    ['R2', 'review', reviewAnswer(['A'])],
    ['R2', 'reviews', reviewAnswer(['A'])],
    ['R3', 'report', reportAnswer(['op-1'])],
    ['R3', 'final_report', reportAnswer(['op-1'])],
  ])('VOX-15 is read in round %s inside a member named %s', (round, name, answer) => {
    const bare = conclude(round, said(answer))
    const wrapped = conclude(round, said({ [name]: answer }))
    expect(bare.is).toBe('given')
    expect(wrapped).toMatchObject({ is: 'given', answer: bare.is === 'given' && bare.answer })
  })

  it('COU-R1-2 is no opinion if the reply is empty, and an opinion with an empty field is refused by its schema', () => {
    expect(readOpinion('ask', null)).toMatchObject({ ok: false })
    expect(readOpinion('ask', opinionAnswer('ask', { summary: null }))).toMatchObject({ ok: false })
    expect(readOpinion('ask', opinionAnswer('ask', { summary: 'half \ud83d' }))).toMatchObject({
      answer: { summary: 'half \ufffd' },
    })
  })
})
