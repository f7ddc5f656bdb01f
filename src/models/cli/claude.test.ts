// What Claude Code says, as recorded from version 2.1.197, and what it means.
import { describe, expect, it } from 'vitest'
import { describePlayed } from '../../../test/fakes/cli/played.ts'
import { claudeModel, readClaude } from './claude.ts'
import type { Ran } from './process.ts'

const ran = (result: object | string, code = 1, stderr = ''): Ran => ({
  stdout: typeof result === 'string' ? result : `${JSON.stringify({ type: 'result', ...result })}\n`,
  stderr,
  code,
  signal: null,
  tooLarge: false,
  unstarted: null,
})

const failing = (result: string, api_error_status: number | null) =>
  readClaude(ran({ subtype: 'success', is_error: true, api_error_status, num_turns: 1, result }))

describe('the output of Claude Code', () => {
  it.each([
    ['Not logged in · Please run /login', null, 'auth', null],
    ['Invalid API key · Fix external API key', 401, 'auth', null],
    ['Failed to authenticate. API Error: 403 Your API key does not have permission', 403, 'auth', null],
    ['Credit balance is too low', 400, 'auth', 'billing'],
    [
      'API Error: Request rejected (429) · This request would exceed your rate limit',
      429,
      'rate_limit',
      null,
    ],
    ["You've hit your limit · resets 3pm (UTC)", null, 'rate_limit', null],
    [
      "There's an issue with the selected model (x). It may not exist or you may not have access to it.",
      404,
      'auth',
      'model_not_found',
    ],
    ['Prompt is too long', 400, 'parse_error', 'context_too_long'],
    ['Request too large (max 32MB). Try with a smaller file.', 413, 'parse_error', 'context_too_long'],
    ['API Error: 500 Internal server error. This is a server-side issue', 500, 'network', 'server'],
    ['API Error: 529 Overloaded. This is a server-side issue', 529, 'network', 'server'],
    ['API Error: Unable to connect to API (ECONNRESET)', null, 'network', null],
  ])('%s', (words, status, type, cause) => {
    expect(failing(words, status)).toMatchObject({ fault: { type, cause } })
    expect(failing(words, status)).toHaveProperty('fault.message', expect.stringContaining(words))
  })

  it('does not trust the word success', () => {
    const told = { subtype: 'success', is_error: false, num_turns: 1, result: 'fine' }
    expect(readClaude(ran(told, 0))).toMatchObject({ text: 'fine' })
    expect(readClaude(ran(told, 1))).toMatchObject({ fault: { type: 'parse_error', message: 'fine' } })
  })

  it('does not treat text of the program as an answer of a model', () => {
    const told = { is_error: false, num_turns: 0, result: 'Total cost: $0.0000' }
    expect(readClaude(ran(told, 0))).toMatchObject({
      fault: {
        type: 'parse_error',
        message: 'claude answered without asking its model: Total cost: $0.0000',
      },
    })
  })

  it('VOX-15 reports an answer that was cut off, although the program does not show its text', () => {
    const result =
      "API Error: Claude's response exceeded the 1000 output token maximum. To configure this, set it."
    const told = { is_error: true, num_turns: 1, result, total_cost_usd: 0.5 }
    const cost = { usd: 0.5, from: 'vendor' }
    expect(readClaude(ran(told, 1))).toMatchObject({ text: '', finish_reason: 'length', cost })
  })

  it('reports the whole input, the cost as the vendor says it and the model that spoke most', () => {
    const usage = {
      input_tokens: 3,
      cache_creation_input_tokens: 5,
      cache_read_input_tokens: 7,
      output_tokens: 2,
    }
    const modelUsage = { small: { outputTokens: 1 }, big: { outputTokens: 9 } }
    const told = { is_error: false, num_turns: 1, result: 'fine', usage, modelUsage, total_cost_usd: 0.25 }
    expect(readClaude(ran(told, 0))).toEqual({
      text: 'fine',
      usage: { inputTokens: 15, outputTokens: 2 },
      cost: { usd: 0.25, from: 'vendor' },
      model: 'big',
    })
  })

  it.each([
    ['', 'error: unknown option --bare'],
    ['<html>', ''],
    ['[]', ''],
    ['{"type":"result"', ''],
  ])('keeps the words of what it cannot read: %j %j', (stdout, stderr) => {
    const reading = readClaude(ran(stdout, stderr === '' ? 0 : 1, stderr))
    expect(reading).toMatchObject({ fault: { type: 'parse_error', cause: null } })
    expect(reading).toHaveProperty('fault.message', expect.stringContaining(stderr || stdout))
  })
})

describe('VOX-12 Claude Code as a model', () =>
  describePlayed('claude', claudeModel, {
    'cut off': 'the program keeps to itself what was said until then',
  }))
