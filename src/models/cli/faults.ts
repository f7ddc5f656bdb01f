// The meaning of a vendor program's messages where it gives no status. They were recorded from the programs
// themselves; an unknown message stays a parse_error with its text.

import { type Fault, faultOf } from '../api/faults.ts'
import type { Ran } from './process.ts'

type Meaning = Pick<Fault, 'type' | 'cause'>

/** Longer ones are listings, not messages. */
export const MOST_WORDS = 2_000

/** The first match. */
const MEANINGS: readonly (readonly [RegExp, Meaning])[] = [
  [/not logged in|please run \/login|invalid api key|failed to authenticate/i, { type: 'auth', cause: null }],
  [/(?:token|session|login) (?:has |is )?(?:expired|revoked)|sign in again/i, { type: 'auth', cause: null }],
  [/set an auth method|missing environment variable/i, { type: 'auth', cause: null }],
  [/not found for api version|selected model .*may not exist/is, { type: 'auth', cause: 'model_not_found' }],
  [/exceeds the maximum length/i, { type: 'parse_error', cause: 'context_too_long' }],
  [/usage limit|hit your limit|limit reached|daily quota/i, { type: 'rate_limit', cause: null }],
  [/high demand|temporary errors/i, { type: 'network', cause: 'server' }],
  [/incomplete response/i, { type: 'parse_error', cause: null }],
  [/violate our usage policy|blocked (?:due to|by) safety/i, { type: 'parse_error', cause: 'refused' }],
  [/\bE(?:CONN[A-Z]+|NOTFOUND|AI_AGAIN|TIMEDOUT|PIPE)\b|fetch failed/, { type: 'network', cause: null }],
  [/unable to connect|error sending request|stream disconnected/i, { type: 'network', cause: null }],
  [
    /^terminated$|socket hang up|connection (?:error|refused|reset|closed|lost)/i,
    { type: 'network', cause: null },
  ],
]

export const fault = (type: Fault['type'], cause: Fault['cause'], message: string): Fault => ({
  type,
  cause,
  message,
  retryAfterMs: null,
})

/** The error, by a program's own text, and by its vendor's status where it states one. */
export function faultIn(words: string, status: number | null = null): Fault {
  const known = faultOf(status, isBody(words) ? words : JSON.stringify({ error: { message: words.trim() } }))
  if (status !== null || known.type !== 'parse_error' || known.cause !== null) return known
  const [, meaning] = MEANINGS.find(([pattern]) => pattern.test(words)) ?? []
  return { ...known, ...meaning }
}

const isBody = (words: string): boolean => /^\s*[[{]/.test(words)

export const endingOf = ({ code, signal }: Ran): string =>
  signal === null ? `ended with code ${code}` : `was ended by ${signal}`

/** The end of a program's output, for a message. */
export const lastWords = ({ stdout, stderr }: Ran): string =>
  [stderr, stdout]
    .map((text) => text.trim().slice(-MOST_WORDS))
    .filter((text) => text !== '')
    .join('\n')

/** A program that failed without a message in its own format. */
export const failedOutright = (program: string, ran: Ran): Fault =>
  faultIn([`${program} ${endingOf(ran)}`, lastWords(ran)].filter((words) => words !== '').join(': '))
