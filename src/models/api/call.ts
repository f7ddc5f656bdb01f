// One request in the SDK's form, and the changes to the body that it makes. The shape is requested in the
// vendor's dialect; what that cannot express is at the end of the prompt. What a model has refused is left
// out, or written in words.

import { renderPrompt } from '../../ledger/prompt.ts'
import type { RawReply } from '../../ledger/raw-reply.ts'
import type { ApiKind } from '../default-models.ts'
import { anthropicShape } from '../dialects/anthropic.ts'
import { googleShape } from '../dialects/google.ts'
import { shapeInWords, wordsBeside, wordsOnly } from '../dialects/in-words.ts'
import { openaiShape } from '../dialects/openai.ts'
import type { AskedShape } from '../dialects/translate.ts'
import { type JsonSchema, type Request, UNKNOWN_USAGE, type Usage } from '../model.ts'
import type { CachedTokens } from '../prices.ts'
import { type Tuning, tuningInWords } from '../tuning.ts'
import { type Fault, faultOf, wordsThrough } from './faults.ts'
import { type Refused, withoutRefused } from './refused-parameters.ts'
import { noteEvent, type StreamFacts } from './sdk-models.ts'
import type { CallOptions, Part } from './speaker.ts'
import { tunedBody } from './tuned-body.ts'

export interface Call {
  readonly options: CallOptions
  /** Changes the body that the SDK made, before it is sent; null where nothing is to be changed. */
  readonly rewrite: ((body: object) => object) | null
  readonly sent: { readonly schema: boolean; readonly system: boolean }
}

const SHAPES: Readonly<Record<ApiKind, (schema: JsonSchema) => AskedShape>> = {
  anthropic: anthropicShape,
  openai: openaiShape,
  google: googleShape,
  'openai-compatible': openaiShape,
  // Its models are of many vendors, and only some of them accept a schema.
  bedrock: () => wordsOnly,
}

const joined = (...texts: readonly string[]): string => texts.filter((text) => text !== '').join('\n\n')

function inWords(kind: ApiKind, wanted: JsonSchema, shape: AskedShape): string {
  // Compatible servers may silently ignore a schema.
  return kind === 'openai-compatible' ? shapeInWords(wanted) : wordsBeside(shape, wanted)
}

interface SchemaInWords {
  readonly shape: AskedShape
  readonly words: string
}

/** A round asks every seat for one shape; translating it takes several passes over the schema. */
const translated = new WeakMap<JsonSchema, Map<ApiKind, SchemaInWords>>()

function schemaInWords(kind: ApiKind, wanted: JsonSchema): SchemaInWords {
  const known = translated.get(wanted) ?? new Map<ApiKind, SchemaInWords>()
  translated.set(wanted, known)
  const before = known.get(kind)
  if (before) return before
  const shape = SHAPES[kind](wanted)
  const described = { shape, words: inWords(kind, wanted, shape) }
  known.set(kind, described)
  return described
}

const NOTHING_SAID: SchemaInWords = { shape: wordsOnly, words: '' }

function shapeFor(kind: ApiKind, wanted: JsonSchema | null, isAsked: boolean): SchemaInWords {
  if (wanted === null) return NOTHING_SAID
  return isAsked ? schemaInWords(kind, wanted) : { shape: wordsOnly, words: inWords(kind, wanted, wordsOnly) }
}

/** The SDK drops the order of members from a schema for Google, so it is added to the body here. */
const withResponseSchema = (body: object, responseSchema: JsonSchema): object => ({
  ...body,
  generationConfig: { ...Reflect.get(body, 'generationConfig'), responseSchema },
})

function rewriting(
  responseSchema: JsonSchema | null,
  kind: ApiKind,
  { refused, model, tuning }: CallManner,
): Call['rewrite'] {
  const isTuned = tuningInWords(tuning) !== ''
  if (responseSchema === null && refused.size === 0 && !isTuned) return null
  return (body) => {
    const shaped = responseSchema === null ? body : withResponseSchema(body, responseSchema)
    return withoutRefused(tunedBody(shaped, { kind, model }, tuning), refused)
  }
}

/** JSON is requested without a schema where a vendor supports no more than that. */
function formatOf(kind: ApiKind, schema: JsonSchema | null, asJson: boolean): Partial<CallOptions> {
  if (kind === 'google') return asJson ? { responseFormat: { type: 'json' } } : {}
  return schema === null ? {} : { responseFormat: { type: 'json', schema: { ...schema } } }
}

/**
 * How a model is asked: what it refuses, whether the vendor is to cache the context for further calls, the seat's settings.
 */
export interface CallManner {
  readonly model: string
  readonly refused: ReadonlySet<Refused>
  readonly cache: boolean
  readonly tuning: Tuning
}

type Content = Extract<CallOptions['prompt'][number], { role: 'user' }>['content']

/**
 * The user message: everything up to the last quoted artifact is the context that others are shown too, and is
 * cached by a vendor that is asked to.
 */
function contentOf(before: string, { parts }: Request, words: string, cache: boolean): Content {
  const at = cache ? parts.findLastIndex(({ quotes }) => quotes?.kind === 'artifact') + 1 : 0
  const shared = joined(before, renderPrompt(parts.slice(0, at)))
  const rest = joined(renderPrompt(parts.slice(at)), words)
  if (at === 0) return [{ type: 'text', text: joined(shared, rest) }]
  const cacheOptions = { anthropic: { cacheControl: { type: 'ephemeral' as const } } }
  return [
    { type: 'text', text: `${shared}\n\n`, providerOptions: cacheOptions },
    ...(rest === '' ? [] : [{ type: 'text' as const, text: rest }]),
  ]
}

export function callFor(kind: ApiKind, request: Request, signal: AbortSignal, manner: CallManner): Call {
  const { refused, cache } = manner
  const { schema: wanted, limits } = request
  const asked = wanted !== null && !refused.has('schema')
  const { shape, words } = shapeFor(kind, wanted, asked)
  const inPrompt = refused.has('system') ? request.system : ''
  const system = refused.has('system') ? '' : request.system
  const content = contentOf(inPrompt, request, words, cache && kind === 'anthropic')
  return {
    options: {
      prompt: [
        ...(system === '' ? [] : [{ role: 'system' as const, content: system }]),
        { role: 'user', content },
      ],
      ...(limits.maxOutputTokens === null ? {} : { maxOutputTokens: limits.maxOutputTokens }),
      ...formatOf(kind, shape.schema, asked),
      providerOptions: {
        openai: { store: false, strictJsonSchema: shape.strict },
        openaiCompatible: { strictJsonSchema: shape.strict },
      },
      includeRawChunks: true,
      abortSignal: signal,
    },
    rewrite: rewriting(kind === 'google' ? shape.schema : null, kind, manner),
    sent: { schema: asked && (shape.schema !== null || kind === 'google'), system: system !== '' },
  }
}

// Takes one streamed reply to its end or to its bound, with all that the model wrote: text, calls, reasoning. Whether
// that is an answer is judged by who asked; what came before a fault is handed over with it, for it is paid for.

type Finish = Extract<Part, { type: 'finish' }>

export interface StreamedReply {
  readonly raw: RawReply
  readonly model: string | null
  readonly usage: Usage
  readonly cached: CachedTokens
  readonly cost: number | null
  readonly fault: Fault | null
}

const fault = (cause: Fault['cause'], message: string): Fault => ({
  type: 'parse_error',
  cause,
  message,
  retryAfterMs: null,
})

/** The SDK writes 0 for missing values; but no prompt has zero tokens, and no text comes from none. */
function usageOf(usage: Finish['usage'] | null, text: string): Usage {
  if (usage === null) return UNKNOWN_USAGE
  const total = usage.outputTokens.total ?? null
  return { inputTokens: usage.inputTokens.total || null, outputTokens: text === '' ? total : total || null }
}

const FINISHES: Readonly<Record<string, string>> = {
  stop: 'stop',
  length: 'length',
  'content-filter': 'content_filter',
  'tool-calls': 'tool_calls',
}

/** The parts of a reply, collected as they arrive. */
class ReplyParts {
  finish: Finish | null = null
  bytes = 0
  private readonly texts: string[] = []
  private readonly thoughts: string[] = []
  private readonly calls = new Map<string, { name: string; arguments: string }>()

  take(part: Part): void {
    if (part.type === 'finish') this.finish = part
    else if (part.type === 'text-delta') this.add(this.texts, part.delta)
    else if (part.type === 'reasoning-delta') this.add(this.thoughts, part.delta)
    else if (part.type === 'tool-input-start') this.calls.set(part.id, { name: part.toolName, arguments: '' })
    else if (part.type === 'tool-input-delta') this.addInput(part.id, part.delta)
    else if (part.type === 'tool-call')
      this.calls.set(part.toolCallId, { name: part.toolName, arguments: part.input })
  }

  get text(): string {
    return this.texts.join('')
  }

  raw(facts: StreamFacts, isCut: boolean): RawReply {
    const reason = this.finish?.finishReason
    const finish = FINISHES[reason?.unified ?? ''] ?? reason?.raw
    const thought = this.thoughts.join('')
    return {
      text: this.text,
      ...(this.calls.size > 0 ? { tool_calls: [...this.calls.values()] } : {}),
      ...(thought === '' ? {} : { reasoning_content: thought }),
      ...(finish ? { finish_reason: finish } : {}),
      ...(facts.refusal === '' ? {} : { refusal: facts.refusal }),
      ...(isCut ? { cut: true } : {}),
    }
  }

  private add(to: string[], delta: string): void {
    this.bytes += Buffer.byteLength(delta)
    to.push(delta)
  }

  private addInput(id: string, delta: string): void {
    const call = this.calls.get(id)
    this.bytes += Buffer.byteLength(delta)
    if (call) this.calls.set(id, { ...call, arguments: call.arguments + delta })
  }
}

const wordsIn = (part: Part): string =>
  part.type === 'text-delta' || part.type === 'tool-input-delta' ? part.delta : ''

/** `explain` gives the meaning of a stream that broke off. */
export async function readStream(
  kind: ApiKind,
  stream: AsyncIterable<Part>,
  { limits: { maxReplyBytes }, hear: pass }: Pick<Request, 'limits' | 'hear'>,
  wire: { readonly tail: string },
  explain: (error: unknown) => Fault,
): Promise<StreamedReply> {
  const facts: StreamFacts = { model: null, complete: false, refusal: '', error: null, cost: null }
  const gathered = new ReplyParts()
  let broken: unknown = null
  let torn: Fault | null = null
  try {
    for await (const part of stream) {
      if (part.type === 'raw') noteEvent(kind, part.rawValue, facts)
      else if (part.type === 'response-metadata') facts.model ??= part.modelId ?? null
      else if (part.type === 'error') broken ??= part.error
      else gathered.take(part)
      if (pass && wordsIn(part) !== '') pass(wordsIn(part))
      if (gathered.bytes > maxReplyBytes) break
    }
  } catch (error) {
    torn = explain(error)
  }
  const { text, finish } = gathered
  const isDone = facts.complete || (kind === 'openai-compatible' && wire.tail.includes('[DONE]'))
  const usage = usageOf(finish?.usage ?? null, text)
  const { cacheRead, cacheWrite } = finish?.usage.inputTokens ?? {}
  const raw = gathered.raw(facts, !isDone)
  const findFault = (): Fault | null => {
    if (torn !== null) return torn
    if (gathered.bytes > maxReplyBytes)
      return fault('reply_too_large', `the reply is longer than ${maxReplyBytes} bytes`)
    if (facts.error !== null) return faultOf(null, facts.error)
    if (isDone || gathered.bytes > 0) return null
    return broken === null
      ? fault(null, 'the reply ended before it began')
      : fault(null, `the reply cannot be read: ${wordsThrough(broken)}`)
  }
  const cached = { read: cacheRead ?? 0, written: cacheWrite ?? 0 }
  return { raw, model: facts.model, usage, cached, cost: facts.cost, fault: findFault() }
}
