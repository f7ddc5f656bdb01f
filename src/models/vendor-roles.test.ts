// Every role of every protocol, asked over each vendor's wire. The fakes refuse what the vendors document as refused,
// and answer as a model does that is bound by the schema it was sent.

import { afterEach, describe, expect, it } from 'vitest'
import { PLANTED_SECRET } from '../../test/contracts/scenarios.ts'
import { anthropicToolWire, anthropicWire } from '../../test/fakes/anthropic.ts'
import { googleWire } from '../../test/fakes/google.ts'
import { openaiWire } from '../../test/fakes/openai.ts'
import { chatWire, llamaCppWire } from '../../test/fakes/openai-compatible.ts'
import {
  type FakeServer,
  perform,
  type Seen,
  serve,
  type VendorWire,
  wordsIn,
} from '../../test/fakes/scripted-server.ts'
import { boundBy, VENDOR_ROLES, type VendorRole } from '../../test/support/roles.ts'
import { apiModel } from './api/api.ts'
import type { ApiKind } from './default-models.ts'
import type { Request } from './model.ts'
import { createSeat } from './seat/seat.ts'

interface Wire {
  readonly name: string
  readonly kind: ApiKind
  readonly wire: VendorWire
  readonly base: string
  readonly model: string
  /** The schema in a request, as this vendor is sent it. */
  schemaIn(body: never): unknown
}

const WIRES: readonly Wire[] = [
  {
    name: 'Anthropic',
    kind: 'anthropic',
    wire: anthropicWire,
    base: '/v1',
    model: 'claude-opus-5-5',
    schemaIn: (body: { output_config?: { format?: { schema?: unknown } } }) =>
      body.output_config?.format?.schema,
  },
  {
    name: 'Anthropic without structured outputs',
    kind: 'anthropic',
    wire: anthropicWire,
    base: '/v1',
    model: 'claude-sonnet-4-20250514',
    schemaIn: (body: { tools?: { input_schema?: unknown }[] }) => body.tools?.[0]?.input_schema,
  },
  {
    name: 'OpenAI',
    kind: 'openai',
    wire: openaiWire,
    base: '/v1',
    model: 'gpt-6-sol',
    schemaIn: (body: { text?: { format?: { schema?: unknown } } }) => body.text?.format?.schema,
  },
  {
    name: 'Gemini',
    kind: 'google',
    wire: googleWire,
    base: '/v1beta',
    model: 'gemini-3.8-flash',
    schemaIn: (body: { generationConfig?: { responseSchema?: unknown } }) =>
      body.generationConfig?.responseSchema,
  },
  ...[chatWire, llamaCppWire].map((wire, i) => ({
    name: ['a compatible server', 'llama.cpp'][i] ?? '',
    kind: 'openai-compatible' as const,
    wire,
    base: '/v1',
    model: 'fake-1',
    schemaIn: (body: { response_format?: { json_schema?: { schema?: unknown } } }) =>
      body.response_format?.json_schema?.schema,
  })),
]

let server: FakeServer | null = null
afterEach(async () => {
  await server?.close()
  server = null
})

/** A model of this vendor in this role. */
async function answering({ wire, schemaIn }: Wire, { answer }: VendorRole): Promise<FakeServer> {
  server = await serve(async (request: Seen, response) => {
    const schema = schemaIn(request.body as never)
    const text = typeof answer === 'string' ? answer : JSON.stringify(boundBy(schema, answer))
    const usage = { inputTokens: 100, outputTokens: 20 }
    const asTool = (request.body as { tools?: unknown }).tools !== undefined
    await perform(asTool ? { ...anthropicToolWire } : wire, { act: 'answer', text, usage }, request, response)
  })
  return server
}

const asking = (schema: Request['schema']) => ({
  round: 'R1',
  system: 'You have a role.',
  parts: [{ name: 'question', text: 'Do what your role does.', quotes: null, template: null }],
  schema,
  limits: { maxOutputTokens: null, maxReplyBytes: 1 << 20 },
  signal: new AbortController().signal,
})

function seatAt({ kind, base, model }: Wire, { url }: FakeServer) {
  const mind = apiModel({
    kind,
    name: 'it',
    model,
    baseUrl: `${url}${base}`,
    apiKey: async () => PLANTED_SECRET,
  })
  return createSeat({ provider: 'it', model, roles: ['participant'], minds: [mind] })
}

describe.each(WIRES)('on the wire of $name', (wire) => {
  it.each(VENDOR_ROLES)('VOX-17 $name is asked in its dialect and read at the first call', async (role) => {
    const at = await answering(wire, role)
    const { outcome, attempts } = await seatAt(wire, at).ask(asking(role.schema))
    expect(outcome, JSON.stringify(outcome)).toMatchObject({ ok: true })
    expect(attempts).toHaveLength(1)
    expect(at.requests).toHaveLength(1)
    const reading = role.read(outcome.ok ? outcome.text : '')
    expect(reading, JSON.stringify(reading)).toMatchObject({ outcome: 'kept' })
    if (typeof role.answer !== 'string') expect(reading).toHaveProperty('value', role.answer)
  })

  it('VOX-17 an executor is told its whole schema, as a schema or in words', async () => {
    const role = VENDOR_ROLES.find(({ name }) => name.startsWith('executor'))
    if (role === undefined) throw new Error('no executor')
    const at = await answering(wire, role)
    await seatAt(wire, at).ask(asking(role.schema))
    const words = wordsIn(at.requests[0]?.body)
    const whole = JSON.stringify(at.requests[0]?.body)
    for (const name of ['intent', 'claims', 'replan', 'give_up', 'justification', 'evidence'])
      expect(whole).toContain(name)
    expect(words).toMatch(/exactly one of|"anyOf"/)
  })
})
