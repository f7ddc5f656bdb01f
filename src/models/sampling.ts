// The model of an MCP host as a seat: it is asked through the connection on which we serve that host, without
// a key of ours. Only a host that declares sampling is asked, and it may refuse. The host chooses the model;
// ours is a hint.

import { renderPrompt } from '../ledger/prompt.ts'
import { reasonOf } from '../mcp-client/connection.ts'
import { excerpt, Fault, meaningOf } from '../mcp-client/fault.ts'
import { type Deadline, startDeadline } from './deadline.ts'
import { shapeInWords } from './dialects/in-words.ts'
import { redact } from './hide-secrets.ts'
import { checkPaths, faultWhenEnded, type ReplyMapping, readReply } from './mcp/mapping.ts'
import { failed, type Model, type Outcome, type Reply, type Request } from './model.ts'

interface SamplingParams {
  systemPrompt?: string
  messages: { role: 'user'; content: { type: 'text'; text: string } }[]
  maxTokens: number
  modelPreferences?: { hints: { name: string }[] }
  [name: string]: unknown
}

type Block = { readonly type: string; readonly text?: unknown }

interface SamplingResult {
  readonly model: string
  readonly stopReason?: string | undefined
  readonly content: Block | readonly Block[]
  readonly _meta?: unknown
}

export interface SamplingModelOptions {
  readonly provider: string
  /** A hint to the host; null leaves the choice to it. */
  readonly model: string | null
  /** The server SDK's `createMessage`, or the one of a request's context. */
  readonly createMessage: (
    params: SamplingParams,
    options: { signal: AbortSignal; timeout: number; onprogress: () => void },
  ) => Promise<SamplingResult>
  /** Whether the host connected now declares sampling. */
  readonly declared: () => boolean
  /** The protocol requires a number; used when the request has none. */
  readonly maxTokens?: number
  /** Where a host that counts tokens says so, as paths from `meta`. */
  readonly usage?: Pick<ReplyMapping, 'inputTokens' | 'outputTokens' | 'cost'>
}

const MAX_TOKENS = 8_192
const NO_TIMEOUT = 2 ** 31 - 1
const UNDECLARED = 'the host does not declare sampling'
const NEXT = 'Use a host that offers sampling, or let its model answer through the step tools.'

/** The protocol's code for a user who refuses. */
const USER_REJECTED = -1
const METHOD_NOT_FOUND = -32601
const CANNOT: readonly unknown[] = [
  METHOD_NOT_FOUND,
  'CAPABILITY_NOT_SUPPORTED',
  'METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION',
]
const CLOSED: readonly unknown[] = ['CONNECTION_CLOSED', 'NOT_CONNECTED', 'SEND_FAILED']

function faultOf(error: unknown): Fault {
  if (error instanceof Fault) return error
  const words = excerpt(error instanceof Error ? error.message : String(error))
  const code: unknown = error instanceof Error && 'code' in error ? error.code : null
  if (code === USER_REJECTED) return new Fault('auth', 'unavailable', `the host refused: ${words}`)
  if (CANNOT.includes(code)) return new Fault('network', 'unavailable', words)
  if (CLOSED.includes(code) || words === 'Not connected') return new Fault('network', null, words)
  if (code === 'INVALID_RESULT') return new Fault('parse_error', null, words)
  const { type, cause, message, retryAfterMs } = meaningOf(
    words,
    { type: 'network', cause: 'server' },
    Date.now(),
  )
  return new Fault(type, cause, message, retryAfterMs)
}

function paramsOf(request: Request, model: string | null, maxTokens: number): SamplingParams {
  const shape = request.schema === null ? [] : [shapeInWords(request.schema)]
  const text = [renderPrompt(request.parts), ...shape].join('\n\n')
  return {
    ...(request.system === '' ? {} : { systemPrompt: request.system }),
    messages: [{ role: 'user', content: { type: 'text', text } }],
    maxTokens: request.limits.maxOutputTokens ?? maxTokens,
    ...(model === null ? {} : { modelPreferences: { hints: [{ name: model }] } }),
  }
}

/** Rejects as soon as the signal is aborted, even if a host never reacts to the cancel it was sent. */
async function unlessRaised<Result>(signal: AbortSignal, waited: Promise<Result>): Promise<Result> {
  let stop = () => {}
  const raised = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason)
  })
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([waited, raised])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

export function samplingModel(options: SamplingModelOptions): Model {
  const { provider, model, createMessage, declared, maxTokens = MAX_TOKENS, usage = {} } = options
  checkPaths(usage)
  const places = { ...usage, model: 'structured.model', stopReason: 'structured.stopReason' }

  async function converse(
    request: Request,
    { signal, noteActivity }: Deadline,
    start: number,
  ): Promise<Reply> {
    signal.throwIfAborted()
    if (!declared()) throw new Fault('network', 'unavailable', UNDECLARED)
    const params = paramsOf(request, model, maxTokens)
    const options = { signal, timeout: NO_TIMEOUT, onprogress: noteActivity }
    const result = await unlessRaised(signal, createMessage(params, options))
    const latencyMs = performance.now() - start
    const { content, _meta, stopReason } = result
    const blocks = Array.isArray(content) ? content : [content]
    const structuredContent = { model: result.model, stopReason }
    const read = { content: blocks, structuredContent, _meta }
    const reply = readReply(read, places, request.limits.maxReplyBytes, Date.now())
    return { ok: true, ...reply, latencyMs, transport: 'sampling' }
  }

  async function once(request: Request): Promise<Outcome> {
    const start = performance.now()
    const { timeoutMs } = request.limits
    const deadline = startDeadline(timeoutMs, request.signal, faultWhenEnded(timeoutMs))
    try {
      return await converse(request, deadline, start)
    } catch (error) {
      const { trouble } = reasonOf(deadline.signal) ?? faultOf(error)
      const message = redact(trouble.message)
      return failed({ ...trouble, message }, 'sampling', performance.now() - start)
    } finally {
      deadline.close(true)
    }
  }

  return {
    provider,
    model,
    transport: 'sampling',
    available: async () =>
      declared()
        ? { ready: true, detail: 'the host offers its own model', next: null }
        : { ready: false, detail: UNDECLARED, next: NEXT },
    ask: once,
  }
}
