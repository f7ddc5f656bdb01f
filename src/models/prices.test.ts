import { describe, expect, it } from 'vitest'
import { modelsAsOf, vendors } from './default-models.ts'
import { priceOf } from './prices.ts'

const usage = { inputTokens: 1_000_000, outputTokens: 100_000 }
const anthropic = { vendor: 'anthropic' } as const

describe('prices', () => {
  it('VOX-6 follow from tokens and the model, with cached tokens at their own rate', async () => {
    const full = await priceOf(anthropic, 'claude-haiku-4-5', usage)
    expect(full).toEqual({ usd: 1.5, from: 'prices' })
    const cached = await priceOf(anthropic, 'claude-haiku-4-5', usage, { read: 1_000_000, written: 0 })
    expect(cached?.usd).toBeCloseTo(0.6)
  })

  it('know a model by its dated name too', async () => {
    expect(await priceOf(anthropic, 'claude-haiku-4-5-20251001', usage)).toEqual({ usd: 1.5, from: 'prices' })
  })

  it.each([
    ['no model', anthropic, null, usage],
    ['a model nobody knows', anthropic, 'fake-1', usage],
    ['a newer model of a known name', anthropic, 'claude-haiku-4-5-turbo-9', usage],
    ['input unknown', anthropic, 'claude-haiku-4-5', { ...usage, inputTokens: null }],
    ['output unknown', anthropic, 'claude-haiku-4-5', { ...usage, outputTokens: null }],
    ['a known model at an unknown address', { baseUrl: 'http://127.0.0.1:11434/v1' }, 'gpt-5.4-mini', usage],
  ] as const)('VOX-6 are unknown for %s', async (_, seller, model, tokens) => {
    expect(await priceOf(seller, model, tokens)).toBeNull()
  })

  it('know OpenRouter by its address', async () => {
    const seller = { baseUrl: 'https://openrouter.ai/api/v1' }
    expect((await priceOf(seller, 'anthropic/claude-sonnet-4.5', usage))?.usd).toBeGreaterThan(1)
  })
})

describe('the default models', () => {
  it('have a date and a known price each', async () => {
    expect(modelsAsOf).toMatch(/^\d{4}-\d{2}-\d{2}$/)
    for (const vendor of ['anthropic', 'openai', 'google'] as const) {
      for (const model of vendors[vendor].models) {
        expect(await priceOf({ vendor }, model, usage), model).not.toBeNull()
      }
    }
  })
})
