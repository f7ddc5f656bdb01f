// A prompt that is longer than a model takes, on each vendor's wire: told apart from every other failure, and not asked
// again as it is.
import { describe, expect, it } from 'vitest'
import { PLANTED_SECRET } from '../../../test/contracts/scenarios.ts'
import { anthropicWire } from '../../../test/fakes/anthropic.ts'
import { googleWire } from '../../../test/fakes/google.ts'
import { TOO_LONG, within } from '../../../test/fakes/limits/context.ts'
import { openaiWire } from '../../../test/fakes/openai.ts'
import { chatWire, ollamaWire } from '../../../test/fakes/openai-compatible.ts'
import { play, type VendorWire } from '../../../test/fakes/scripted-server.ts'
import type { ApiKind } from '../default-models.ts'
import { createSeat } from '../seat/seat.ts'
import { apiModel } from './api.ts'

const WIRES: readonly (readonly [keyof typeof TOO_LONG, ApiKind, VendorWire, string, string])[] = [
  ['anthropic', 'anthropic', anthropicWire, '/v1', 'claude-opus-5-5'],
  ['anthropic, with the answer', 'anthropic', anthropicWire, '/v1', 'claude-opus-5-5'],
  ['openai', 'openai', openaiWire, '/v1', 'gpt-6-sol'],
  ['openai, chat', 'openai-compatible', chatWire, '/v1', 'fake-1'],
  ['google', 'google', googleWire, '/v1beta', 'gemini-3.8-flash'],
  ['ollama', 'openai-compatible', ollamaWire, '/v1', 'fake-1'],
]

describe('a prompt that is longer than the model takes', () => {
  it.each(WIRES)(
    'VOX-5 %s: is a failure of its own kind, and not asked again',
    async (words, kind, wire, base, model) => {
      const server = await play(within(wire, words, 100), [
        { act: 'answer', text: 'It depends.', usage: { inputTokens: 11, outputTokens: 7 } },
      ])
      try {
        const baseUrl = `${server.url}${base}`
        const mind = apiModel({ kind, name: 'a', model, baseUrl, apiKey: async () => PLANTED_SECRET })
        const seat = createSeat({ provider: 'a', model, roles: ['participant'], minds: [mind] })
        const ask = (prompt: string) =>
          seat.ask({
            round: 'R1',
            system: '',
            parts: [{ name: 'question', text: prompt, quotes: null, template: null }],
            schema: null,
            limits: { maxOutputTokens: 50, maxReplyBytes: 10_000 },
            signal: AbortSignal.timeout(20_000),
          })
        expect((await ask('What is it? '.repeat(100))).failure).toMatchObject({
          error_type: 'parse_error',
          cause: 'context_too_long',
          retried: false,
          error_message: expect.stringContaining(TOO_LONG[words](0, 100).slice(0, 12)),
        })
        expect(server.requests).toHaveLength(1)
        expect((await ask('What is it?')).failure).toBeNull()
      } finally {
        await server.close()
      }
    },
  )
})
