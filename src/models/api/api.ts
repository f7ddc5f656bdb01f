// A mind behind an HTTP API. The vendor's structured output is asked for and never trusted; the reply is read as a
// stream, so that a limit acts while it comes; a key is fetched for each asking, kept nowhere and named in no message.

import { isWitanError } from '../../ledger/errors.ts'
import { type Deadline, startDeadline, unlessAborted } from '../deadline.ts'
import { type ApiKind, vendors } from '../default-models.ts'
import { redact } from '../hide-secrets.ts'
import type { Availability, Model, Outcome, Reply, Request } from '../model.ts'
import { priceOf } from '../prices.ts'
import { answered, failed } from '../read-answer.ts'
import { type Fault, faultOf, wordsThrough } from './faults.ts'
import { listModels, Unlisted } from './listing.ts'
import { type Heard, hearOut } from './reply.ts'
import { callOptions, keyHeaders, type LanguageModel, openModel } from './sdk-models.ts'
import { openWire, type Wire } from './wire.ts'

/** Which model, where it is asked, and with whose key. */
export interface ApiOptions {
  readonly kind: ApiKind
  /** Who it is, as configured. */
  readonly name: string
  readonly model: string
  /** Null for the vendor's own; an OpenAI-compatible server always has one. */
  readonly baseUrl: string | null
  /** Null when there is none. Whoever cannot fetch it throws, saying why. */
  readonly apiKey: () => Promise<string | null>
  readonly fetch?: typeof fetch
}

/** JSON escapes and the other members of an event make a line longer than the words in it. */
const LINE_BYTES = { times: 8, more: 1 << 20 }

class NoKey extends Error {}

const addressOf = ({ kind, baseUrl, name }: ApiOptions): string => {
  if (baseUrl !== null) return baseUrl
  if (kind !== 'openai-compatible') return vendors[kind].baseUrl
  throw new TypeError(`${name} has no base URL`)
}

const keyAdvice = (kind: ApiKind): string =>
  kind === 'openai-compatible' ? 'Give it a key.' : `Set ${vendors[kind].keys[0]}, or give a key command.`

async function keyOf({ kind, apiKey, name }: ApiOptions, signal: AbortSignal): Promise<string | null> {
  const key = await unlessAborted(apiKey(), signal)
  if (key !== null && key !== '') return key
  if (kind === 'openai-compatible') return null
  throw new NoKey(`no key for ${name} is set`)
}

const unusable = (message: string): Fault => ({
  type: 'auth',
  cause: 'unavailable',
  message,
  retryAfterMs: null,
})

function faultFrom(error: unknown, wire: Wire | null, kind: ApiKind): Fault {
  if (wire?.fault) return wire.fault
  if (error instanceof NoKey) return unusable(`${error.message}. ${keyAdvice(kind)}`)
  if (isWitanError(error)) return unusable(error.message)
  // Without a wire nothing was sent: fetching the key is what failed.
  if (wire === null) return unusable(`the key cannot be fetched: ${wordsThrough(error)}`)
  const body: unknown = error instanceof Error ? Reflect.get(error, 'responseBody') : null
  const status: unknown = error instanceof Error ? Reflect.get(error, 'statusCode') : null
  if (typeof body === 'string') return faultOf(typeof status === 'number' ? status : null, body)
  return { type: 'parse_error', cause: null, message: wordsThrough(error), retryAfterMs: null }
}

function givenUp(ended: NonNullable<Deadline['ended']>, timeoutMs: number): Fault {
  if (ended === 'aborted')
    return { type: 'network', cause: 'aborted', message: 'given up by the asker', retryAfterMs: null }
  return {
    type: 'timeout',
    cause: null,
    message: `no whole answer within ${timeoutMs} ms`,
    retryAfterMs: null,
  }
}

/** A model behind a vendor’s HTTP API. */
export function apiModel(options: ApiOptions): Model {
  const { kind, name, model } = options
  const address = addressOf(options)
  const inner = options.fetch ?? fetch
  const seller = kind === 'openai-compatible' ? { baseUrl: address } : { vendor: kind }
  /** Until the server refuses to be asked for a shape. */
  let shapes = true

  /** Each asking has its own wire, found by the signal that the SDK hands down with its request. */
  const wires = new WeakMap<AbortSignal, Wire>()
  const send: typeof fetch = (input, init) => {
    const wire = init?.signal ? wires.get(init.signal) : undefined
    if (wire === undefined) throw new TypeError('a request without its wire')
    return wire.fetch(input, init)
  }
  let speaker: Promise<LanguageModel> | null = null

  async function exchange(request: Request, signal: AbortSignal, wire: Wire): Promise<Heard> {
    wires.set(signal, wire)
    speaker ??= openModel(kind, model, address, send)
    const { stream } = await (await speaker).doStream(callOptions(kind, request, signal, shapes))
    return hearOut(kind, stream, request.limits.maxReplyBytes, () => wire.tail)
  }

  const costOf = async ({ cost, model: answering, usage, cached }: Heard): Promise<Reply['cost']> =>
    cost === null ? priceOf(seller, answering ?? model, usage, cached) : { usd: cost, from: 'vendor' }

  async function once(request: Request): Promise<Outcome> {
    const start = performance.now()
    const { timeoutMs, maxReplyBytes } = request.limits
    const deadline = startDeadline(timeoutMs, request.signal)
    let wire: Wire | null = null
    let key: string | null = null
    let heard: Heard | null = null
    let fault: Fault | null = null
    try {
      deadline.signal.throwIfAborted()
      key = await keyOf(options, deadline.signal)
      const maxLineBytes = maxReplyBytes * LINE_BYTES.times + LINE_BYTES.more
      wire = openWire({ fetch: inner, keyHeader: keyHeaders[kind], key, maxLineBytes })
      heard = await exchange(request, deadline.signal, wire)
      fault = heard.fault
    } catch (error) {
      fault = faultFrom(error, wire, kind)
    } finally {
      // A reply that was heard to its end has let go of its connection.
      deadline.close(heard !== null && fault === null)
    }
    const latencyMs = performance.now() - start
    if (deadline.ended !== null) fault = givenUp(deadline.ended, timeoutMs)
    const cost = heard === null ? null : await costOf(heard)
    if (fault !== null || heard === null) {
      const { message, ...rest } = fault ?? unusable('nothing was heard')
      const used = heard === null ? {} : { usage: heard.usage, cost }
      return failed({ ...rest, ...used, message: redact(message, [key]) }, 'api', latencyMs)
    }
    const { text, usage } = heard
    const reply = { ok: true, text, object: null, usage, cost, latencyMs, transport: 'api' } as const
    return { ...reply, model: heard.model, repaired: false }
  }

  /** A server that does not know how to be asked for a shape says so at once, and is asked in words. */
  async function inShape(request: Request): Promise<Outcome> {
    const outcome = await once(request)
    const unasked = request.schema === null || !shapes || kind !== 'openai-compatible'
    if (outcome.ok || unasked || outcome.type !== 'parse_error' || outcome.cause !== null) return outcome
    if (!/response_format|json_schema|structured output/i.test(outcome.message)) return outcome
    shapes = false
    return once(request)
  }

  async function available(signal: AbortSignal): Promise<Availability> {
    let key: string | null = null
    try {
      key = await keyOf(options, signal)
      if (kind !== 'openai-compatible') return { ready: true, detail: 'a key is set', next: null }
      const listed = await listModels({ kind, baseUrl: address, key, fetch: inner, signal })
      const others = listed.length > 1 ? ` and ${listed.length - 1} more` : ''
      const has = listed.includes(model) ? `offers ${model}${others}` : `does not list ${model}`
      return { ready: true, detail: `${redact(address, [key])} answers and ${has}`, next: null }
    } catch (error) {
      const refused = error instanceof Unlisted && (error.status === 401 || error.status === 403)
      const keyless = error instanceof NoKey || isWitanError(error) || refused
      const next = keyless ? keyAdvice(kind) : `See that the server at ${address} runs.`
      return { ready: false, detail: redact(wordsThrough(error), [key]), next: redact(next, [key]) }
    }
  }

  return { provider: name, model, transport: 'api', available, ask: (request) => answered(request, inShape) }
}
