// Compares what was really shown and really answered with the trace. The recorded request must be what the
// open round gives: the current terms of all three actors, the messages of the sample and nothing else. The
// recorded reply, split by the terms, must be the messages that were added. Used only by verifiers.

import type { Sha256 } from '../ledger/bytes.ts'
import { canonicalize, type Json, parseCanonical } from '../ledger/canonical.ts'
import { artifactsOf } from '../ledger/event.ts'
import type { PromptPart } from '../ledger/prompt.ts'
import { RAW, type RawReply } from '../ledger/raw-reply.ts'
import { dimensionOf } from '../ledger/vector.ts'
import type { Lack, Occurrence, Refusal } from '../protocol.ts'
import { AUDIT_READERS } from './audit.ts'
import { editionOf } from './editions.ts'
import { payloadOf } from './events.ts'

import { earlierAnswer, readingProblem } from './examine-reply.ts'
import { isCompleting } from './prompts/completing.ts'
import { auditRequest, type ExchangeRequest, judgeRequest, mindRequest } from './prompts/request.ts'
import { DECOYS } from './prompts/words.ts'
import { courseSince, EDITION, lacking, misshapen, POOL, termsSince } from './refuse/refusals.ts'
import { takeApart } from './split-reply.ts'
import type { ExchangeState } from './state.ts'

const ASKINGS = new Set([
  'mind_wrote',
  'mind_failed',
  'mind_incomplete',
  'audit_written',
  'audit_failed',
  'audit_incomplete',
  'restart_judged',
  'judge_failed',
  'judge_incomplete',
])

export const VECTORS = 'vectors.bin'

type Content = (hash: string) => Uint8Array | null

const named = (event: Occurrence, name: string): string | undefined =>
  artifactsOf(event.payload ?? {}).find((artifact) => artifact.name === name)?.hash

export function reads(event: Occurrence): readonly string[] {
  if (!ASKINGS.has(event.type)) return []
  return ['request.json', 'reply.json', RAW].flatMap((name) => named(event, name) ?? [])
}

/** Undefined when it is not available, null when it cannot be read. */
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

/** The event that stated the terms which the open round runs under. */
const sinceOf = ({ round, termsSince: since }: ExchangeState): string => round?.underSince ?? since

/** What is wrong, and which events, once erased, could explain it. */
interface Problem {
  readonly message: string
  readonly lacks: readonly Lack[]
}

function differs(other: PromptPart | undefined, { name, quotes }: PromptPart, since: string): Problem {
  const lacks = quotes?.kind === 'terms' ? termsSince(since) : courseSince(since)
  if (!other) return { message: `${name} was not shown`, lacks }
  return other.name === name
    ? { message: `the part ${name} is not what was in force`, lacks }
    : { message: `where ${name} belongs, something else was shown`, lacks }
}

/** Of a part that quotes an artifact which is not available, only what it quotes is judged. */
function isSamePart(shown: PromptPart, part: PromptPart, content: Content): boolean {
  const isAway = part.quotes?.kind === 'artifact' && content(part.quotes.id) === null
  const judged = ({ text, ...rest }: PromptPart) => canonicalize(isAway ? rest : { text, ...rest })
  return judged(shown) === judged(part)
}

function requestProblem(
  request: { [name: string]: Json },
  expected: ExchangeRequest,
  since: string,
  content: Content,
): Problem | null {
  const lacks = [EDITION]
  if (request.system !== expected.system)
    return { message: 'the words that set the mind up are not ours', lacks }
  if (canonicalize(request.schema ?? null) !== canonicalize(expected.schema))
    return { message: 'another answer was asked for', lacks }
  const parts = (Array.isArray(request.parts) ? request.parts : []) as readonly PromptPart[]
  for (const [i, part] of expected.parts.entries()) {
    const other = parts[i]
    if (!other || !isSamePart(other, part, content)) return differs(other, part, since)
  }
  return parts.length > expected.parts.length
    ? { message: 'more was shown than the sample holds', lacks: courseSince(since) }
    : null
}

function shownProblem(
  expected: ExchangeRequest | null,
  event: Occurrence,
  content: Content,
  since: string,
): Refusal | null {
  const recordedRequest = contentOf(event, 'request.json', content)
  if (recordedRequest === undefined || !expected) return null
  if (recordedRequest === null) return misshapen('the recorded request cannot be read')
  const problem = requestProblem(recordedRequest, expected, since, content)
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
  const apart = takeApart(reply.text, terms.pool)
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
  const recorded = { summary, points, rejected, left_out }
  return canonicalize(recorded) === canonicalize(read) ? null : 'it is not what the auditor replied'
}

interface Replied {
  readonly problemOf: (
    state: ExchangeState,
    event: Occurrence,
    reply: { [name: string]: Json },
  ) => string | null
  readonly lacksOf: (state: ExchangeState) => readonly Lack[]
}

/** Of an audit whose every message is available, only the clusters may be missing. */
function auditLacks({ round }: ExchangeState): readonly Lack[] {
  const isWhole = round?.samples.every(({ messages }) => messages.every((id) => round.material.has(id)))
  return isWhole ? ['messages_embedded', 'reembedded'] : POOL
}

/** Of a judgement whose every message is available, nothing. */
function judgedLacks(state: ExchangeState): readonly Lack[] {
  const { judging } = state
  const isWhole = judging?.shown.every((id) => judging.material.has(id) || DECOYS.has(id))
  return isWhole ? [] : courseSince(sinceOf(state))
}

const AUDITED: Replied = { problemOf: auditProblem, lacksOf: auditLacks }
const REPLIES: { readonly [type: string]: Replied } = {
  mind_wrote: { problemOf: writtenProblem, lacksOf: (state) => termsSince(sinceOf(state)) },
}

function repliedProblem(state: ExchangeState, event: Occurrence, content: Content): Refusal | null {
  const reply = contentOf(event, 'reply.json', content)
  if (reply === undefined) return null
  if (reply === null) return misshapen('the recorded reply cannot be read')
  const { problemOf, lacksOf } = REPLIES[event.type] ?? AUDITED
  const problem = problemOf(state, event, reply)
  const lacks = lacksOf(state)
  return problem ? lacking(`${event.type} does not follow from the reply: ${problem}`, ...lacks) : null
}

/** What the reading of a raw reply depends on. */
interface Read {
  readonly lacksOf: (state: ExchangeState) => readonly Lack[]
  readonly incomplete: string
}

const READ_JUDGEMENT: Read = { lacksOf: judgedLacks, incomplete: 'judge_incomplete' }
const READ: { readonly [kind: string]: Read } = {
  mind: { lacksOf: (state) => termsSince(sinceOf(state)), incomplete: 'mind_incomplete' },
  audit: { lacksOf: auditLacks, incomplete: 'audit_incomplete' },
}

function rawProblem(state: ExchangeState, event: Occurrence, content: Content): Refusal | null {
  const sent = contentOf(event, 'request.json', content)
  if (!sent) return null
  const parts = (Array.isArray(sent.parts) ? sent.parts : []) as readonly PromptPart[]
  const problem = readingProblem(state, event, content, parts)
  const [kind = ''] = event.type.split('_')
  const isAgain = isCompleting(String(event.payload?.action))
  const { lacksOf, incomplete } = READ[kind] ?? READ_JUDGEMENT
  const lacks = [...lacksOf(state), ...(isAgain ? [incomplete] : [])]
  return problem ? lacking(`${event.type} does not follow from the reply: ${problem}`, ...lacks) : null
}

/** The vectors have the number and length that the event states; their values are not checked. */
export function vectorsProblem(event: Occurrence): string | null {
  const { encoder, messages } = payloadOf(event, 'messages_embedded')
  const artifact = artifactsOf(event.payload ?? {}).find(({ name }) => name === VECTORS)
  if (!artifact) return 'the vectors are not kept'
  const size = messages.length * dimensionOf(encoder) * 2
  return artifact.size === size
    ? null
    : `${messages.length} vectors of ${encoder} are not ${artifact.size} bytes`
}

function requestOf(
  sha256: Sha256,
  state: ExchangeState,
  event: Occurrence,
  answer: RawReply | null,
): ExchangeRequest | null {
  const action = String(event.payload?.action)
  if (event.type.startsWith('mind_'))
    return mindRequest(sha256, state, { action, mind: String(event.payload?.mind), answer })
  const isAudit = event.type.startsWith('audit_')
  return (isAudit ? auditRequest : judgeRequest)(sha256, state, action, answer)
}

export function examineWith(sha256: Sha256) {
  return function examine(state: ExchangeState, event: Occurrence, content: Content): Refusal | null {
    // Only the opening says which edition applies to prompts and answers.
    if (!ASKINGS.has(event.type) || state.encoder === '') return null
    const expected = requestOf(sha256, state, event, earlierAnswer(state, event, content))
    const shown = shownProblem(expected, event, content, sinceOf(state))
    const isFirst = editionOf(state).replies === 1
    if (isFirst && event.type.endsWith('_failed')) return shown
    // Differences that an erasure may explain hide no other fault.
    if (shown && !shown.lacks) return shown
    return (isFirst ? repliedProblem : rawProblem)(state, event, content) ?? shown
  }
}
