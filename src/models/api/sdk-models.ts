// How each vendor's API is used, by the AI SDK or by our own parser: which model object, and what only the
// raw events contain. Addresses are always passed, so that no environment variable can redirect a key.

import type { ApiKind } from '../default-models.ts'
import { errorIn } from './faults.ts'
import type { StreamingModel } from './speaker.ts'
import { NO_KEY, type Wire } from './wire.ts'

/** What a stream has contained so far in addition to its text. */
export interface StreamFacts {
  model: string | null
  /** The vendor said that the reply is complete. */
  complete: boolean
  refusal: string
  error: string | null
  /** In dollars, where the vendor states the price in its reply. */
  cost: number | null
}

type Json = Record<string, unknown>

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const keyHeaders: Readonly<Record<ApiKind, string>> = {
  anthropic: 'x-api-key',
  openai: 'authorization',
  google: 'x-goog-api-key',
  'openai-compatible': 'authorization',
  bedrock: 'authorization',
}

/**
 * Made once for each model, because the SDK builds its validators again with each; so what differs between calls,
 * and the key, is added by the transport.
 */
export async function openModel(
  kind: ApiKind,
  model: string,
  baseUrl: string,
  { fetch, send }: Pick<Wire, 'fetch' | 'send'>,
): Promise<StreamingModel> {
  const baseURL = baseUrl.replace(/\/+$/, '')
  const apiKey = NO_KEY
  switch (kind) {
    case 'anthropic':
      return (await import('@ai-sdk/anthropic')).createAnthropic({ baseURL, apiKey, fetch })(model)
    case 'openai':
      return (await import('@ai-sdk/openai')).createOpenAI({ baseURL, apiKey, fetch }).responses(model)
    case 'google':
      return (await import('@ai-sdk/google')).createGoogleGenerativeAI({ baseURL, apiKey, fetch })(model)
    case 'bedrock': {
      const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock')
      return createAmazonBedrock({ baseURL, apiKey, fetch, region: 'of the address' })(model)
    }
    case 'openai-compatible':
      return (await import('./chat-completions.ts')).chatModel(model, baseURL, send)
  }
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

function noteOpenAI(event: Json, facts: StreamFacts): void {
  facts.complete ||= event.type === 'response.completed' || event.type === 'response.incomplete'
  if (event.type === 'response.refusal.delta') facts.refusal += textIn(event.delta)
}

function noteCompatible(event: Json, facts: StreamFacts): void {
  const choice: unknown = Array.isArray(event.choices) ? event.choices[0] : null
  const delta = isObject(choice) && isObject(choice.delta) ? choice.delta : {}
  facts.refusal += textIn(delta.refusal)
  if (isObject(choice) && textIn(choice.finish_reason) !== '') facts.complete = true
  if (isObject(event.usage) && typeof event.usage.cost === 'number') facts.cost = event.usage.cost
}

function noteGoogle(event: Json, facts: StreamFacts): void {
  if (typeof event.modelVersion === 'string') facts.model = event.modelVersion
  const candidate: unknown = Array.isArray(event.candidates) ? event.candidates[0] : null
  const blocked = isObject(event.promptFeedback) ? textIn(event.promptFeedback.blockReason) : ''
  facts.complete ||= blocked !== '' || (isObject(candidate) && textIn(candidate.finishReason) !== '')
  if (blocked !== '') facts.refusal ||= `the prompt was blocked: ${blocked}`
}

function noteBedrock(event: Json, facts: StreamFacts): void {
  facts.complete ||= isObject(event.messageStop)
  const [name = ''] = Object.keys(event).filter((one) => one.endsWith('Exception'))
  const failure = event[name]
  if (name !== '' && isObject(failure)) {
    facts.error ??= JSON.stringify({ error: { type: name, message: textIn(failure.message) || name } })
  }
}

/** Reads from a raw event what the SDK does not pass on. */
export function noteEvent(kind: ApiKind, event: unknown, facts: StreamFacts): void {
  if (!isObject(event)) return
  const failed = event.type === 'error' || event.type === 'response.failed' || isObject(event.error)
  if (failed && errorIn(event) !== null) facts.error ??= JSON.stringify(event)
  if (kind === 'anthropic') facts.complete ||= event.type === 'message_stop'
  if (kind === 'openai') noteOpenAI(event, facts)
  if (kind === 'google') noteGoogle(event, facts)
  if (kind === 'openai-compatible') noteCompatible(event, facts)
  if (kind === 'bedrock') noteBedrock(event, facts)
}
