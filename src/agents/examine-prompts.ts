// Compares what a model was really shown and really answered with the trace. Every prompt is built again from
// the session as it was when the call started; the recorded request must be that prompt, part by part. Where
// a part quotes an artifact whose bytes are not available, only the rest is checked.

import { canonicalize, type Json, parseCanonical } from '../ledger/canonical.ts'
import { artifactsOf, type Payload } from '../ledger/event.ts'
import type { PromptPart } from '../ledger/prompt.ts'
import { RAW, readRaw } from '../ledger/raw-reply.ts'
import type { JsonSchema } from '../ledger/schema.ts'
import { misfit } from '../ledger/schema-fault.ts'
import type { Refusal } from '../protocol.ts'
import { isSameReading, type ReadingRecord } from '../reply/reading-record.ts'
import { editionOf } from './editions.ts'
import { EXECUTIONS, PROMPTED } from './erased-evidence.ts'
import { ASKED_ROLES, askedFrom, askedPrompt, canBuild } from './prompts/choose-prompt.ts'
import { incompleteFor } from './prompts/completing.ts'
import type { AskedRole, Material, Prompt } from './prompts/material.ts'
import { type Concluded, concludeAnswer, replyContext } from './read-answer.ts'
import { malformed, outOfOrder } from './refuse/refusals.ts'
import { REPLIES } from './replies.ts'
import type { SessionState } from './state.ts'

const REQUEST = 'request.json'
const REPLY = 'reply.json'
export const KEPT_OF_ASKING: readonly string[] = [REQUEST, REPLY, RAW]

const ANSWERED = '_answered'
const FAILED = '_failed'
const INCOMPLETE = '_incomplete'

const roleOf = (type: string): AskedRole | undefined =>
  ASKED_ROLES.find((role) => [ANSWERED, FAILED, INCOMPLETE].some((end) => type === `${role}${end}`))

export const isAsking = (type: string): boolean => roleOf(type) !== undefined

/** What this role may answer in this session. */
export const replyOf = ({ task }: SessionState, role: AskedRole): JsonSchema =>
  REPLIES[editionOf(task ?? {}).replies][role]

const OTHER = 'what the mind is said to have answered is not what was kept of its answer'
const OTHER_FAILURE = 'the failure is not the one that was kept of the answer'

type Content = Material['content']
type Members = { readonly [name: string]: Json }

/** Undefined when it is not available, null when it cannot be read. */
function keptAs(name: string, payload: Payload, content: Content): Members | null | undefined {
  const stored = artifactsOf(payload).find((artifact) => artifact.name === name)
  const bytes = stored ? content(stored.hash) : null
  if (!bytes) return undefined
  const value = parseCanonical(bytes)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : null
}

const isKept = (name: string, payload: Payload): boolean =>
  artifactsOf(payload).some((artifact) => artifact.name === name)

function partProblem(sent: PromptPart | undefined, built: PromptPart, content: Content): string | null {
  if (!sent) return `${built.name} was not shown`
  if (sent.name !== built.name) return `where ${built.name} belongs, something else was shown`
  const { quotes } = built
  const isOutOfReach = quotes?.kind === 'artifact' && content(quotes.id) === null
  const same = isOutOfReach
    ? canonicalize({ ...sent, text: '' }) === canonicalize({ ...built, text: '' })
    : canonicalize(sent) === canonicalize(built)
  return same ? null : `the part ${built.name} is not what the session gives`
}

/** What the edition alone says. */
function framingProblem(sent: Members, built: Prompt): string | null {
  if (sent.system !== built.system) return 'the words that set the mind up are not ours'
  return canonicalize(sent.schema ?? null) === canonicalize(built.schema)
    ? null
    : 'another answer was asked for'
}

function partsProblem(sent: Members, built: Prompt, content: Content): string | null {
  const parts = (Array.isArray(sent.parts) ? sent.parts : []) as readonly (Json & PromptPart)[]
  for (const [i, part] of built.parts.entries()) {
    const problem = partProblem(parts[i], part, content)
    if (problem) return problem
  }
  return parts.length > built.parts.length ? 'more was shown than the session gives' : null
}

export function examineRequest(
  state: SessionState,
  type: string,
  payload: Payload,
  material: Material,
): Refusal | null {
  const role = roleOf(type)
  const before = askedFrom(state, String(payload.action))
  if (!role || !before) return null
  if (!isKept(REQUEST, payload)) return malformed('what was asked is not recorded')
  const sent = keptAs(REQUEST, payload, material.content)
  if (sent === undefined) return null
  if (sent === null) return malformed('the recorded request cannot be read')
  const asked = { action: String(payload.action), subject: String(payload.subject ?? '') }
  if (!canBuild(role, before, asked.subject))
    return outOfOrder(`the ${role} was asked about nothing`, ...PROMPTED)
  const built = askedPrompt(role, before, asked, material)
  const set = framingProblem(sent, built)
  if (set !== null) return outOfOrder(`the ${role} was shown something else: ${set}`, 'session_initialized')
  const problem = partsProblem(sent, built, material.content)
  return problem === null ? null : outOfOrder(`the ${role} was shown something else: ${problem}`, ...PROMPTED)
}

function failureProblem(schema: JsonSchema, payload: Payload, reply: Members | null): boolean {
  if (reply?.ok !== true) return payload.error_type !== reply?.type
  return payload.error_type !== 'parse_error' || misfit(schema, reply.object ?? null) === null
}

function examineObject(
  state: SessionState,
  role: AskedRole,
  type: string,
  payload: Payload,
  content: Content,
): Refusal | null {
  const reply = keptAs(REPLY, payload, content)
  if (reply === undefined) return null
  if (type.endsWith(FAILED)) {
    const isOther = failureProblem(replyOf(state, role), payload, reply)
    return isOther ? malformed(OTHER_FAILURE) : null
  }
  const same =
    reply?.object !== undefined && canonicalize(reply.object) === canonicalize(payload.reply ?? null)
  return same ? null : malformed(OTHER)
}

/** Nothing was read: then no reply came, and the outcome says why. */
function examineSilence(payload: Payload, content: Content): Refusal | null {
  const reply = keptAs(REPLY, payload, content)
  if (reply === undefined) return null
  return reply?.ok === false && reply.type === payload.error_type ? null : malformed(OTHER_FAILURE)
}

function otherThan(conclusion: Concluded, type: string, payload: Payload): string | null {
  if (!isSameReading(conclusion.reading, payload.reading as Payload & ReadingRecord))
    return 'the reply was not read as recorded'
  if (!type.endsWith(`_${conclusion.is}`)) return 'something else follows from the reply'
  if (conclusion.is === 'answered')
    return canonicalize(conclusion.reply) === canonicalize(payload.reply ?? null) ? null : OTHER
  if (conclusion.is === 'incomplete') return null
  const isSame = payload.error_type === 'parse_error' && payload.error_message === conclusion.message
  return isSame ? null : OTHER_FAILURE
}

/** The raw reply is read again, against the session as it was when the model was asked. */
function examineRaw(
  state: SessionState,
  role: AskedRole,
  type: string,
  payload: Payload,
  content: Content,
): Refusal | null {
  if (payload.reading === null) return examineSilence(payload, content)
  const artifact = artifactsOf(payload).find(({ name }) => name === RAW)
  if (!artifact) return malformed('what was answered is not recorded')
  const action = String(payload.action)
  const before = askedFrom(state, action)
  const bytes = content(artifact.hash)
  const sent = keptAs(REQUEST, payload, content)
  if (!before || !bytes || !sent) return null
  const raw = readRaw(bytes)
  if (!raw) return malformed('the recorded reply cannot be read')
  const parts = (Array.isArray(sent.parts) ? sent.parts : []) as readonly (Json & PromptPart)[]
  const isCompleting = incompleteFor(before, action) !== null
  const conclusion = concludeAnswer(role, raw, replyContext(before, parts), isCompleting)
  const other = otherThan(conclusion, type, payload)
  return other === null ? null : malformed(other, ...EXECUTIONS, `${role}${INCOMPLETE}`)
}

export function examineReply(
  state: SessionState,
  type: string,
  payload: Payload,
  content: Content,
): Refusal | null {
  const role = roleOf(type)
  if (!role) return null
  if (!isKept(REPLY, payload)) return malformed('what was answered is not recorded')
  return editionOf(state.task ?? {}).replies === 1
    ? examineObject(state, role, type, payload, content)
    : examineRaw(state, role, type, payload, content)
}
