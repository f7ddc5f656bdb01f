#!/usr/bin/env node
// Replaces Codex: events, exit codes and phrases are recorded from version 0.166.0.
import { perform, say } from './stage.js'

const STATUS = {
  auth: '401 Unauthorized',
  forbidden: '403 Forbidden',
  billing: '402 Payment Required',
  rate_limit: '429 Too Many Requests',
  model_not_found: null,
  context_too_long: null,
  server: '503 Service Unavailable',
}

const line = (event) => `${JSON.stringify(event)}\n`
const opening = [
  { type: 'thread.started', thread_id: '01a1e0f2-d4bd-7d11-b513-34bbd052fb78' },
  {
    type: 'item.completed',
    item: { id: 'item_0', type: 'error', message: 'Model metadata for `fake-1` not found.' },
  },
  { type: 'turn.started' },
]
const message = (text) => ({ type: 'item.completed', item: { id: 'item_1', type: 'agent_message', text } })

function error(words) {
  say(
    [...opening, { type: 'error', message: words }, { type: 'turn.failed', error: { message: words } }]
      .map(line)
      .join(''),
  )
  process.exitCode = 1
}

function counted(usage) {
  if (usage === null) return {}
  const { inputTokens, outputTokens } = usage
  const none = { cached_input_tokens: 0, cache_write_input_tokens: 0, reasoning_output_tokens: 0 }
  return { usage: { ...none, input_tokens: inputTokens, output_tokens: outputTokens } }
}

process.stderr.write('WARNING: proceeding, even though we could not create PATH aliases\n')
perform('codex-cli 0.166.0\n', {
  catalog: JSON.stringify({
    models: [{ slug: 'fake-1', tool_mode: 'code_mode_only', shell_type: 'unified_exec' }],
  }),
  begin: (text) => opening.map(line).join('') + line(message(text)).slice(0, -4),
  reply: (text, usage) =>
    say([...opening, message(text), { type: 'turn.completed', ...counted(usage) }].map(line).join('')),
  fail(act) {
    switch (act.act) {
      case 'error': {
        const status = STATUS[act.kind]
        const url = 'url: http://127.0.0.1:9/v1/responses'
        return error(status === null ? act.message : `unexpected status ${status}: ${act.message}, ${url}`)
      }
      case 'cut_off':
        return error(
          'stream disconnected before completion: Incomplete response returned, reason: max_output_tokens',
        )
      default:
        return error('stream disconnected before completion: error sending request')
    }
  },
})
