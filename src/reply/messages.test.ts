import { describe, expect, it } from 'vitest'
import { readMessages } from './messages.ts'
import type { RawReply } from './reading.ts'

const read = (text: string, more: Partial<RawReply> = {}, max_messages = 3, max_chars = 20) =>
  readMessages({ form: 'messages', max_messages, max_chars }, { text, ...more })
const kept = (text: string): unknown => {
  const reading = read(text)
  return reading.outcome === 'kept' ? reading.value : reading.outcome
}
const repairsOf = (text: string): readonly string[] => read(text).repairs.map(({ kind }) => kind)

describe('a contribution to an exchange', () => {
  it('is private before the first separator, and each later block is a message', () => {
    expect(kept('mine\n---\none\n  ---  \n\ntwo\nlines\n')).toEqual({
      private: 'mine',
      messages: [
        { text: 'one', cut: false },
        { text: 'two\nlines', cut: false },
      ],
      dropped: 0,
    })
    expect(repairsOf('mine\n---\none')).toEqual([])
    expect(kept('---\none')).toMatchObject({ private: '', messages: [{ text: 'one' }] })
  })

  it('is not separated within code, so that no half of a private note is published', () => {
    expect(kept('note\n```\n---\nsecret\n```\n---\none')).toMatchObject({
      private: 'note\n```\n---\nsecret\n```',
      messages: [{ text: 'one' }],
    })
    // A longer fence, other marks and an info string do not close it.
    for (const inner of ['```', '~~~~', '```` x'])
      expect(kept(`a\n\`\`\`\`js\n${inner}\n---\nsecret\n\`\`\`\`\n---\none`)).toMatchObject({
        messages: [{ text: 'one' }],
      })
    // Backticks in the info string make it no fence.
    expect(kept('```a`b\n---\none')).toMatchObject({ private: '```a`b', messages: [{ text: 'one' }] })
    expect(kept('a\n----\nb')).toBe('missing')
  })

  it('has a limited length, and the parts left out are recorded', () => {
    const reading = read('p\n---\na\n---\nb\n---\nc\n---\nd\n---\n')
    expect(reading).toMatchObject({ outcome: 'kept', value: { dropped: 1 } })
    expect(reading.repairs).toEqual([
      { kind: 'dropped', at: [], times: 1 },
      { kind: 'shortened', at: ['messages'], times: 1 },
    ])
    const long = read(`p\n---\nshort\n---\n${'x'.repeat(19)} yz`)
    expect(long).toMatchObject({ value: { messages: [{ cut: false }, { text: 'x'.repeat(19), cut: true }] } })
    expect(long.repairs).toEqual([{ kind: 'shortened', at: ['messages[1]'], times: 1 }])
    expect(repairsOf('p\n---\na\n---\nb\n---\nc')).toEqual([])
    expect(kept(`p\n---\n${'x'.repeat(20)}`)).toMatchObject({ messages: [{ cut: false }] })
    expect(kept(`p\n---\n${'x'.repeat(19)}😀`)).toMatchObject({
      messages: [{ text: 'x'.repeat(19), cut: true }],
    })
  })

  it('is repaired in form, and each repair is recorded', () => {
    expect(repairsOf('\ufeffp\n---\na')).toEqual(['byte-order-mark'])
    expect(repairsOf('p\r\n---\r\na')).toEqual(['line-ends'])
    expect(kept('p\r---\ra')).toMatchObject({ private: 'p', messages: [{ text: 'a' }] })
    expect(repairsOf('p\n---\na\ud800')).toEqual(['surrogate'])
    expect(repairsOf('<think>x</think>p\n---\na')).toEqual(['hidden-reasoning'])
    expect(kept('<think>x\n---\ny</think>p\n---\na')).toMatchObject({
      private: 'p',
      messages: [{ text: 'a' }],
    })
    expect(repairsOf('p\n---\na<|im_end|>')).toEqual(['text-around'])
    expect(repairsOf('```\np\n---\na\n```')).toEqual(['fence'])
    expect(kept('```\np\n---\na\n```')).toMatchObject({ private: 'p', messages: [{ text: 'a' }] })
    expect(repairsOf('```\np\n```\n---\na\n```\nb\n```')).toEqual([])
  })

  it('without a message is a refusal if it refuses, otherwise it lacks messages', () => {
    const refusal = "I'm sorry, but I can't assist with that request."
    expect(read(refusal).outcome).toBe('refused')
    expect(read('', { refusal: 'no' }).outcome).toBe('refused')
    expect(read('', { finish_reason: 'content_filter' }).outcome).toBe('refused')
    expect(read('private only')).toEqual({ outcome: 'missing', missing: ['messages'], repairs: [] })
    expect(read('')).toMatchObject({ outcome: 'missing' })
    expect(read('', { refusal: ' ' })).toMatchObject({ outcome: 'missing' })
    expect(read('private only', { refusal: 'no' })).toMatchObject({ outcome: 'missing' })
    expect(read('p\n---\n\n').repairs).toEqual([{ kind: 'dropped', at: [], times: 1 }])
    expect(read(`p\n---\n${refusal}`).outcome).toBe('kept')
  })
})
