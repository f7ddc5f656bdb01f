import { describe, expect, it } from 'vitest'
import { type Followed, follow, NOTHING_FOLLOWED } from './follow-words.ts'

const ANSWER =
  '{"stance": "adopt", "summary": "Move the queue: one system less.", "details": {"recommendation": "Migrate in two steps."}}'

/** Told as a server tells it: the end of the text, this long, each time some more of it is there. */
function toldBy(text: string, { most, every }: { readonly most: number; readonly every: number }): Followed {
  let followed = NOTHING_FOLLOWED
  for (let end = every; end < text.length + every; end += every)
    followed = follow(followed, text.slice(Math.max(0, Math.min(end, text.length) - most), end))
  return followed
}

describe('text that is still being written', () => {
  it('APP-3 is shown as sentences if it is JSON, without names and labels', () => {
    expect(toldBy(ANSWER, { most: 2_000, every: 7 }).writing?.words.trim()).toBe(
      'Move the queue: one system less. Migrate in two steps.',
    )
  })

  it('APP-3 stays in sentences if only its end arrives', () => {
    const whole = toldBy(ANSWER, { most: 2_000, every: 7 }).writing?.words
    expect(toldBy(ANSWER, { most: 90, every: 7 }).writing?.words).toBe(whole)
  })

  it('APP-3 is shown as it is by a page that missed the beginning, and as prose where it is prose', () => {
    expect(follow(NOTHING_FOLLOWED, 'em less.", "details": {"a": "b c"').writing).toBeNull()
    expect(toldBy('I think aloud.', { most: 2_000, every: 3 }).writing?.words).toBe('I think aloud.')
  })

  it('APP-3 begins again with another text', () => {
    const first = toldBy(ANSWER, { most: 2_000, every: 20 })
    expect(follow(follow(first, ''), '{"summary": "Not at all, says B').writing?.words).toBe(
      'Not at all, says B',
    )
    expect(follow(first, '{"summary": "Not at all, says B').writing?.words).toBe('Not at all, says B')
  })
})
