import { describe, expect, it } from 'vitest'
import { makerOf } from './maker.ts'

describe('the maker of a model', () => {
  it.each([
    ['anthropic/claude-sonnet-4.5', 'anthropic'],
    ['us.anthropic.claude-haiku-4-5-20251001-v1:0', 'anthropic'],
    ['openai/gpt-5.2', 'openai'],
    ['o3-mini', 'openai'],
    ['google/gemini-3-pro', 'google'],
    ['gemma3:27b', 'google'],
    ['llama3.3:70b', 'meta'],
    ['meta-llama/llama-4-scout', 'meta'],
    ['hf.co/Qwen/Qwen3-32B-GGUF', 'alibaba'],
    ['mistral-small:24b', 'mistral'],
    ['deepseek-r1:8b', 'deepseek'],
    ['our-own-model', null],
    ['olmo-2', null],
    ['', null],
  ])('VOX-13 of %s is %s', (model, maker) => expect(makerOf(model)).toBe(maker))
})
