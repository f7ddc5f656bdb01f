// A model behind an HTTP API. The vendor's structured output is requested and never trusted; the reply is
// read as a stream, so that a limit acts while it arrives; a key is fetched for each call, stored nowhere and
// in no message.

import { isWitanError } from '../../ledger/errors.ts'
import type { RawReply } from '../../ledger/raw-reply.ts'
import { type Ended, startDeadline, timeoutWords, unlessAborted } from '../deadline.ts'
import { type ApiKind, isVendor, vendors } from '../default-models.ts'
import { redact } from '../hide-secrets.ts'
import {
  type Availability,
  type Failure,
  failed,
  type Model,
  type Outcome,
  type Reply,
  type Request,
} from '../model.ts'
import { priceOf, type Seller } from '../prices.ts'
import { NO_TUNING, refusedTuning, type Tuning } from '../tuning.ts'
import { type Call, callFor, readStream, type StreamedReply } from './call.ts'
import { type Fault, faultOf, wordsThrough } from './faults.ts'
import { listModels, Unlisted } from './listing.ts'
import { type RefusedMemory, refusedIn } from './refused-parameters.ts'
import { keyHeaders, openModel } from './sdk-models.ts'
import type { StreamingModel } from './speaker.ts'
import { openWire, type Wire } from './wire.ts'

/** Which model, at which address, and with which key. */
export interface ApiOptions {
  readonly kind: ApiKind
  /** Its name, as configured. */
  readonly name: string
  readonly model: string
  /** Null for the vendor's own; an OpenAI-compatible server always has one. */
  readonly baseUrl: string | null
  /** Null when there is none. It throws when the key cannot be read, saying why. */
  readonly apiKey: () => Promise<string | null>
  /** The header for the key, where it is not the usual one of the API. */
  readonly keyHeader?: string
  readonly fetch?: typeof fetch
  /** Asks the vendor to cache the shared context for further calls, where it offers that. */
  readonly cache?: boolean
  /** The seat's settings for answers. */
  readonly tuning?: Tuning
  /** What this model has refused: shared by all seats with the same model in one run. */
  readonly refused?: RefusedMemory
}

/** JSON escapes and the other members of an event make a line longer than its text. */
const LINE_BYTES = { times: 8, more: 1 << 20 }

class NoKey extends Error {}

const addressOf = ({ kind, baseUrl, name }: ApiOptions): string => {
  if (baseUrl !== null) return baseUrl
  if (isVendor(kind)) return vendors[kind].baseUrl
  throw new TypeError(`${name} has no base URL`)
}

const keyAdvice = (kind: ApiKind): string =>
  isVendor(kind) ? `Set ${vendors[kind].keys[0]}, or give a key command.` : 'Give it a key.'

async function readKey({ kind, apiKey, name }: ApiOptions, signal: AbortSignal): Promise<string | null> {
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
  // Without a transport nothing was sent: fetching the key failed.
  if (wire === null) return unusable(`the key cannot be fetched: ${wordsThrough(error)}`)
  const body: unknown = error instanceof Error ? Reflect.get(error, 'responseBody') : null
  const status: unknown = error instanceof Error ? Reflect.get(error, 'statusCode') : null
  if (typeof body === 'string') return faultOf(typeof status === 'number' ? status : null, body)
  return { type: 'parse_error', cause: null, message: wordsThrough(error), retryAfterMs: null }
}

function endedFault(ended: Ended, timeoutMs: number): Fault {
  if (ended === 'aborted')
    return { type: 'network', cause: 'aborted', message: 'given up by the asker', retryAfterMs: null }
  return { type: 'timeout', cause: null, message: timeoutWords(ended, timeoutMs), retryAfterMs: null }
}

/** Whether any part of an answer had come before an error. */
const hasContent = ({ text, tool_calls, reasoning_content }: RawReply): boolean =>
  text !== '' || tool_calls !== undefined || reasoning_content !== undefined

function sellerOf(kind: ApiKind, baseUrl: string): Seller {
  if (kind === 'bedrock') return { vendor: 'aws' }
  return kind === 'openai-compatible' ? { baseUrl } : { vendor: kind }
}

/** A model behind a vendor’s HTTP API. */
export function apiModel(options: ApiOptions): Model {
  const { kind, name, model, tuning = NO_TUNING } = options
  const address = addressOf(options)
  const inner = options.fetch ?? fetch
  const seller = sellerOf(kind, address)
  const refused = options.refused ?? new Set()
  const keyHeader = options.keyHeader ?? keyHeaders[kind]

  /** Each call has its own transport, found by the signal that the SDK passes with its request. */
  const wires = new WeakMap<AbortSignal, Wire>()
  const wireOf = (init: RequestInit | undefined): Wire => {
    const wire = init?.signal ? wires.get(init.signal) : undefined
    if (wire === undefined) throw new TypeError('a request without its wire')
    return wire
  }
  const ways: Pick<Wire, 'fetch' | 'send'> = {
    fetch: (input, init) => wireOf(init).fetch(input, init),
    send: (url, init) => wireOf(init).send(url, init),
  }
  let speaker: Promise<StreamingModel> | null = null

  async function exchange(
    call: Call,
    request: Request,
    signal: AbortSignal,
    wire: Wire,
  ): Promise<StreamedReply> {
    wires.set(signal, wire)
    speaker ??= openModel(kind, model, address, ways)
    const { stream } = await (await speaker).doStream(call.options)
    const explain = (error: unknown): Fault => faultFrom(error, wire, kind)
    return readStream(kind, stream, request, wire, explain)
  }

  /** What the vendor refuses is left out from now on; the same prompt can be asked again at once. */
  function adapted(fault: Fault, call: Call, wire: Wire): Partial<Failure> {
    const isRefusal = fault.type === 'parse_error' ? fault.cause === null : fault.cause === 'server'
    // An explicitly requested setting is not left out: the answer would not match the record.
    const tuned = isRefusal ? refusedTuning(fault.message, tuning) : null
    if (tuned !== null) return { message: `${fault.message} (the seat asks for ${tuned} ${tuning[tuned]})` }
    const name = isRefusal ? refusedIn(fault.message, { ...call.sent, members: wire.members }) : null
    if (name === null || refused.has(name)) return {}
    refused.add(name)
    return { adapted: name, message: `${fault.message}; asked again without ${name}` }
  }

  const findCost = async ({
    cost,
    model: answering,
    usage,
    cached,
  }: StreamedReply): Promise<Reply['cost']> =>
    cost === null ? priceOf(seller, answering ?? model, usage, cached) : { usd: cost, from: 'vendor' }

  async function once(request: Request): Promise<Outcome> {
    const start = performance.now()
    const { timeoutMs, maxReplyBytes } = request.limits
    const deadline = startDeadline(timeoutMs, request.signal)
    let call: Call | null = null
    let wire: Wire | null = null
    let key: string | null = null
    let streamed: StreamedReply | null = null
    let fault: (Fault & Pick<Failure, 'adapted'>) | null = null
    try {
      deadline.signal.throwIfAborted()
      key = await readKey(options, deadline.signal)
      const maxLineBytes = maxReplyBytes * LINE_BYTES.times + LINE_BYTES.more
      const manner = { model, refused, cache: options.cache ?? false, tuning }
      call = callFor(kind, request, deadline.signal, manner)
      const { rewrite } = call
      const { noteActivity: alive } = deadline
      wire = openWire({ fetch: inner, keyHeader, key, maxLineBytes, rewrite, alive })
      streamed = await exchange(call, request, deadline.signal, wire)
      fault = streamed.fault
    } catch (error) {
      fault = faultFrom(error, wire, kind)
      if (call !== null && wire !== null) fault = { ...fault, ...adapted(fault, call, wire) }
    } finally {
      // A reply that was read to its end has released its connection.
      deadline.close(streamed !== null && fault === null)
    }
    const latencyMs = performance.now() - start
    if (deadline.ended !== null) fault = endedFault(deadline.ended, timeoutMs)
    const cost = streamed === null ? null : await findCost(streamed)
    if (fault !== null || streamed === null) {
      const { message, ...rest } = fault ?? unusable('nothing was heard')
      const used =
        streamed === null
          ? {}
          : { usage: streamed.usage, cost, ...(hasContent(streamed.raw) && { raw: streamed.raw }) }
      return failed({ ...rest, ...used, message: redact(message, [key]) }, 'api', latencyMs)
    }
    const { raw, usage } = streamed
    return { ok: true, ...raw, usage, cost, latencyMs, transport: 'api', model: streamed.model }
  }

  async function available(signal: AbortSignal): Promise<Availability> {
    let key: string | null = null
    try {
      key = await readKey(options, signal)
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

  return { provider: name, model, transport: 'api', available, ask: once }
}
