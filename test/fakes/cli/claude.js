#!/usr/bin/env node
// Replaces Claude Code: the envelope, exit codes and phrases are recorded from version 2.1.197.
import { perform, say } from './stage.js'

const STATUS = {
  auth: 401,
  forbidden: 403,
  billing: 400,
  rate_limit: 429,
  model_not_found: 404,
  context_too_long: 400,
  server: 529,
}

const envelope = (more) => ({
  type: 'result',
  subtype: 'success',
  is_error: false,
  api_error_status: null,
  duration_ms: 63,
  duration_api_ms: 27,
  num_turns: 1,
  stop_reason: 'end_turn',
  session_id: '4e34582b-43da-4c09-8809-5707e1c89db6',
  permission_denials: [],
  terminal_reason: 'completed',
  ...more,
})

function counted(usage) {
  if (usage === null) return {}
  const { inputTokens, outputTokens } = usage
  return {
    // What was read from the cache is input too.
    usage: {
      input_tokens: inputTokens - 2,
      cache_creation_input_tokens: 1,
      cache_read_input_tokens: 1,
      output_tokens: outputTokens,
    },
    modelUsage: {
      'fake-small': { inputTokens: 1, outputTokens: 0 },
      'fake-1': { inputTokens, outputTokens, costUSD: 0.0001 },
    },
    total_cost_usd: 0.000108,
  }
}

function error(result, more = {}) {
  say(`${JSON.stringify(envelope({ is_error: true, stop_reason: 'stop_sequence', result, ...more }))}\n`)
  process.exitCode = 1
}

perform('2.1.197 (Claude Code)\n', {
  begin: (text) => JSON.stringify(envelope({ result: text })).slice(0, -2),
  reply: (text, usage) => say(`${JSON.stringify(envelope({ result: text, ...counted(usage) }))}\n`),
  fail(act) {
    switch (act.act) {
      case 'error': {
        const status = STATUS[act.kind]
        return error(`API Error: ${status} ${act.message}`, { api_error_status: status })
      }
      case 'refusal':
        return error(
          'API Error: Claude Code is unable to respond to this request, which appears to violate our Usage Policy ' +
            '(https://www.anthropic.com/legal/aup). Try rephrasing the request in a new session or change your model.',
          { stop_reason: 'refusal' },
        )
      case 'cut_off':
        return error(
          "API Error: Claude's response exceeded the 1000 output token maximum. To configure this behavior, set " +
            'the CLAUDE_CODE_MAX_OUTPUT_TOKENS environment variable.',
        )
      case 'reset':
        return error('API Error: Unable to connect to API (ECONNRESET)')
      default:
        return error('API Error: Unable to connect to API (ConnectionRefused)')
    }
  },
})
