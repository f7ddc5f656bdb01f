// What was really shown and really answered, held against the minutes. The recorded request must be what the open
// round gives: the terms of all three actors as they are in force, the messages of the sample and nothing else. The
// recorded reply, taken apart by the terms, must be the messages that were added. Only verifiers ask this.

import type { Sha256 } from '../ledger/bytes.ts'
import type { Json } from '../ledger/canonical.ts'
import { canonicalize, parseCanonical } from '../ledger/canonical.ts'
import { artifactsOf } from '../ledger/event.ts'
import type { PromptPart } from '../ledger/prompt.ts'
import { dimensionOf } from '../ledger/vector.ts'
import type { Occurrence, Refusal } from '../protocol.ts'
import { AUDIT_READERS } from './audit.ts'
import { editionOf } from './editions.ts'
import { payloadOf } from './events.ts'
import { COURSE, EDITION, POOL, TERMS } from './lacks.ts'
import { auditRequest, type ExchangeRequest, mindRequest } from './prompts/request.ts'
import { lacking, misshapen } from './refuse/refusals.ts'
import { REPLY_READERS } from './split-reply.ts'
import type { ExchangeState } from './state.ts'

const ASKINGS = new Set(['mind_wrote', 'mind_failed', 'audit_written', 'audit_failed'])
export const VECTORS = 'vectors.bin'

type Content = (hash: string) => Uint8Array | null

const named = (event: Occurrence, name: string): string | undefined =>
  artifactsOf(event.payload ?? {}).find((artifact) => artifact.name === name)?.hash

export function reads(event: Occurrence): readonly string[] {
  if (!ASKINGS.has(event.type)) return []
  return ['request.json', 'reply.json'].flatMap((name) => named(event, name) ?? [])
}

/** Undefined when it is not at hand, null when it cannot be read. */
function contentOf(
  event: Occurrence,
  name: string,
  content: Content,
): { [name: string]: Json } | null | undefined {
  const hash = named(event, name)
  const bytes = hash === undefined ? null : content(hash)
  if (!bytes) return undefined
  const value = parseCanonical(bytes)
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? (value as { [name: string]: Json }) : null
}

/** What is wrong, and which events, once erased, could be why. */
interface Problem {
  readonly message: string
  readonly lacks: readonly string[]
}

function differs(found: PromptPart | undefined, { name, quotes }: PromptPart): Problem {
  const lacks = quotes?.kind === 'terms' ? TERMS : COURSE
  if (!found) return { message: `${name} was not shown`, lacks }
  return found.name === name
    ? { message: `the part ${name} is not what was in force`, lacks }
    : { message: `where ${name} belongs, something else was shown`, lacks }
}

function requestProblem(found: { [name: string]: Json }, expected: ExchangeRequest): Problem | null {
  const lacks = [EDITION]
  if (found.system !== expected.system)
    return { message: 'the words that set the mind up are not ours', lacks }
  if (canonicalize(found.schema ?? null) !== canonicalize(expected.schema))
    return { message: 'another answer was asked for', lacks }
  const parts = (Array.isArray(found.parts) ? found.parts : []) as readonly PromptPart[]
  for (const [i, part] of expected.parts.entries()) {
    const other = parts[i]
    if (!other || canonicalize(other) !== canonicalize(part)) return differs(other, part)
  }
  return parts.length > expected.parts.length
    ? { message: 'more was shown than the sample holds', lacks: COURSE }
    : null
}

function shownProblem(expected: ExchangeRequest | null, event: Occurrence, content: Content): Refusal | null {
  const found = contentOf(event, 'request.json', content)
  if (found === undefined || !expected) return null
  if (found === null) return misshapen('the recorded request cannot be read')
  const problem = requestProblem(found, expected)
  return problem && lacking(`the prompt is not legible by the terms: ${problem.message}`, ...problem.lacks)
}

function writtenProblem(
  state: ExchangeState,
  event: Occurrence,
  reply: { [name: string]: Json },
): string | null {
  const terms = state.round?.under
  if (!terms) return null
  if (reply.ok !== true || typeof reply.text !== 'string') return 'there was no reply'
  const { messages, dropped, private_chars } = payloadOf(event, 'mind_wrote')
  const apart = REPLY_READERS[editionOf(state).replies](reply.text, terms.pool)
  if (canonicalize(apart.messages) !== canonicalize(messages))
    return 'its messages are not those of the reply'
  if (apart.dropped !== dropped) return 'what was dropped is counted wrongly'
  return apart.private.length === private_chars ? null : 'what is private is counted wrongly'
}

function auditProblem(
  state: ExchangeState,
  event: Occurrence,
  reply: { [name: string]: Json },
): string | null {
  const { round } = state
  if (!round) return null
  const read = AUDIT_READERS[editionOf(state).audits](reply.object ?? null, {
    material: round.material,
    clusters: state.clusters?.notes ?? [],
  })
  if (typeof read === 'string') return read
  const { summary, points, rejected, left_out } = payloadOf(event, 'audit_written')
  const said = { summary, points, rejected, left_out }
  return canonicalize(said) === canonicalize(read) ? null : 'it is not what the auditor replied'
}

function repliedProblem(state: ExchangeState, event: Occurrence, content: Content): Refusal | null {
  const reply = contentOf(event, 'reply.json', content)
  if (reply === undefined) return null
  if (reply === null) return misshapen('the recorded reply cannot be read')
  const isMind = event.type === 'mind_wrote'
  const problem = isMind ? writtenProblem(state, event, reply) : auditProblem(state, event, reply)
  const lacks = isMind ? TERMS : POOL
  return problem ? lacking(`${event.type} does not follow from the reply: ${problem}`, ...lacks) : null
}

/** The vectors are as many and as long as the event says; what they say is for the eye that draws them. */
export function vectorsProblem(event: Occurrence): string | null {
  const { encoder, messages } = payloadOf(event, 'messages_embedded')
  const artifact = artifactsOf(event.payload ?? {}).find(({ name }) => name === VECTORS)
  if (!artifact) return 'the vectors are not kept'
  const size = messages.length * dimensionOf(encoder) * 2
  return artifact.size === size
    ? null
    : `${messages.length} vectors of ${encoder} are not ${artifact.size} bytes`
}

export function examineWith(sha256: Sha256) {
  return function examine(state: ExchangeState, event: Occurrence, content: Content): Refusal | null {
    if (!ASKINGS.has(event.type)) return null
    const isMind = event.type.startsWith('mind_')
    const action = String(event.payload?.action)
    const expected = isMind
      ? mindRequest(sha256, state, { action, mind: String(event.payload?.mind) })
      : auditRequest(sha256, state, action)
    const shown = shownProblem(expected, event, content)
    if (event.type.endsWith('_failed')) return shown
    // What may be due to an erasure hides nothing that is not.
    return shown && !shown.lacks ? shown : (repliedProblem(state, event, content) ?? shown)
  }
}
