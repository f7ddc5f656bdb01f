// A model of a program's own: a function that gets the request and returns the answer, as plain text. A
// function that throws, or takes too long, is a model that failed; it ends nothing else.

import { renderPrompt } from '../ledger/prompt.ts'
import { startDeadline, timeoutWords, unlessAborted } from './deadline.ts'
import { redact } from './hide-secrets.ts'
import {
  failed,
  type JsonSchema,
  type Model,
  type Outcome,
  type Request,
  UNKNOWN_USAGE,
  type Usage,
} from './model.ts'

/** The input of such a function. */
export interface OwnQuestion {
  readonly system: string
  readonly prompt: string
  /** The shape wanted of the answer; null for plain text. */
  readonly schema: JsonSchema | null
  readonly maxOutputTokens: number | null
  /** Aborted when no one waits for the answer any more. */
  readonly signal: AbortSignal
}

/** The answer as text, with its usage where known. */
export interface OwnAnswer {
  readonly text: string
  readonly usage?: Usage
  /** In US dollars. */
  readonly usd?: number
  readonly model?: string
}

/** Its name, and the function that answers. */
export interface OwnModelOptions {
  readonly provider: string
  readonly model?: string | null
  readonly answer: (question: OwnQuestion) => Promise<string | OwnAnswer> | string | OwnAnswer
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** A model that asks a function. */
export function ownModel({ provider, model = null, answer }: OwnModelOptions): Model {
  async function once(request: Request): Promise<Outcome> {
    const start = performance.now()
    const { timeoutMs, maxOutputTokens, maxReplyBytes } = request.limits
    const deadline = startDeadline(timeoutMs, request.signal)
    const fail = (fault: Pick<Parameters<typeof failed>[0], 'type' | 'cause' | 'message'>): Outcome =>
      failed({ ...fault, message: redact(fault.message) }, 'api', performance.now() - start)
    try {
      deadline.signal.throwIfAborted()
      const { system, schema } = request
      const question = {
        system,
        prompt: renderPrompt(request.parts),
        schema,
        maxOutputTokens,
        signal: deadline.signal,
      }
      const result = await unlessAborted(Promise.resolve(answer(question)), deadline.signal)
      const ownAnswer: OwnAnswer = typeof result === 'string' ? { text: result } : result
      const { text, usage = UNKNOWN_USAGE, usd } = ownAnswer
      if (typeof text !== 'string') throw new TypeError(`the answer of ${provider} has no text`)
      if (Buffer.byteLength(text) > maxReplyBytes) {
        const message = `the reply is longer than ${maxReplyBytes} bytes`
        return fail({ type: 'parse_error', cause: 'reply_too_large', message })
      }
      const cost = usd === undefined ? null : ({ usd, from: 'vendor' } as const)
      const latencyMs = performance.now() - start
      const about = { usage, cost, latencyMs, transport: 'api', model: ownAnswer.model ?? model } as const
      return { ok: true, text, ...about }
    } catch (error) {
      if (deadline.ended === 'aborted') {
        return fail({ type: 'network', cause: 'aborted', message: 'given up by the asker' })
      }
      if (deadline.ended !== null) {
        return fail({ type: 'timeout', cause: null, message: timeoutWords(deadline.ended, timeoutMs) })
      }
      return fail({ type: 'network', cause: null, message: `${provider} threw: ${wordsOf(error)}` })
    } finally {
      deadline.close()
    }
  }
  return {
    provider,
    model,
    transport: 'api',
    available: async () => ({ ready: true, detail: 'a function of this program', next: null }),
    ask: once,
  }
}
