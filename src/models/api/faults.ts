// The meaning of a vendor's error, from its status, its codes and its text. The text is always in the
// message; where nothing is recognised the cause stays null.

import { dateMs } from '../../ledger/clock.ts'
import type { Failure } from '../model.ts'

export type Fault = Pick<Failure, 'type' | 'cause' | 'message' | 'retryAfterMs'>

/** An error as received, from any vendor. */
interface WireError {
  readonly status: number | null
  /** Codes, types and reasons, in one line. */
  readonly codes: string
  readonly words: string
  readonly retryAfterMs: number | null
}

/** Longer ones are pages, not messages. */
const MOST_WORDS = 2_000

const BILLING_CODE = /insufficient_quota|billing_error|billing_hard_limit_reached|billing_not_active/i
const BILLING =
  /credit balance|insufficient (?:funds|credits?|balance)|plan and billing|payment required|out of credits/i
const REFUSED = /content_filter|content_policy|content policy|usage policy|invalid_prompt|flagged|moderation/i
const CONTEXT =
  /context_length_exceeded|exceed_context_size|request_too_large|(?:prompt|input) is too long|maximum prompt length|context (?:window|size|length|limit)|exceeds the maximum number of tokens|exceed(?:s|ed)? (?:the |model )*token limit|too many (?:input )?tokens/i
const NO_MODEL =
  /model_not_found|DeploymentNotFound|model[^.]{0,120}(?:not found|does not exist|not exist|is not supported|not available)|not a valid model|no endpoints found|no models? (?:is )?loaded/i
const NO_KEY =
  /invalid_api_key|api_key_invalid|api key not valid|invalid x-api-key|authentication_error|permission_error|unauthenticated/i
const TOO_FAST = /rate_limit|rate limit|resource_exhausted|too many requests/i
const THEIR_FAULT =
  /overloaded|api_error|server_error|internal error|timeout_error|unavailable|internalServer|modelStreamError/i

function meaning({ status, codes, words, retryAfterMs }: WireError): Pick<Fault, 'type' | 'cause'> {
  const all = `${codes} ${words}`
  // Google says "check your plan and billing" about limits that end in a minute, and then says when.
  const passes = status === 429 && retryAfterMs !== null
  if (status === 402 || BILLING_CODE.test(codes) || (BILLING.test(words) && !passes)) {
    return { type: 'auth', cause: 'billing' }
  }
  // Amazon says "too many tokens" about its quotas.
  if (/throttling/i.test(codes)) return { type: 'rate_limit', cause: null }
  if (status !== 429 && (status ?? 0) < 500 && REFUSED.test(all))
    return { type: 'parse_error', cause: 'refused' }
  if (status === 413 || ((status ?? 400) === 400 && CONTEXT.test(all))) {
    return { type: 'parse_error', cause: 'context_too_long' }
  }
  if (status === 401 || status === 403 || NO_KEY.test(all)) return { type: 'auth', cause: null }
  if ((status ?? 404) < 429 && (NO_MODEL.test(all) || (status === 404 && /model/i.test(words)))) {
    return { type: 'auth', cause: 'model_not_found' }
  }
  if (status === 429 || (status === null && TOO_FAST.test(all))) return { type: 'rate_limit', cause: null }
  if ((status ?? 0) >= 500 || status === 408 || (status === null && THEIR_FAULT.test(all))) {
    return { type: 'network', cause: 'server' }
  }
  return { type: 'parse_error', cause: null }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Where vendors put their error: `{error: {…}}`, `[{error: {…}}]`, `{response: {error: {…}}}`, or the value itself. */
export function errorIn(value: unknown): Record<string, unknown> | string | null {
  const body = Array.isArray(value) ? value[0] : value
  if (!isObject(body)) return null
  if (isObject(body.response)) return errorIn(body.response)
  if (typeof body.error === 'string' || isObject(body.error)) return body.error
  return body.type === 'error' || typeof body.message === 'string' ? body : null
}

const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

function google(error: Record<string, unknown>): { reasons: string[]; retryAfterMs: number | null } {
  const details = listed(error.details).filter(isObject)
  const delay = details.map(({ retryDelay }) => /^([\d.]+)s$/.exec(String(retryDelay))?.[1]).find(Boolean)
  return {
    reasons: details.flatMap(({ reason }) => (typeof reason === 'string' ? [reason] : [])),
    retryAfterMs: delay === undefined ? null : Math.ceil(Number(delay) * 1_000),
  }
}

/** OpenRouter keeps the text of the vendor behind it in `metadata.raw`. */
function wordsOf(error: Record<string, unknown>): string {
  const raw = isObject(error.metadata) && typeof error.metadata.raw === 'string' ? error.metadata.raw : ''
  const message = typeof error.message === 'string' ? error.message : JSON.stringify(error)
  return raw === '' ? message : `${message}: ${raw}`
}

const inRange = (code: unknown): number | null =>
  Number(code) >= 400 && Number(code) < 600 ? Number(code) : null

/** The meaning of a body, or of an error in the middle of a stream. */
export function faultOf(status: number | null, body: string, retryAfterMs: number | null = null): Fault {
  const error = errorIn(parsed(body))
  const members = isObject(error) ? error : {}
  const hints = google(members)
  const wire: WireError = {
    status: status ?? inRange(members.code) ?? inRange(members.status),
    codes: [members.type, members.code, members.status, members.param, ...hints.reasons].join(' '),
    words: (isObject(error) ? wordsOf(error) : (error ?? body)).trim().slice(0, MOST_WORDS),
    retryAfterMs: retryAfterMs ?? hints.retryAfterMs,
  }
  const where = wire.status === null ? '' : `HTTP ${wire.status}`
  const message = wire.words === '' ? `${where || 'an error'} without a word` : wire.words
  return {
    ...meaning(wire),
    message: wire.words === '' || where === '' ? message : `${message} (${where})`,
    retryAfterMs: wire.retryAfterMs,
  }
}

/** Seconds or an HTTP date (RFC 9110), or the milliseconds that some vendors send beside it. */
export function retryAfter(headers: Headers, now: number): number | null {
  const ms = headers.get('retry-after-ms')
  if (ms !== null && /^\d+(?:\.\d+)?$/.test(ms)) return Math.ceil(Number(ms))
  const value = headers.get('retry-after')
  if (value === null) return null
  if (/^\d+(?:\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1_000)
  const at = dateMs(value)
  return at === null ? null : Math.max(0, at - now)
}

/** All that an error says, with its causes: `fetch failed` alone says nothing. */
export function wordsThrough(error: unknown): string {
  const words: string[] = []
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    const inner = at instanceof AggregateError ? at.errors.map((each) => wordsThrough(each)).join('; ') : ''
    const message = at.message || inner || String(Reflect.get(at, 'code') ?? at.name)
    if (!words.some((word) => word.includes(message))) words.push(message)
  }
  return words.join(': ') || String(error)
}
