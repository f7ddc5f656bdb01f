// What may happen to a request, as data: what the other side does, and what a mind must then say. An adapter's test
// plays each act on its own wire; an act that its wire cannot express is named there, with the reason.

import type { FailureCause, FailureType, JsonSchema, Usage } from '../../src/models/model.ts'

/** Each mind under test holds this as its key or environment secret; the one who fails repeats it in the error text. */
export const PLANTED_SECRET = 'sk-test-51NeverToBeSeenAgain0123456789abcdef'

export const SHAPE: JsonSchema = {
  type: 'object',
  properties: {
    verdict: { type: 'string', enum: ['adopt', 'reject'] },
    confidence: { type: 'number', minimum: 0, maximum: 1 },
  },
  required: ['verdict', 'confidence'],
  additionalProperties: false,
}

export type ErrorKind =
  | 'auth' // 401, or the vendor's word for it
  | 'forbidden' // 403
  | 'billing' // no credit, no quota bought
  | 'rate_limit'
  | 'model_not_found'
  | 'context_too_long'
  | 'server' // 5xx, or the vendor's word for it

/** One turn of the other side. A script's last act repeats. */
export type Act =
  | { readonly act: 'answer'; readonly text: string; readonly usage: Usage | null }
  | {
      readonly act: 'error'
      readonly kind: ErrorKind
      readonly message: string
      readonly retryAfter?: { readonly as: 'seconds' | 'date'; readonly ms: number }
    }
  | { readonly act: 'refusal' } // declines for safety, in the wire's own way
  | { readonly act: 'cut_off'; readonly text: string } // stops at the limit of output tokens
  | { readonly act: 'silence' } // takes the request and never answers
  | { readonly act: 'stall'; readonly text: string } // begins to answer and then says no more
  | { readonly act: 'flood' } // answers without end
  | { readonly act: 'garbage'; readonly text: string } // what this wire never carries
  | { readonly act: 'truncated'; readonly text: string } // a reply that ends in the middle, politely
  | { readonly act: 'reset'; readonly text: string } // a reply that ends in the middle with a broken connection
  | { readonly act: 'unreachable' } // no one listens there
  | { readonly act: 'absent' } // what the transport needs is missing: no key, no executable, no server

export type Expected =
  | {
      readonly ok: true
      readonly text?: string
      /** How the wire says that it ended, where it was not by the model's own will; `true`: in the middle. */
      readonly ended?: 'length' | 'content_filter' | true
      /** Where the wire cannot carry half a reply, it may also fail as this. */
      readonly orFails?: readonly FailureType[]
      readonly usage: Usage
    }
  | {
      readonly ok: false
      readonly types: readonly FailureType[]
      readonly causes: readonly (FailureCause | null)[]
      /** Words of the other side that must reach the message. */
      readonly says?: string
      readonly retryAfterMs?: number
    }

export interface Scenario {
  readonly name: string
  readonly script: readonly Act[]
  readonly schema: JsonSchema | null
  readonly timeoutMs: number
  readonly maxReplyBytes: number
  /** When the asker gives up; 0 is before asking. */
  readonly abortAfterMs: number | null
  readonly expected: Expected
  /** How many requests reach the other side; null where a transport may need none, or more. */
  readonly requests: number | null
}

const NOTHING: Usage = { inputTokens: null, outputTokens: null }
const USAGE: Usage = { inputTokens: 11, outputTokens: 7 }
const FITS = '{"verdict":"adopt","confidence":0.75}'
const MISFITS = '{"verdict":"perhaps","confidence":0.75}'
/** More than one byte a letter, so that a wire that cuts letters shows. */
const SAID = 'Ja – 議会 🏛️, and "quotes" \\ too.\nA second line.'

const scenario = (
  name: string,
  script: readonly Act[],
  rest: Partial<Scenario> & Pick<Scenario, 'expected'>,
) => ({
  name,
  script,
  schema: null,
  timeoutMs: 20_000,
  maxReplyBytes: 1 << 20,
  abortAfterMs: null,
  requests: 1,
  ...rest,
})

const answer = (text: string, usage: Usage | null = USAGE): Act => ({ act: 'answer', text, usage })

const fails = (
  types: FailureType | readonly FailureType[],
  cause: FailureCause | null | readonly (FailureCause | null)[],
  says?: string,
): Expected => ({
  ok: false,
  types: typeof types === 'string' ? [types] : types,
  causes: cause === null || typeof cause === 'string' ? [cause] : cause,
  ...(says === undefined ? {} : { says }),
})

function refusedWith(
  kind: ErrorKind,
  type: FailureType,
  cause: FailureCause | null,
  words: string,
): Scenario {
  const message = `${words} (request with ${PLANTED_SECRET})`
  return scenario(`error: ${kind}`, [{ act: 'error', kind, message }], {
    expected: fails(type, cause, words),
  })
}

const waits = (as: 'seconds' | 'date', ms: number): Scenario =>
  scenario(
    `rate limit with Retry-After as ${as}`,
    [{ act: 'error', kind: 'rate_limit', message: 'Slow down, please.', retryAfter: { as, ms } }],
    { expected: { ...fails('rate_limit', null, 'Slow down, please.'), retryAfterMs: ms } as Expected },
  )

const told = (text: string, usage = USAGE): Expected => ({ ok: true, text, usage })
const ended = (how: 'length' | 'content_filter' | true, text?: string): Expected => ({
  ok: true,
  usage: NOTHING,
  ended: how,
  ...(text === undefined ? {} : { text }),
})

export const scenarios: readonly Scenario[] = [
  scenario('text', [answer(SAID)], { expected: told(SAID) }),
  scenario('object', [answer(FITS)], { schema: SHAPE, expected: told(FITS) }),
  scenario('object of another shape', [answer(MISFITS)], { schema: SHAPE, expected: told(MISFITS) }),
  scenario('prose for an object', [answer('I would adopt it.')], {
    schema: SHAPE,
    expected: told('I would adopt it.'),
  }),
  scenario('usage unknown', [answer(SAID, null)], { expected: told(SAID, NOTHING) }),
  scenario('empty answer', [answer('')], { expected: told('') }),
  scenario('cut off', [{ act: 'cut_off', text: 'It depends on' }], {
    expected: ended('length', 'It depends on'),
  }),
  scenario('refusal', [{ act: 'refusal' }], { expected: ended('content_filter') }),

  scenario('timeout in silence', [{ act: 'silence' }], {
    timeoutMs: 1_500,
    expected: fails('timeout', null),
  }),
  scenario('timeout in the middle', [{ act: 'stall', text: 'It dep' }], {
    timeoutMs: 1_500,
    expected: fails('timeout', null),
  }),
  scenario('abort before asking', [answer(SAID)], {
    abortAfterMs: 0,
    expected: fails('network', 'aborted'),
    requests: 0,
  }),
  scenario('abort in silence', [{ act: 'silence' }], {
    abortAfterMs: 1_000,
    expected: fails('network', 'aborted'),
  }),
  scenario('abort in the middle', [{ act: 'stall', text: 'It dep' }], {
    abortAfterMs: 1_000,
    expected: fails('network', 'aborted'),
  }),

  refusedWith('auth', 'auth', null, 'The key is not known here'),
  refusedWith('forbidden', 'auth', null, 'This key may not do that'),
  refusedWith('billing', 'auth', 'billing', 'Your credit balance is too low'),
  refusedWith('rate_limit', 'rate_limit', null, 'Too many requests of yours'),
  waits('seconds', 7_000),
  waits('date', 20_000),
  refusedWith('model_not_found', 'auth', 'model_not_found', 'The model `fake-1` does not exist'),
  refusedWith(
    'context_too_long',
    'parse_error',
    'context_too_long',
    'prompt is too long: 9 tokens > 8 maximum',
  ),
  refusedWith('server', 'network', 'server', 'Something broke on our side'),

  scenario('nobody there', [{ act: 'unreachable' }], {
    expected: fails('network', [null, 'unavailable']),
    requests: null,
  }),
  scenario('broken connection', [{ act: 'reset', text: 'It dep' }], { expected: fails('network', null) }),
  scenario('garbage', [{ act: 'garbage', text: '<html>Bad gateway or so</html>' }], {
    expected: fails('parse_error', null),
  }),
  scenario('truncated reply', [{ act: 'truncated', text: 'It dep' }], {
    expected: { ...ended(true, 'It dep'), orFails: ['parse_error', 'network'] } as Expected,
  }),
  scenario('endless reply', [{ act: 'flood' }], {
    maxReplyBytes: 200_000,
    expected: fails('parse_error', 'reply_too_large'),
  }),
  scenario('not there at all', [{ act: 'absent' }], {
    expected: fails(['auth', 'network'], ['unavailable', null]),
    requests: 0,
  }),
]
