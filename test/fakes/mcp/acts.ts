// What a scenario's act becomes as the result of a tool: the words and numbers that servers in front of models use.
import type { Act, ErrorKind } from '../../contracts/scenarios.ts'

export const TOOL = 'ask'

/** How the fake's tool is called and where its answers stand, as a configuration would say it. */
export const ARGUMENTS = {
  prompt: '{prompt}',
  system: '{system}',
  model: '{model}',
  schema: '{schema}',
  max_tokens: '{max_output_tokens}',
}
export const REPLY = {
  text: 'text',
  model: 'structured.model',
  stopReason: 'structured.stop_reason',
  inputTokens: 'meta.usage.input_tokens',
  outputTokens: 'meta.usage.output_tokens',
}

const WORDS: Readonly<Record<ErrorKind, string>> = {
  auth: '401 Unauthorized',
  forbidden: '403 Forbidden',
  billing: '402 Payment Required',
  rate_limit: '429 Too Many Requests',
  model_not_found: 'model_not_found',
  context_too_long: 'invalid_request_error',
  server: '500 Internal Server Error',
}

export const STATUS: Readonly<Record<ErrorKind, number>> = {
  auth: 401,
  forbidden: 403,
  billing: 402,
  rate_limit: 429,
  model_not_found: 403,
  context_too_long: 413,
  server: 500,
}

export type ErrorAct = Act & { readonly act: 'error' }

/** As the header of HTTP has it. */
export const waitOf = ({ retryAfter }: ErrorAct): string | null => {
  if (retryAfter === undefined) return null
  return retryAfter.as === 'seconds'
    ? String(retryAfter.ms / 1_000)
    : new Date(Date.now() + retryAfter.ms).toUTCString()
}

const content = (text: string) => (text === '' ? [] : [{ type: 'text' as const, text }])

/** Null for acts that are no result of a tool. */
export function resultOf(act: Act) {
  switch (act.act) {
    case 'answer': {
      const usage = act.usage && {
        input_tokens: act.usage.inputTokens,
        output_tokens: act.usage.outputTokens,
      }
      return {
        content: content(act.text),
        structuredContent: { model: 'fake-1', stop_reason: 'end_turn' },
        ...(usage === null ? {} : { _meta: { usage } }),
      }
    }
    case 'cut_off':
      return { content: content(act.text), structuredContent: { model: 'fake-1', stop_reason: 'max_tokens' } }
    case 'refusal':
      return { content: content('I cannot.'), structuredContent: { model: 'fake-1', stop_reason: 'refusal' } }
    case 'error': {
      const wait = waitOf(act)
      const words = `${WORDS[act.kind]}: ${act.message}${wait === null ? '' : `\nRetry-After: ${wait}`}`
      return { content: content(words), isError: true }
    }
    default:
      return null
  }
}
