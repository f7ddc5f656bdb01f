// A trace as OpenTelemetry spans, by the conventions for generative AI: a workflow, the agents in it, and
// their chats and tool calls. Spans are a function of the recorded events, and so are their ids: the trace id
// is the bytes of the ULID, so the same trace always gives the same spans. Content is left out unless
// requested.

import type { Sha256 } from '../../ledger/bytes.ts'
import { toHex, utf8 } from '../../ledger/bytes.ts'
import { CALL_INDETERMINATE, CALL_LOST, CALL_STARTED } from '../../ledger/calls.ts'
import { canonicalize } from '../../ledger/canonical.ts'
import { momentMs } from '../../ledger/clock.ts'
import type { Payload } from '../../ledger/event.ts'
import type { Occurrence } from '../../protocol.ts'

export type Attribute = string | number | boolean

/** An event within a span: an attempt that failed. */
interface SpanEvent {
  readonly name: string
  readonly at: number
  readonly attributes: Readonly<Record<string, Attribute>>
}

export interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentId: string | null
  readonly name: string
  /** `client`: it calls out of this machine. */
  readonly kind: 'internal' | 'client'
  /** Milliseconds since 1970. */
  readonly start: number
  readonly end: number
  readonly attributes: Readonly<Record<string, Attribute>>
  readonly events: readonly SpanEvent[]
  /** The kind of error, or null. */
  readonly error: string | null
}

export interface SpanOptions {
  readonly sha256: Sha256
  /** With content, as far as payloads contain it. */
  readonly content?: boolean
}

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** An attribute must not be megabytes long. */
const MOST_CONTENT = 16_384

/** The 128 bits of a ULID, in hex. */
export function traceIdOf(ulid: string): string {
  let value = 0n
  for (const character of ulid) value = value * 32n + BigInt(Math.max(0, ALPHABET.indexOf(character)))
  return (value & ((1n << 128n) - 1n)).toString(16).padStart(32, '0')
}

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
const number = (value: unknown): number | null => (typeof value === 'number' ? value : null)

/** Only the known ones. */
const known = (all: Readonly<Record<string, Attribute | null>>): Record<string, Attribute> =>
  Object.fromEntries(Object.entries(all).filter((entry): entry is [string, Attribute] => entry[1] !== null))

interface Call {
  readonly key: string
  readonly tool: boolean
  readonly start: number
  readonly outcome: Occurrence | null
}

/** The calls: each `call_started` with the event that closes it, and askings without one. */
function callsIn(events: readonly Occurrence[]): readonly Call[] {
  const calls: Call[] = []
  const open = new Map<string, Occurrence>()
  const isAsking = (payload: Payload): boolean => 'latency_ms' in payload && 'cost' in payload
  for (const event of events) {
    const { payload, type } = event
    const action = text(payload?.action)
    if (!payload || action === null) continue
    const started = open.get(action)
    if (type === CALL_STARTED) open.set(action, event)
    else if (started) {
      open.delete(action)
      const tool = started.payload?.call === 'tool'
      calls.push({ key: action, tool, start: momentMs(started.at), outcome: event })
    } else if (isAsking(payload)) {
      const start = momentMs(event.at) - (number(payload.latency_ms) ?? 0)
      calls.push({ key: action, tool: false, start, outcome: event })
    }
  }
  for (const [action, { payload, at }] of open)
    calls.push({ key: action, tool: payload?.call === 'tool', start: momentMs(at), outcome: null })
  return calls
}

function errorOf({ outcome }: Call): string | null {
  if (!outcome) return null
  if (outcome.type === CALL_LOST) return 'lost'
  if (outcome.type === CALL_INDETERMINATE) return 'indeterminate'
  const failure = outcome.payload?.failure as { readonly error_type?: unknown } | undefined
  return text(outcome.payload?.error_type) ?? text(failure?.error_type)
}

interface Attempt {
  readonly transport?: unknown
  readonly error_type?: unknown
  readonly latency_ms?: unknown
  readonly waited_ms?: unknown
}

/** Earlier failed attempts, each at its end. */
function attemptsOf({ outcome, start }: Call): readonly SpanEvent[] {
  const attempts = outcome?.payload?.attempts
  if (!Array.isArray(attempts)) return []
  let at = start
  return (attempts as readonly Attempt[]).flatMap((attempt) => {
    at += (number(attempt?.waited_ms) ?? 0) + (number(attempt?.latency_ms) ?? 0)
    const error = text(attempt?.error_type)
    const attributes = known({ 'error.type': error, 'witan.transport': text(attempt?.transport) })
    return error === null ? [] : [{ name: 'witan.attempt_failed', at, attributes }]
  })
}

/** Tools by their intents: an execution names only the intent. */
function toolsIn(events: readonly Occurrence[]): ReadonlyMap<string, string> {
  const tools = new Map<string, string>()
  for (const { payload } of events) {
    const [intent, tool] = [text(payload?.intent), text(payload?.tool)]
    if (intent !== null && tool !== null) tools.set(intent, tool)
  }
  return tools
}

function contentOf(outcome: Occurrence | null, content: boolean): Record<string, Attribute> {
  if (!content || !outcome?.payload) return {}
  const { artifacts: _, ...payload } = outcome.payload
  return { 'witan.payload': canonicalize(payload).slice(0, MOST_CONTENT).toWellFormed() }
}

const agentOf = ({ outcome, tool }: Call): string => {
  const own = tool ? null : (text(outcome?.payload?.seat) ?? text(outcome?.payload?.mind))
  return own ?? outcome?.actor.agent ?? 'unknown'
}

/** The spans of a trace, the workflow first. Empty when nothing is recorded. */
export function otelSpans(
  protocol: string,
  events: readonly Occurrence[],
  { sha256, content = false }: SpanOptions,
): readonly Span[] {
  const [first, last] = [events[0], events.at(-1)]
  if (!first || !last) return []
  const { trace } = first
  const traceId = traceIdOf(trace)
  const spanId = (...names: readonly string[]): string =>
    toHex(sha256(utf8([trace, ...names].join('\n'))).subarray(0, 8))
  const name = protocol.split('/')[0] ?? protocol
  const [start, end] = [momentMs(first.at), momentMs(last.at)]
  const tools = toolsIn(events)
  const root = spanId('workflow')
  const byAgent = new Map<string, Span[]>()
  let total: number | null = null
  for (const call of callsIn(events)) {
    const payload = call.outcome?.payload ?? null
    const agent = agentOf(call)
    const error = errorOf(call)
    const model = text(payload?.model)
    const tool = tools.get(text(payload?.intent) ?? '') ?? text(payload?.tool)
    const cost = payload?.cost as { readonly usd?: unknown; readonly from?: unknown } | null | undefined
    const usd = cost?.from === 'imported' ? null : number(cost?.usd)
    if (usd !== null) total = (total ?? 0) + usd
    const asked = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': model,
      'gen_ai.usage.input_tokens': number(payload?.input_tokens),
      'gen_ai.usage.output_tokens': number(payload?.output_tokens),
      'witan.transport': text(payload?.transport),
      'witan.cost_usd': usd,
      'witan.attempts': Array.isArray(payload?.attempts) ? payload.attempts.length : null,
    }
    const ran = {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool,
      'gen_ai.tool.call.id': call.key,
    }
    const span: Span = {
      traceId,
      spanId: spanId('call', call.key),
      parentId: spanId('agent', agent),
      name: call.tool ? `execute_tool ${tool ?? 'unknown'}` : `chat ${model ?? 'unknown'}`,
      kind: call.tool ? 'internal' : 'client',
      start: call.start,
      end: Math.max(call.start, call.outcome ? momentMs(call.outcome.at) : end),
      attributes: {
        ...known({
          ...(call.tool ? ran : asked),
          'gen_ai.agent.name': agent,
          'gen_ai.conversation.id': trace,
          'error.type': error,
          'witan.event': call.outcome ? `${trace}/${call.outcome.seq}` : null,
          'witan.open': call.outcome ? null : true,
        }),
        ...contentOf(call.outcome, content),
      },
      events: attemptsOf(call),
      error,
    }
    byAgent.set(agent, [...(byAgent.get(agent) ?? []), span])
  }
  const agents = [...byAgent].map(
    ([agent, spans]): Span => ({
      traceId,
      spanId: spanId('agent', agent),
      parentId: root,
      name: `invoke_agent ${agent}`,
      kind: 'internal',
      start: Math.min(...spans.map((span) => span.start)),
      end: Math.max(...spans.map((span) => span.end)),
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.name': agent,
        'gen_ai.conversation.id': trace,
      },
      events: [],
      error: null,
    }),
  )
  const workflow: Span = {
    traceId,
    spanId: root,
    parentId: null,
    name: `invoke_workflow ${name}`,
    kind: 'internal',
    start,
    end,
    attributes: known({
      'gen_ai.operation.name': 'invoke_workflow',
      'gen_ai.workflow.name': name,
      'gen_ai.conversation.id': trace,
      'witan.trace': trace,
      'witan.protocol': protocol,
      'witan.events': events.length,
      'witan.head': last.hash,
      'witan.cost_usd': total,
    }),
    events: [],
    error: null,
  }
  return [workflow, ...agents, ...[...byAgent.values()].flat()]
}
