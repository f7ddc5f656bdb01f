// Reads one streamed reply to its end or to its bound, and says what came of it. A reply that the vendor did not call
// complete is none, however much text arrived.

import type { ApiKind } from '../default-models.ts'
import type { Usage } from '../model.ts'
import type { CachedTokens } from '../prices.ts'
import { UNKNOWN_USAGE } from '../read-answer.ts'
import { type Fault, faultOf, wordsThrough } from './faults.ts'
import { hear, type LanguageModel, type Told } from './sdk-models.ts'

type Stream = Awaited<ReturnType<LanguageModel['doStream']>>['stream']
type Part = Stream extends ReadableStream<infer One> ? One : never
type Finish = Extract<Part, { type: 'finish' }>

export interface Heard {
  readonly text: string
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

/** The SDK writes 0 for what a vendor left out; no prompt has no tokens, and no words come of none. */
function usageOf(usage: Finish['usage'] | null, text: string): Usage {
  if (usage === null) return UNKNOWN_USAGE
  const said = usage.outputTokens.total ?? null
  return { inputTokens: usage.inputTokens.total || null, outputTokens: text === '' ? said : said || null }
}

function verdict(kind: ApiKind, told: Told, finish: Finish | null, text: string, tail: string): Fault | null {
  if (told.error !== null) return faultOf(null, told.error)
  const reason = finish?.finishReason
  if (told.refusal !== '' || reason?.unified === 'content-filter') {
    const why = told.refusal || `${text} (stop reason: ${reason?.raw ?? 'content filter'})`
    return fault('refused', `declined to answer: ${why.trim()}`)
  }
  const done = told.complete || (kind === 'openai-compatible' && tail.includes('[DONE]'))
  if (!done) return fault(null, `the reply ended in the middle, after ${text.length} characters`)
  if (reason?.unified === 'length') return fault(null, `the answer was cut off at the limit of output tokens`)
  return text.trim() === '' ? fault(null, `an empty answer (stop reason: ${reason?.raw ?? 'none'})`) : null
}

export async function hearOut(
  kind: ApiKind,
  stream: Stream,
  maxReplyBytes: number,
  tail: () => string,
): Promise<Heard> {
  const told: Told = { model: null, complete: false, refusal: '', error: null, cost: null }
  const texts: string[] = []
  let bytes = 0
  let finish: Finish | null = null
  let broken: unknown = null
  for await (const part of stream) {
    if (part.type === 'raw') hear(kind, part.rawValue, told)
    else if (part.type === 'response-metadata') told.model ??= part.modelId ?? null
    else if (part.type === 'finish') finish = part
    else if (part.type === 'error') broken ??= part.error
    else if (part.type === 'text-delta') {
      bytes += Buffer.byteLength(part.delta)
      if (bytes > maxReplyBytes) break
      texts.push(part.delta)
    }
  }
  const text = texts.join('')
  const usage = usageOf(finish?.usage ?? null, text)
  const { cacheRead, cacheWrite } = finish?.usage.inputTokens ?? {}
  const heard = { text, model: told.model, usage, cost: told.cost }
  const cached = { read: cacheRead ?? 0, written: cacheWrite ?? 0 }
  const found = () => {
    if (bytes > maxReplyBytes)
      return fault('reply_too_large', `the reply is longer than ${maxReplyBytes} bytes`)
    const bad = verdict(kind, told, finish, text, tail())
    // A refusal or an error of the vendor's own explains more than the SDK's complaint about it.
    const unread = broken !== null && told.error === null && !told.complete && !tail().includes('[DONE]')
    return unread ? fault(null, `the reply cannot be read: ${wordsThrough(broken)}`) : bad
  }
  return { ...heard, cached, fault: found() }
}
