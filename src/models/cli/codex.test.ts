// What Codex says, as recorded from version 0.166.0, and what it means.
import { describe, expect, it } from 'vitest'
import { describePlayed } from '../../../test/fakes/cli/played.ts'
import { codexModel, readCodex, withoutTools } from './codex.ts'
import type { Ran } from './process.ts'

const ran = (events: readonly object[], code = 1, stderr = ''): Ran => ({
  stdout: events.map((event) => `${JSON.stringify(event)}\n`).join(''),
  stderr,
  code,
  signal: null,
  tooLarge: false,
  unstarted: null,
})

const asked = { model: null, key: null }
const message = (text: string) => ({ type: 'item.completed', item: { type: 'agent_message', text } })
const done = { type: 'turn.completed', usage: { input_tokens: 11, cached_input_tokens: 4, output_tokens: 5 } }
const failing = (words: string) =>
  readCodex(ran([{ type: 'turn.started' }, { type: 'turn.failed', error: { message: words } }]), asked)

describe('the output of Codex', () => {
  const url = 'url: http://127.0.0.1:9/v1/responses'
  it.each([
    [`unexpected status 401 Unauthorized: Incorrect API key provided, ${url}`, 'auth', null],
    [`unexpected status 403 Forbidden: not allowed, ${url}`, 'auth', null],
    ['Quota exceeded. Check your plan and billing details.', 'auth', 'billing'],
    ['exceeded retry limit, last status: 429 Too Many Requests', 'rate_limit', null],
    ["You've hit your usage limit. Upgrade to Pro or try again at 3:05 PM.", 'rate_limit', null],
    ['The model `gpt-5` does not exist or you do not have access to it.', 'auth', 'model_not_found'],
    [
      '{"error":{"message":"Your input exceeds the context window of this model.","code":"context_length_exceeded"}}',
      'parse_error',
      'context_too_long',
    ],
    [
      "Codex ran out of room in the model's context window. Start a new thread or clear earlier history before retrying.",
      'parse_error',
      'context_too_long',
    ],
    ['We’re currently experiencing high demand, which may cause temporary errors.', 'network', 'server'],
    [`unexpected status 503 Service Unavailable: Overloaded, ${url}`, 'network', 'server'],
    [
      'Error: turn/start: turn/start failed: Input exceeds the maximum length of 1048576 characters.',
      'parse_error',
      'context_too_long',
    ],
    ['stream disconnected before completion: error sending request', 'network', null],
    ['stream disconnected before completion: stream closed before response.completed', 'network', null],
  ])('%s', async (words, type, cause) => {
    expect(await failing(words)).toMatchObject({ fault: { type, cause } })
  })

  it('VOX-15 reports an answer that was cut off, although the program does not show its text', async () => {
    const words =
      'stream disconnected before completion: Incomplete response returned, reason: max_output_tokens'
    expect(await failing(words)).toMatchObject({ text: '', finish_reason: 'length' })
  })

  it('treats a warning as a warning, and the last message as the answer', async () => {
    const warning = { type: 'item.completed', item: { type: 'error', message: 'Model metadata not found.' } }
    const told = await readCodex(ran([warning, message('thinking'), message('fine'), done], 0), asked)
    expect(told).toEqual({
      text: 'fine',
      usage: { inputTokens: 11, outputTokens: 5 },
      cost: null,
      model: null,
    })
  })

  it('VOX-6 prices a call that a key pays, and says unknown of a subscription', async () => {
    const events = [message('fine'), done]
    const paid = await readCodex(ran(events, 0), { model: 'gpt-5', key: 'k' })
    expect(paid).toMatchObject({ cost: { from: 'prices' } })
    expect(await readCodex(ran(events, 0), { model: 'gpt-5', key: null })).toMatchObject({ cost: null })
  })

  it.each([
    ['no turn', [message('fine')], 0],
    ['no message', [done], 0],
    ['nothing', [], 0],
  ])('finds no answer in %s', async (_, events, code) => {
    expect(await readCodex(ran(events, code, 'warned'), asked)).toMatchObject({
      fault: { type: 'parse_error', message: expect.stringContaining('warned') },
    })
  })

  it('keeps the words of an error that only stderr has', async () => {
    expect(await readCodex(ran([], 2, "error: unexpected argument '--x' found"), asked)).toMatchObject({
      fault: {
        type: 'parse_error',
        message: "codex ended with code 2: error: unexpected argument '--x' found",
      },
    })
  })
})

describe('the catalog of models', () => {
  it('VOX-12 loses every tool, and keeps the rest of a model', () => {
    const model = { slug: 'm', context_window: 9, tool_mode: 'code_mode_only', multi_agent_version: 'v2' }
    const kept = JSON.parse(withoutTools(JSON.stringify({ models: [model] })) ?? '')
    expect(kept.models).toMatchObject([
      { slug: 'm', context_window: 9, tool_mode: null, multi_agent_version: null, shell_type: 'disabled' },
    ])
  })

  it.each(['', 'error: unrecognized subcommand', '[]', '{"models":[]}'])('is not read from %j', (text) => {
    expect(withoutTools(text)).toBeNull()
  })
})

describe('VOX-12 Codex as a model', () =>
  describePlayed('codex', codexModel, {
    refusal: 'the program shows a refusal as a turn without a message',
    'cut off': 'the program keeps to itself what was said until then',
  }))
