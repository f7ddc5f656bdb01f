// The shared context is kept by the vendor where that is asked for, and what was written and read there has its price.
import { afterEach, describe, expect, it } from 'vitest'
import { PLANTED_SECRET } from '../../../test/contracts/scenarios.ts'
import { anthropicWire } from '../../../test/fakes/anthropic.ts'
import { type FakeServer, perform, serve, type VendorWire } from '../../../test/fakes/scripted-server.ts'
import type { Request } from '../model.ts'
import { apiModel } from './api.ts'

let server: FakeServer
afterEach(() => server.close())

const part = (name: string, text: string, artifact: boolean) => ({
  name,
  text,
  quotes: artifact ? ({ kind: 'artifact', id: 'a'.repeat(64) } as const) : null,
  template: null,
})
const request: Request = {
  system: 'Be brief.',
  parts: [
    part('preamble', 'See.', false),
    part('context', 'The file.', true),
    part('question', 'Adopt?', false),
  ],
  schema: null,
  limits: { timeoutMs: 10_000, maxOutputTokens: 100, maxReplyBytes: 10_000 },
  signal: new AbortController().signal,
}

/** The wire with these tokens in its cache. */
const counting = (read: number, written: number): VendorWire => ({
  ...anthropicWire,
  begin: (seen) =>
    anthropicWire
      .begin(seen)
      .map((event) =>
        event
          .replace('"cache_creation_input_tokens":0', `"cache_creation_input_tokens":${written}`)
          .replace('"cache_read_input_tokens":0', `"cache_read_input_tokens":${read}`),
      ),
})

async function ask(cache: boolean, wire: VendorWire) {
  server = await serve((seen, response) =>
    perform(
      wire,
      { act: 'answer', text: 'Yes.', usage: { inputTokens: 11, outputTokens: 7 } },
      seen,
      response,
    ),
  )
  const baseUrl = `${server.url}/v1`
  const apiKey = async () => PLANTED_SECRET
  const mind = apiModel({ kind: 'anthropic', name: 'it', model: 'claude-haiku-4-5', baseUrl, apiKey, cache })
  const outcome = await mind.ask(request)
  const body = server.requests[0]?.body as {
    messages: { content: { text: string; cache_control?: object }[] }[]
  }
  return { outcome, content: body.messages[0]?.content ?? [] }
}

describe('VOX-6 the shared context', () => {
  it('is cached by the vendor if that is asked for, with the rest after it', async () => {
    const { content } = await ask(true, anthropicWire)
    expect(content).toEqual([
      { type: 'text', text: 'See.\n\nThe file.\n\n', cache_control: { type: 'ephemeral' } },
      { type: 'text', text: 'Adopt?' },
    ])
  })

  it('is one text otherwise', async () => {
    const { content } = await ask(false, anthropicWire)
    expect(content).toEqual([{ type: 'text', text: 'See.\n\nThe file.\n\nAdopt?' }])
  })

  it('has the price of writing it, and of reading it', async () => {
    const usd = async (read: number, written: number): Promise<number> => {
      const { outcome } = await ask(true, counting(read, written))
      if (!outcome.ok || outcome.cost === null) throw new Error(JSON.stringify(outcome))
      expect(outcome.usage.inputTokens).toBe(11 + read + written)
      await server.close()
      return outcome.cost.usd
    }
    const [none, write, read] = [await usd(0, 0), await usd(0, 1_000_000), await usd(1_000_000, 0)]
    // A million tokens of this model cost a dollar: a quarter more to write, a tenth to read.
    expect(write - none).toBeCloseTo(1.25, 5)
    expect(read - none).toBeCloseTo(0.1, 5)
    server = await serve(() => undefined)
  })
})
