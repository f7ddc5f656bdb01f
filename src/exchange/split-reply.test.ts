import { describe, expect, it } from 'vitest'
import { takeApart } from './split-reply.ts'

const LIMITS = { max_messages: 3, max_chars: 10 }

describe('a reply', () => {
  it('EXC-POOL-1 keeps the text before the first separator private, and every later block is a message', () => {
    const apart = takeApart('hm\nwell\n---\none\n ---  \ntwo\nlines\n', LIMITS)
    expect(apart).toEqual({
      private: 'hm\nwell',
      messages: [
        { text: 'one', cut: false },
        { text: 'two\nlines', cut: false },
      ],
      dropped: 0,
    })
  })

  it('adds nothing to the pool without a separator', () => {
    expect(takeApart('only thoughts -- or ---- or a --- b', LIMITS)).toEqual({
      private: 'only thoughts -- or ---- or a --- b',
      messages: [],
      dropped: 0,
    })
    expect(takeApart('', LIMITS)).toEqual({ private: '', messages: [], dropped: 0 })
  })

  it('drops empty blocks, and blocks over the limit with a count', () => {
    const apart = takeApart('---\n\n---\r\na\r\n---\r\rb\n---\nc\n---\nd\n---\ne', LIMITS)
    expect(apart.messages.map(({ text }) => text)).toEqual(['a', 'b', 'c'])
    expect(apart.dropped).toBe(2)
  })

  it('cuts a long message at the limit and never within a character', () => {
    const [cut, pair] = takeApart(`---\n${'x'.repeat(30)}\n---\n123456789😀 and more`, LIMITS).messages
    expect(cut).toEqual({ text: 'x'.repeat(10), cut: true })
    expect(pair).toEqual({ text: '123456789', cut: true })
    expect(takeApart('---\nhalf \ud83d', LIMITS).messages[0]?.text.isWellFormed()).toBe(true)
  })
})
