#!/usr/bin/env node
// Replaces Gemini CLI: output, exit codes and the noise on stderr are recorded from version 0.61.0.
import { perform, say } from './stage.js'

const STATUS = {
  auth: 400,
  forbidden: 403,
  billing: 402,
  rate_limit: 429,
  model_not_found: 404,
  context_too_long: 400,
  server: 503,
}

const session_id = '459a757a-6b13-4930-b923-9f399941f9f9'
const pretty = (value) => JSON.stringify(value, null, 2)

function error(message, code) {
  process.stderr.write(
    'Error when talking to Gemini API Full report available at: /tmp/gemini-client-error.json Error\n' +
      `    at async main (gemini.js:17627:5) {\n  status: ${code}\n}\n`,
  )
  process.stderr.write(`${pretty({ session_id, error: { type: 'Error', message, code } })}\n`)
  process.exitCode = code % 256
}

function stats(usage) {
  const { inputTokens, outputTokens } = usage ?? { inputTokens: 0, outputTokens: 0 }
  const tokens = {
    input: inputTokens,
    prompt: inputTokens,
    candidates: Math.max(0, outputTokens - 2),
    total: inputTokens + outputTokens,
    cached: 0,
    thoughts: Math.min(2, outputTokens),
    tool: 0,
  }
  return { models: { 'fake-1': { api: { totalRequests: 1 }, tokens, roles: { main: { tokens } } } } }
}

process.stderr.write('Warning: 256-color support not detected.\nRipgrep is not available.\n')
const brokenOff = { type: 'INVALID_STREAM', message: 'Model stream ended without a finish reason.' }

perform('0.61.0\n', {
  begin: (text) => pretty({ session_id, response: text }).slice(0, -3),
  breakOff: (text) => pretty({ session_id, response: text, stats: stats(null), error: brokenOff }),
  reply: (text, usage) => say(pretty({ session_id, response: text, stats: stats(usage) })),
  fail(act) {
    switch (act.act) {
      case 'error': {
        const code = STATUS[act.kind]
        const details = act.kind === 'auth' ? [{ reason: 'API_KEY_INVALID' }] : []
        return error(JSON.stringify({ error: { code, message: act.message, details } }), code)
      }
      case 'reset':
        return error('terminated', 1)
      case 'cut_off':
        return say(
          pretty({ session_id, response: act.text, stats: stats({ inputTokens: 11, outputTokens: 1_000 }) }),
        )
      default:
        return error('exception TypeError: fetch failed sending request', 1)
    }
  },
})
