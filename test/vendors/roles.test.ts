// Every role of every protocol through the vendors' real programs, against servers that refuse what the vendors
// document as refused.
import { afterEach, describe, expect, it } from 'vitest'
import { boundBy, VENDOR_ROLES } from '../support/roles.ts'
import { openReal, type Real } from './real.ts'

const VENDORS = ['claude', 'codex', 'gemini'] as const

interface Body {
  readonly text?: { readonly format?: { readonly schema?: unknown } }
}

const schemaIn = (body: unknown): unknown => (body as Body).text?.format?.schema

let real: Real
afterEach(() => real.dispose())

describe.each(VENDORS)('the real %s', (vendor) => {
  it.each(VENDOR_ROLES)('VOX-17 is asked as $name', async (role) => {
    const text = typeof role.answer === 'string' ? role.answer : JSON.stringify(role.answer)
    real = await openReal(vendor, [{ act: 'answer', text, usage: { inputTokens: 11, outputTokens: 7 } }])
    const outcome = await real.mind.ask({
      system: 'You have a role.',
      parts: [{ name: 'question', text: 'Do what your role does.', quotes: null, template: null }],
      schema: role.schema,
      limits: { timeoutMs: 60_000, maxOutputTokens: null, maxReplyBytes: 1 << 20 },
      signal: new AbortController().signal,
    })
    expect(outcome, JSON.stringify(outcome)).toMatchObject({ ok: true })
    expect(real.asked(), 'the program asked its model again by itself').toHaveLength(1)
    const schema = schemaIn(real.asked()[0]?.body)
    const bound = typeof role.answer === 'string' ? text : JSON.stringify(boundBy(schema, role.answer))
    expect(role.read(bound)).toMatchObject({ outcome: 'kept' })
  })
})
