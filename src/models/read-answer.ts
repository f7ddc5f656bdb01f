// Whether an answer fits the shape that was asked for is judged here alone, whatever a vendor promises. One that does
// not is sent back once with what is wrong; time and tokens of both askings count together.

import type { ZodType } from 'zod'
import { type Json, parseJson } from '../ledger/canonical.ts'
import { isWitanError } from '../ledger/errors.ts'
import type { PromptPart } from '../ledger/prompt.ts'
import type { Failure, JsonSchema, Outcome, Reply, Request, Transport, Usage } from './model.ts'

export const UNKNOWN_USAGE: Usage = { inputTokens: null, outputTokens: null }

/** Enough to mend by; a model that errs everywhere need not read it all. */
const MOST_FAULTS = 20

type Judged = { readonly object: Json } | { readonly faults: string }

export function failed(
  fault: Pick<Failure, 'type' | 'cause' | 'message'> &
    Partial<Pick<Failure, 'retryAfterMs' | 'usage' | 'cost'>>,
  transport: Transport,
  latencyMs: number,
): Failure {
  return { ok: false, retryAfterMs: null, usage: UNKNOWN_USAGE, ...fault, transport, latencyMs }
}

const FENCE = '```'

/** What stands between the first and the last fence, unless the text is JSON from its first letter on. */
function unfenced(text: string): string {
  const [open, close] = [text.indexOf(FENCE), text.lastIndexOf(FENCE)]
  if (/^\s*[{[]/.test(text) || close <= open) return text
  return text.slice(text.indexOf('\n', open) + 1, close)
}

function parseAnswer(text: string): Judged {
  try {
    return { object: parseJson(unfenced(text)) }
  } catch (error) {
    if (!isWitanError(error)) throw error
    return { faults: `The answer is not JSON: ${error.message}` }
  }
}

const validators = new WeakMap<JsonSchema, ZodType>()

async function validatorOf(schema: JsonSchema): Promise<ZodType> {
  const known = validators.get(schema)
  if (known !== undefined) return known
  const { z } = await import('zod')
  const made = z.fromJSONSchema({ ...schema })
  validators.set(schema, made)
  return made
}

export async function judge(text: string, schema: JsonSchema): Promise<Judged> {
  const parsed = parseAnswer(text)
  if ('faults' in parsed) return parsed
  const checked = (await validatorOf(schema)).safeParse(parsed.object)
  if (checked.success) return parsed
  const faults = checked.error.issues.slice(0, MOST_FAULTS).map(({ path, message }) => {
    const place = path.length === 0 ? 'the answer' : path.map(String).join('.')
    return `${place}: ${message}`
  })
  return { faults: faults.join('\n') }
}

const own = (name: string, text: string): PromptPart => ({ name, text, quotes: null, template: null })

/** The same request, with the answer that did not fit and what is wrong with it. */
function mending(request: Request, answer: string, faults: string): Request {
  const words = [
    `Your answer was:\n${answer}`,
    `It does not have the shape asked for:\n${faults}`,
    `Answer again with only the corrected JSON, for this schema:\n${JSON.stringify(request.schema)}`,
  ]
  return { ...request, parts: [...request.parts, own('mending', words.join('\n\n'))] }
}

const sum = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : a + b)

const addUsage = (a: Usage, b: Usage): Usage => ({
  inputTokens: sum(a.inputTokens, b.inputTokens),
  outputTokens: sum(a.outputTokens, b.outputTokens),
})

function addCost(a: Reply['cost'], b: Reply['cost']): Reply['cost'] {
  if (a === null || b === null) return null
  return { usd: a.usd + b.usd, from: a.from === b.from ? a.from : 'prices' }
}

/**
 * Makes an answer of the wanted shape out of `once`, which asks once and gives text only (its `object` is not read).
 * Every mind's `ask` is this around its own wire.
 */
export async function answered(
  request: Request,
  once: (request: Request) => Promise<Outcome>,
  now: () => number = () => performance.now(),
): Promise<Outcome> {
  const start = now()
  const first = await once(request)
  if (!first.ok || request.schema === null) return first
  const tried = await judge(first.text, request.schema)
  if ('object' in tried) return { ...first, object: tried.object }

  const left = request.limits.timeoutMs - (now() - start)
  const again = mending(request, first.text, tried.faults)
  const second = await once({ ...again, limits: { ...request.limits, timeoutMs: Math.max(1, left) } })
  const latencyMs = now() - start
  const usage = addUsage(first.usage, second.usage)
  const cost = addCost(first.cost, second.cost ?? null)
  if (!second.ok) return { ...second, usage, cost, latencyMs }
  const mended = await judge(second.text, request.schema)
  if ('faults' in mended) {
    const message = `the answer did not have the shape asked for, and neither did the second: ${mended.faults}`
    return failed({ type: 'parse_error', cause: null, message, usage, cost }, second.transport, latencyMs)
  }
  return { ...second, object: mended.object, usage, cost, latencyMs, repaired: true }
}
