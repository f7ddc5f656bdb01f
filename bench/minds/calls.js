// The seven calls of a council of three (three opinions, three reviews, one report) through our minds, against the
// AI SDK with nothing around it. What counts is processor time: the server is another process and answers at once.
import { apiModel } from '../../dist/models/index.js'
import { answer, inTurns } from '../measure.js'
import { withInstantServer } from './server.js'

const COUNCILS = 6
const SCHEMA = {
  type: 'object',
  properties: {
    verdict: { type: 'string', enum: ['adopt', 'reject', 'need-info'] },
    confidence: { type: 'number', minimum: 0, maximum: 1 },
    reasons: { type: 'array', items: { type: 'string' } },
  },
  required: ['verdict', 'confidence', 'reasons'],
  additionalProperties: false,
}
const SYSTEM = 'You sit on a council. Be brief.'
const PROMPT = 'Shall we adopt the proposal that follows?\n'.padEnd(20_000, 'It is a long proposal. ')

/** Three at once, three at once, then one. */
async function council(ask) {
  for (const seats of [3, 3, 1]) await Promise.all(Array.from({ length: seats }, ask))
}

/** measure.js divides operations by seconds; scaled like this, the seconds are those of the processor. */
const byProcessor = (ask) => ({
  run: async () => {
    const cpu = process.cpuUsage()
    const start = performance.now()
    for (let i = 0; i < COUNCILS; i++) await council(ask)
    const wall = performance.now() - start
    const { user, system } = process.cpuUsage(cpu)
    return (COUNCILS * wall * 1_000) / (user + system)
  },
})

function ours(baseUrl) {
  const mind = apiModel({
    kind: 'openai-compatible',
    name: 'local',
    model: 'fake-1',
    baseUrl,
    apiKey: async () => null,
  })
  const request = {
    system: SYSTEM,
    parts: [{ name: 'question', text: PROMPT, quotes: null, template: null }],
    schema: SCHEMA,
    limits: { timeoutMs: 60_000, maxOutputTokens: null, maxReplyBytes: 1 << 20 },
    signal: new AbortController().signal,
  }
  return async () => {
    const outcome = await mind.ask(request)
    if (!outcome.ok) throw new Error(outcome.message)
    JSON.parse(outcome.text)
  }
}

async function bare(baseURL) {
  const { generateText, jsonSchema, Output, streamText } = await import('ai')
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  const { z } = await import('zod')
  const settings = { name: 'local', baseURL, includeUsage: true, supportsStructuredOutputs: true }
  const model = createOpenAICompatible(settings)('fake-1')
  const validator = z.fromJSONSchema(SCHEMA)
  const validate = (value) => {
    const { success, error } = validator.safeParse(value)
    return success ? { success, value } : { success, error }
  }
  const schema = jsonSchema(SCHEMA, { validate })
  const call = () => ({
    model,
    system: SYSTEM,
    prompt: PROMPT,
    output: Output.object({ schema }),
    maxRetries: 0,
    abortSignal: AbortSignal.timeout(60_000),
  })
  return {
    streamed: async () => {
      const { output } = await streamText(call())
      if ((await output) === undefined) throw new Error('no object')
    },
    whole: async () => {
      const { output } = await generateText(call())
      if (output === undefined) throw new Error('no object')
    },
  }
}

export const callRows = () =>
  withInstantServer(async (url) => {
    const { streamed, whole } = await bare(url)
    const rates = await inTurns({
      ours: byProcessor(ours(url)),
      streamed: byProcessor(streamed),
      whole: byProcessor(whole),
    })
    const row = (question, floor) =>
      answer({ question, ours: 'ours', floor, rates, atMost: 1.3, unit: ' councils/s of CPU' })
    // A reply in one piece is less work for the one who reads it, but cannot be stopped half-way: a comparison, no floor.
    const apart = row('the same, against the AI SDK not streaming', 'whole')
    return [
      row('seven calls against the AI SDK, streaming, processor time', 'streamed'),
      { ...apart, wanted: 'no floor', met: '' },
    ]
  })
