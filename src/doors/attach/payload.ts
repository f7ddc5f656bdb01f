// What each host passes to its hooks, in our terms. It is outside data: what does not have the expected shape
// is refused by name, and unknown members are ignored.

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

/** By the event names of each host. `other`: it is not about a call. */
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

/** Gemini states in text how a shell ended; Codex and Claude do not report a failure this way. */
function failureIn(host: HostName, response: Json | undefined): string | null {
  if (!isFields(response)) return null
  if (host !== 'gemini') return null
  const { error, llmContent } = response
  if (isFields(error)) return String(error.message ?? 'error')
  const [, code] = /\nExit Code: ([1-9]\d*)\n/.exec(typeof llmContent === 'string' ? llmContent : '') ?? []
  return code === undefined ? null : `exit code ${code}`
}

/** Null for an event that is not recorded. */
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
  if (event === 'start' || event === 'end') return { ...about, hostEvent: { kind: event } }
  const call = callIn(fields)
  if (event === 'before') return { ...about, hostEvent: { kind: 'before', call } }
  const durationMs = typeof fields.duration_ms === 'number' ? fields.duration_ms : null
  const output = fields.tool_response ?? fields.error ?? null
  const error = event === 'failed' ? String(fields.error ?? 'failed') : failureIn(host, fields.tool_response)
  return {
    ...about,
    hostEvent: { kind: 'after', outcome: { ...call, ok: error === null, output, error, durationMs } },
  }
}

/** What the environment of a hook says about the program that started it; `unknown` otherwise. */
export function versionIn(host: HostName, env: NodeJS.ProcessEnv): string {
  const [, version] = /^claude-code_(\d+-\d+-\d+)/.exec(env.AI_AGENT ?? '') ?? []
  return host === 'claude' && version !== undefined ? version.replaceAll('-', '.') : 'unknown'
}
