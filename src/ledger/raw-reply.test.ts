import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { utf8 } from './bytes.ts'
import { type RawReply, rawOf, readRaw, writeRaw } from './raw-reply.ts'

const text = fc.string({ unit: 'binary', maxLength: 20 })
const given = fc.string({ minLength: 1, maxLength: 9 })
const reply: fc.Arbitrary<RawReply> = fc.record(
  {
    text,
    tool_calls: fc.array(fc.record({ name: given, arguments: text }), { minLength: 1, maxLength: 3 }),
    reasoning_content: given,
    finish_reason: given,
    refusal: given,
    cut: fc.constant(true),
  },
  { requiredKeys: ['text'] },
)
const isRead = (value: unknown): boolean => readRaw(utf8(JSON.stringify(value))) !== null

describe('VOX-15 a raw reply', () => {
  it('is read back unchanged, also with halves of characters', () => {
    fc.assert(
      fc.property(reply, (raw) => {
        expect(readRaw(writeRaw(raw))).toEqual(raw)
      }),
    )
    expect(readRaw(writeRaw({ text: 'half \ud83d' }))).toEqual({ text: 'half \ud83d' })
  })

  it('keeps only its own members, and no empty one', () => {
    const more = { text: 'a', tool_calls: [], reasoning_content: '', refusal: '', cut: false, stray: 1 }
    expect(rawOf(more as RawReply)).toEqual({ text: 'a' })
    const called = { text: '', tool_calls: [{ name: 'n', arguments: '{}', id: 7 }] }
    expect(rawOf(called as unknown as RawReply).tool_calls).toEqual([{ name: 'n', arguments: '{}' }])
  })

  it('is not read from any other spelling', () => {
    expect(isRead({ text: 'a' })).toBe(true)
    for (const wrong of [
      ...[
        null,
        7,
        [],
        'a',
        {},
        { text: 7 },
        { text: 'a', stray: 1 },
        { text: 'a', cut: false },
        { text: 'a', cut: 1 },
      ],
      ...[
        { text: 'a', refusal: 7 },
        { text: 'a', refusal: '' },
        { text: 'a', finish_reason: null },
      ],
      ...[
        { text: 'a', tool_calls: [] },
        { text: 'a', tool_calls: {} },
        { text: 'a', tool_calls: [null] },
      ],
      ...[
        { text: 'a', tool_calls: [{ name: 'n' }] },
        { text: 'a', tool_calls: [{ arguments: '' }] },
      ],
      { cut: true, text: 'a' },
    ])
      expect(isRead(wrong), JSON.stringify(wrong)).toBe(false)
    expect(isRead({ text: 'a', tool_calls: [{ name: 'n', arguments: '' }], cut: true })).toBe(true)
    for (const bytes of [utf8('nonsense'), utf8(' {"text":"a"}'), Uint8Array.of(0xff), new Uint8Array()])
      expect(readRaw(bytes)).toBeNull()
  })
})
