// Errors between us and a server: a type and a cause that its user can act on, and the server's own text.
// Servers report a vendor's errors as prose, so prose is searched for the few words that vendors share.

import { dateMs } from '../ledger/clock.ts'

export type FaultType = 'timeout' | 'auth' | 'rate_limit' | 'network' | 'parse_error'

export type FaultCause =
  | 'billing'
  | 'context_too_long'
  | 'refused'
  | 'model_not_found'
  | 'aborted'
  | 'reply_too_large'
  | 'unavailable' // the server itself is not there, or has no such tool
  | 'server' // the server's own fault, 5xx

export interface Trouble {
  readonly type: FaultType
  readonly cause: FaultCause | null
  readonly message: string
  readonly retryAfterMs: number | null
}

export class Fault extends Error {
  override readonly name = 'Fault'
  readonly trouble: Trouble

  constructor(type: FaultType, cause: FaultCause | null, message: string, retryAfterMs?: number | null) {
    super(message)
    this.trouble = { type, cause, message, retryAfterMs: retryAfterMs ?? null }
  }
}

/** Error pages and logs can be long; the beginning matters. */
const MOST_WORDS = 2_000
export const excerpt = (text: string): string => {
  const trimmed = text.trim()
  return trimmed.length <= MOST_WORDS ? trimmed : `${trimmed.slice(0, MOST_WORDS)}…`
}

type Meaning = readonly [pattern: RegExp, type: FaultType, cause: FaultCause | null]

/** The first match counts: a spent quota is often also called a rate limit, and does not end by waiting. */
const MEANINGS: readonly Meaning[] = [
  [
    /credit balance|billing|payment required|insufficient[_ ](?:quota|credits?|funds|balance)|\b402\b/i,
    'auth',
    'billing',
  ],
  [/rate.?limit|too many requests|\b429\b|resource[_ ]exhausted/i, 'rate_limit', null],
  [
    /(?:prompt|input|context|request)[^.\n]{0,40}too (?:long|large|many tokens)|context[_ ](?:length|window)|maximum context/i,
    'parse_error',
    'context_too_long',
  ],
  [
    /model[^.\n]{0,80}(?:not found|does(?: not|n't) exist|not[_ ]available)|(?:unknown|no such) model|model_not_found/i,
    'auth',
    'model_not_found',
  ],
  [
    /unauthori[sz]ed|\b401\b|\b403\b|forbidden|permission denied|authentication|(?:invalid|incorrect|missing)[^.\n]{0,20}(?:api[_ ]?key|token|credentials?)|not logged in/i,
    'auth',
    null,
  ],
  [
    /content[_ ](?:policy|filter)|refus(?:ed|es|al)\b(?! connection)|safety (?:system|filter|reasons)/i,
    'parse_error',
    'refused',
  ],
  [/overloaded|internal (?:server )?error|service unavailable|bad gateway|\b5\d\d\b/i, 'network', 'server'],
]

/** Seconds or a date, as in HTTP; also as in prose. Null when there is nothing usable. */
function retryAfter(value: string | null, now: number): number | null {
  if (value === null) return null
  const number = /^\s*(\d+(?:\.\d+)?)\s*(ms|milliseconds?)?/i.exec(value)
  if (number !== null) return Math.round(Number(number[1]) * (number[2] === undefined ? 1_000 : 1))
  const date = dateMs(value)
  return date === null ? null : Math.max(0, date - now)
}

const WAIT = /(?:retry[-_ ]after|try again in)["']?\s*[:=]?\s*["']?([^\n"';)]+)/i

/** The meaning of a server's error text; `otherwise` when it contains no known word. */
export function meaningOf(words: string, otherwise: Pick<Trouble, 'type' | 'cause'>, now: number): Trouble {
  const known = MEANINGS.find(([pattern]) => pattern.test(words))
  const [type, cause] = known === undefined ? [otherwise.type, otherwise.cause] : [known[1], known[2]]
  const wait = type === 'rate_limit' ? retryAfter(WAIT.exec(words)?.[1] ?? null, now) : null
  return { type, cause, message: excerpt(words), retryAfterMs: wait }
}

const BY_STATUS: Readonly<Record<number, Pick<Trouble, 'type' | 'cause'>>> = {
  401: { type: 'auth', cause: null },
  402: { type: 'auth', cause: 'billing' },
  403: { type: 'auth', cause: null },
  404: { type: 'network', cause: 'unavailable' },
  405: { type: 'network', cause: 'unavailable' },
  407: { type: 'auth', cause: null },
  410: { type: 'network', cause: 'unavailable' },
  413: { type: 'parse_error', cause: 'context_too_long' },
  429: { type: 'rate_limit', cause: null },
}

/** The text inside a JSON-RPC or plain JSON error body, or the body itself. */
function wordsOf(body: string): string {
  try {
    const parsed: unknown = JSON.parse(body)
    const error = typeof parsed === 'object' && parsed !== null && 'error' in parsed ? parsed.error : parsed
    if (typeof error === 'string') return error
    if (typeof error === 'object' && error !== null && 'message' in error) return String(error.message)
  } catch {
    // Not JSON: a page or a line of text, shown as it is.
  }
  return body
}

export function faultOfStatus(status: number, body: string, wait: string | null, now: number): Fault {
  const fallback = status >= 500 ? ({ type: 'network', cause: 'server' } as const) : null
  const { type, cause } = BY_STATUS[status] ?? fallback ?? { type: 'network', cause: null }
  const words = excerpt(wordsOf(body))
  // A status says what kind of error it is; only a cause it cannot express is taken from the text.
  const statedCause = type === 'auth' ? meaningOf(words, { type, cause }, now).cause : null
  const retryAfterMs = status === 429 || status === 503 ? retryAfter(wait, now) : null
  const refined = statedCause === 'billing' || statedCause === 'model_not_found' ? statedCause : cause
  return new Fault(type, refined, `HTTP ${status}${words === '' ? '' : `: ${words}`}`, retryAfterMs)
}
