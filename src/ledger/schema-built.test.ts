import { describe, expect, expectTypeOf, it } from 'vitest'
import { closed, flag, integer, list, oneOf, optionally, orNull, text, type ValueOf } from './schema.ts'
import { misfit } from './schema-fault.ts'

const MESSAGE = optionally(
  closed({
    text: text({ minLength: 1 }),
    kind: oneOf(['mind', 'audit']),
    cites: list(text(), { maxItems: 2 }),
    cluster: orNull(text()),
    part: orNull(closed({ round: integer({ minimum: 1 }) })),
  }),
  { cut: flag },
)

describe('a schema that is built', () => {
  const message = { text: 'a', kind: 'mind', cites: ['1.1'], cluster: null, part: null } as const

  it('is plain data that a value is held against', () => {
    expect(JSON.parse(JSON.stringify(MESSAGE))).toEqual(MESSAGE)
    expect(misfit(MESSAGE, message)).toBeNull()
    expect(misfit(MESSAGE, { ...message, cut: true, part: { round: 1 } })).toBeNull()
    expect(misfit(MESSAGE, { ...message, text: '' })).toContain('text')
    expect(misfit(MESSAGE, { ...message, kind: 'other' })).toBe('kind is none of mind, audit')
    expect(misfit(MESSAGE, { ...message, more: 1 })).toContain('unknown member')
    expect(misfit(MESSAGE, { ...message, part: { round: 0 } })).toContain('part')
  })

  it('gives the type of what fits it', () => {
    expectTypeOf<ValueOf<typeof MESSAGE>>().toEqualTypeOf<
      {
        readonly text: string
        readonly kind: 'mind' | 'audit'
        readonly cites: readonly string[]
        readonly cluster: string | null
        readonly part: { readonly round: number } | null
      } & { readonly cut?: boolean }
    >()
  })
})
