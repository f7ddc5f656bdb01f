// The meaning of a failed call to an embeddings API: one fault with its next step, from status, body and headers.

import { dateMs } from '../ledger/clock.ts'
import { EmbeddingError, type EmbeddingFault } from './embedder.ts'

interface CallError extends Error {
  readonly statusCode?: number
  readonly responseBody?: string
  readonly responseHeaders?: Readonly<Record<string, string>>
}

const NEXT: Readonly<Record<EmbeddingFault, string>> = {
  auth: 'Check the API key for this provider.',
  billing: 'Check the balance and the plan of the account.',
  rate_limit: 'Wait and try again, or embed fewer texts at once.',
  timeout: 'Try again, or allow more time.',
  network: 'Check that the address is right and the server is running.',
  not_found: 'Check the name of the model and the address.',
  refused: 'Check the model and its limits.',
  server: 'Try again later.',
  malformed: 'Check that the address is that of an embeddings API.',
  crashed: 'Try again.',
  closed: 'Open it again.',
}

function faultOf(status: number | undefined, message: string): EmbeddingFault {
  if (status === undefined) return 'network'
  if (/insufficient_quota|billing/i.test(message) || status === 402) return 'billing'
  // Google answers 400 to an unknown key.
  if (status === 401 || status === 403 || /API_KEY_INVALID/.test(message)) return 'auth'
  if (status === 429) return 'rate_limit'
  if (status === 404) return 'not_found'
  if (status === 408 || status === 504) return 'timeout'
  if (status >= 500) return 'server'
  return status >= 400 ? 'refused' : 'malformed'
}

function retryAfterMs(headers: Readonly<Record<string, string>> = {}): number | null {
  const exact = headers['retry-after-ms'] ?? ''
  if (/^[0-9]+$/.test(exact)) return Number(exact)
  const value = headers['retry-after'] ?? ''
  if (/^[0-9]+(\.[0-9]+)?$/.test(value)) return Number(value) * 1000
  const at = dateMs(value)
  return at === null ? null : Math.max(0, at - Date.now())
}

/** The text of the error and of its causes, outermost first, without duplicates. */
function wordsOf(error: unknown): string {
  const words: string[] = []
  for (let at = error; at instanceof Error && words.length < 5; at = at.cause) {
    const message = at.message || String((at as NodeJS.ErrnoException).code ?? at.name)
    if (!words.some((word) => word.includes(message))) words.push(message)
  }
  return words.join(': ') || String(error)
}

export const failed = (
  who: string,
  fault: EmbeddingFault,
  message: string,
  after: number | null = null,
): EmbeddingError => new EmbeddingError(fault, `${who}: ${message}`, NEXT[fault], { retryAfterMs: after })

export function failureOf(who: string, key: string | null, error: unknown): EmbeddingError {
  const { statusCode, responseBody = '', responseHeaders } = error as CallError
  const words = wordsOf(error)
  const body = responseBody.replace(/\s+/g, ' ').trim().slice(0, 300)
  const fault = faultOf(statusCode, `${words} ${responseBody}`)
  // A reason phrase alone says little; the body may be a proxy's page.
  const message = words.length < 30 && body !== '' && !body.includes(words) ? `${words}: ${body}` : words
  const status = statusCode === undefined || statusCode < 400 ? '' : ` (HTTP ${statusCode})`
  const shown = key ? `${message}${status}`.replaceAll(key, '[key]') : `${message}${status}`
  return failed(who, fault, shown, retryAfterMs(responseHeaders))
}
