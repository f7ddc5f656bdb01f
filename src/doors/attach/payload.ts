// What each host hands to its hooks, in our words. It is data from outside: what does not have the shape that is expected is
// refused by name, and members that are not known here are left alone.

import { type HostName, shortName } from '../../app/attach/attachments.ts'
import type { HookRequest } from '../../app/attach/hook.ts'
import type { Json } from '../../ledger/canonical.ts'
import { WitanError } from '../../ledger/errors.ts'

type Fields = { readonly [name: string]: Json }

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function unreadable(what: string): never {
  throw new WitanError(
    'USAGE',
    `the host sent ${what}`,
    'Report this with the version of the host: its hooks have changed.',
  )
}

function wordIn(fields: Fields, name: string): string {
  const value = fields[name]
  return typeof value === 'string' && value !== '' ? value : unreadable(`no ${name}`)
}

const optionalText = (fields: Fields, name: string): string | null => {
  const value = fields[name]
  return typeof value === 'string' && value !== '' ? value : null
}

/** By what each host calls its events. `other`: it is not about a call. */
const EVENTS: Readonly<Record<string, 'start' | 'before' | 'after' | 'failed' | 'end'>> = {
  SessionStart: 'start',
  PreToolUse: 'before',
  BeforeTool: 'before',
  PostToolUse: 'after',
  AfterTool: 'after',
  PostToolUseFailure: 'failed',
  SessionEnd: 'end',
}

const requiredName = (fields: Fields, name: string): string =>
  shortName(fields[name]) ?? unreadable(`no ${name}`)

function callIn(fields: Fields) {
  return {
    tool: requiredName(fields, 'tool_name'),
    input: fields.tool_input ?? {},
    call: shortName(fields.tool_use_id),
    agent: optionalText(fields, 'agent_id'),
  }
}

/** Gemini says of a shell in words how it ended; Codex and Claude do not tell of a failure this way. */
function failureIn(host: HostName, response: Json | undefined): string | null {
  if (!isFields(response)) return null
  if (host !== 'gemini') return null
  const { error, llmContent } = response
  if (isFields(error)) return String(error.message ?? 'error')
  const [, code] = /\nExit Code: ([1-9]\d*)\n/.exec(typeof llmContent === 'string' ? llmContent : '') ?? []
  return code === undefined ? null : `exit code ${code}`
}

/** Null for an event that nothing is recorded of. */
export function readPayload(host: HostName, text: string, version: string): HookRequest | null {
  let fields: unknown
  try {
    fields = JSON.parse(text)
  } catch {
    unreadable('what is no JSON')
  }
  if (!isFields(fields)) return unreadable('no JSON object')
  const event = EVENTS[wordIn(fields, 'hook_event_name')]
  if (event === undefined) return null
  const about = {
    session: requiredName(fields, 'session_id'),
    version,
    cwd: wordIn(fields, 'cwd'),
    transcript: optionalText(fields, 'transcript_path'),
  }
  if (event === 'start' || event === 'end') return { ...about, said: { kind: event } }
  const call = callIn(fields)
  if (event === 'before') return { ...about, said: { kind: 'before', call } }
  const durationMs = typeof fields.duration_ms === 'number' ? fields.duration_ms : null
  const output = fields.tool_response ?? fields.error ?? null
  const error = event === 'failed' ? String(fields.error ?? 'failed') : failureIn(host, fields.tool_response)
  return {
    ...about,
    said: { kind: 'after', outcome: { ...call, ok: error === null, output, error, durationMs } },
  }
}

/** What the environment of a hook tells of the program that started it; `unknown` where nothing does. */
export function versionIn(host: HostName, env: NodeJS.ProcessEnv): string {
  const [, version] = /^claude-code_(\d+-\d+-\d+)/.exec(env.AI_AGENT ?? '') ?? []
  return host === 'claude' && version !== undefined ? version.replaceAll('-', '.') : 'unknown'
}
