// What a tool gets is what was to be said, no less; and what it answers is read only where the mapping says.
import { describe, expect, it } from 'vitest'
import { SHAPE } from '../../../test/contracts/scenarios.ts'
import type { Request } from '../model.ts'
import {
  type Arguments,
  checkMapping,
  readReply,
  type ToolResult,
  toolArguments,
  unfilled,
  untunableTool,
} from './mapping.ts'

const request = (rest: Partial<Request> = {}): Request => ({
  system: 'Be brief.',
  parts: ['One.', 'Two with {system}.'].map((text) => ({ name: 'part', text, quotes: null, template: null })),
  schema: null,
  limits: { timeoutMs: 1, maxOutputTokens: 64, maxReplyBytes: 1 },
  signal: new AbortController().signal,
  ...rest,
})
const given = (mapping: Arguments, rest: Partial<Request> = {}, model: string | null = 'm-1') =>
  toolArguments(mapping, request(rest), model)

describe('the arguments of a tool', () => {
  it('get each what its placeholder names, of its own type', () => {
    const mapping = {
      messages: [
        { role: 'system', content: '{system}' },
        { role: 'user', content: '{prompt}' },
      ],
      model: '{model}',
      format: '{schema}',
      limit: '{max_output_tokens}',
      temperature: 0,
    }
    expect(given(mapping, { schema: SHAPE })).toEqual({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'One.\n\nTwo with {system}.' },
      ],
      model: 'm-1',
      format: SHAPE,
      limit: 64,
      temperature: 0,
    })
  })

  it('VOX-1 get the temperature and the thinking of a seat, or the tool cannot be asked so', () => {
    const mapping = { prompt: '{prompt}', temperature: '{temperature}', effort: '{thinking}' }
    const tuning = { temperature: 0.2, thinking: 'high' } as const
    expect(toolArguments(mapping, request(), null, tuning)).toMatchObject({
      temperature: 0.2,
      effort: 'high',
    })
    expect(Object.keys(given(mapping))).toEqual(['prompt'])
    expect(untunableTool(mapping, tuning)).toBeNull()
    expect(untunableTool({ prompt: '{prompt}' }, { thinking: 'low' })).toBe(
      'no argument of the tool gets {thinking}',
    )
  })

  it('put several into one text', () => {
    const mapping = { text: '{system} | {prompt} | {model} | {max_output_tokens}' }
    expect(given(mapping)).toEqual({ text: 'Be brief. | One.\n\nTwo with {system}. | m-1 | 64' })
    const shaped = given({ p: '{prompt}', s: '{schema_json}', t: 'as {schema}' }, { schema: SHAPE })
    expect(shaped).toMatchObject({ s: JSON.stringify(SHAPE), t: `as ${JSON.stringify(SHAPE)}` })
  })

  it('leave out empty values', () => {
    const mapping = { prompt: '{prompt}', model: '{model}', format: '{schema}', system: '{system}' }
    expect(Object.keys(given(mapping, { system: '' }, null))).toEqual(['prompt'])
  })

  it('keep system text and schema if no argument asks for them', () => {
    const { q } = given({ q: '{prompt}' }, { schema: SHAPE })
    expect(q).toMatch(/^Be brief\.\n\nOne\./)
    expect(q).toContain(JSON.stringify(SHAPE))
  })

  it.each([
    [{ q: 'always the same' }, {}, 'no argument of the tool gets the prompt'],
    [{ q: '{prompt} {promt}' }, {}, '{promt} is nothing'],
    [{ q: '{prompt}' }, { text: 'answer.text' }, "the reply's text cannot be at answer.text"],
  ])('are refused if they cannot work: %j %j', (mapping, reply, words) => {
    expect(() => checkMapping(mapping, reply)).toThrow(words)
  })

  it('are compared with the arguments that the tool requires', () => {
    const schema = { type: 'object', required: ['a', 'toString', 'b'] }
    expect(unfilled(schema, { a: 1 })).toEqual(['toString', 'b'])
    expect(unfilled(null, {})).toEqual([])
  })
})

describe('the reply of a tool', () => {
  const text = (...texts: string[]) => texts.map((one) => ({ type: 'text', text: one }))
  const read = (result: ToolResult, mapping = {}, maxBytes = 1_000) => readReply(result, mapping, maxBytes, 0)

  it('is all its text, unless said otherwise', () => {
    const content = [...text('One.'), { type: 'image' }, ...text('Two.')]
    expect(read({ content })).toEqual({
      text: 'One.\nTwo.',
      usage: { inputTokens: null, outputTokens: null },
      cost: null,
      model: null,
    })
  })

  it('is read from structure, from JSON in text, and from what stands beside', () => {
    const result = {
      content: text('{"choices":[{"text":"Adopt."}],"model":"m-2"}'),
      structuredContent: { answer: { verdict: 'adopt' } },
      _meta: { usage: { in: 3, out: 4 }, usd: 0.25 },
    }
    const mapping = { model: 'json.model', inputTokens: 'meta.usage.in', outputTokens: 'meta.usage.out' }
    expect(read(result, { ...mapping, text: 'json.choices.0.text', cost: 'meta.usd' })).toEqual({
      text: 'Adopt.',
      usage: { inputTokens: 3, outputTokens: 4 },
      cost: { usd: 0.25, from: 'vendor' },
      model: 'm-2',
    })
    expect(read(result, { text: 'structured.answer' }).text).toBe('{"verdict":"adopt"}')
  })

  it('counts only numbers, and reads only own properties of the result', () => {
    const result = { content: text('x'), _meta: { a: '12', b: -1, c: 1.5 } }
    const mapping = {
      inputTokens: 'meta.a',
      outputTokens: 'meta.c',
      cost: 'meta.b',
      model: 'meta.constructor',
    }
    expect(read(result, mapping)).toMatchObject({
      usage: { inputTokens: null, outputTokens: null },
      cost: null,
    })
    expect(() => read(result, { text: 'meta.constructor.name' })).toThrow(
      'no answer at meta.constructor.name',
    )
  })

  it('without an answer at its place quotes what was there instead', () => {
    expect(() => read({ content: text('sorry') }, { text: 'structured.answer' })).toThrow('it says: sorry')
    expect(read({})).toMatchObject({ text: '' })
    expect(() => read({}, { text: 'structured.answer' })).toThrow('it says: nothing')
  })

  it('that is too long is refused', () => {
    expect(() => read({ content: text('€'.repeat(400)) })).toThrow('longer than 1000 bytes')
  })

  it.each([
    ['HTTP 402: Your credit balance is too low; rate limit 0', 'auth', 'billing'],
    ['Error 429: rate limited', 'rate_limit', null],
    ['prompt is too long: 300000 tokens', 'parse_error', 'context_too_long'],
    ['The model `x-9` does not exist', 'auth', 'model_not_found'],
    ['Incorrect API key provided', 'auth', null],
    ['Blocked by content policy', 'parse_error', 'refused'],
    ['Overloaded', 'network', 'server'],
    ['the cat sat on the keyboard', 'network', 'server'],
    ['', 'network', 'server'],
  ])('that is an error is one, by its words: %s', (words, type, cause) => {
    const thrown = expect.objectContaining({ trouble: expect.objectContaining({ type, cause }) })
    expect(() => read({ content: text(words), isError: true })).toThrow(thrown)
  })

  it.each([
    ['429, try again in 12s', 12_000],
    ['rate limit; retry-after: 1500ms', 1_500],
    ['rate limit\nRetry-After: Thu, 01 Jan 1970 00:00:05 GMT', 5_000],
    ['rate limit, later', null],
  ])('that is an error says how long to wait: %s', (words, retryAfterMs) => {
    const thrown = expect.objectContaining({ trouble: expect.objectContaining({ retryAfterMs }) })
    expect(() => read({ content: text(words), isError: true })).toThrow(thrown)
  })
})
