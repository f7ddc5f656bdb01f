// What was really shown to a mind and what it really answered, held against the minutes. Every prompt is built again
// from the session as it stood when the call was started; the recorded request must be that prompt, part by part. Of a
// part that quotes an artifact whose bytes are not at hand, only what it quotes is judged.

import { canonicalize, type Json, parseCanonical } from '../ledger/canonical.ts'
import { artifactsOf, type Payload } from '../ledger/event.ts'
import type { PromptPart } from '../ledger/prompt.ts'
import { type JsonSchema, misfit } from '../ledger/schema.ts'
import type { Refusal } from '../protocol.ts'
import { editionOf } from './editions.ts'
import { PROMPTED } from './lacks.ts'
import { ASKED_ROLES, askedFrom, askedPrompt, canBuild } from './prompts/asked.ts'
import type { AskedRole, Material, Prompt } from './prompts/material.ts'
import { malformed, outOfOrder } from './refuse/refusals.ts'
import { REPLIES } from './replies.ts'
import type { SessionState } from './state.ts'

const REQUEST = 'request.json'
const REPLY = 'reply.json'
export const KEPT_OF_ASKING: readonly string[] = [REQUEST, REPLY]

const ANSWERED = '_answered'
const FAILED = '_failed'

const roleOf = (type: string): AskedRole | undefined =>
  ASKED_ROLES.find((role) => type === `${role}${ANSWERED}` || type === `${role}${FAILED}`)

export const isAsking = (type: string): boolean => roleOf(type) !== undefined

/** What this role may answer in this session. */
export const replyOf = ({ task }: SessionState, role: AskedRole): JsonSchema =>
  REPLIES[editionOf(task ?? {}).replies][role]

type Content = Material['content']
type Members = { readonly [name: string]: Json }

/** Undefined when it is not at hand, null when it cannot be read. */
function keptAs(name: string, payload: Payload, content: Content): Members | null | undefined {
  const found = artifactsOf(payload).find((artifact) => artifact.name === name)
  const bytes = found ? content(found.hash) : null
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

function promptProblem(sent: Members, built: Prompt, content: Content): string | null {
  if (sent.system !== built.system) return 'the words that set the mind up are not ours'
  if (canonicalize(sent.schema ?? null) !== canonicalize(built.schema)) return 'another answer was asked for'
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
  const problem = promptProblem(sent, built, material.content)
  return problem === null ? null : outOfOrder(`the ${role} was shown something else: ${problem}`, ...PROMPTED)
}

function failureProblem(schema: JsonSchema, payload: Payload, reply: Members | null): boolean {
  if (reply?.ok !== true) return payload.error_type !== reply?.type
  return payload.error_type !== 'parse_error' || misfit(schema, reply.object ?? null) === null
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
  const reply = keptAs(REPLY, payload, content)
  if (reply === undefined) return null
  if (type.endsWith(FAILED)) {
    const isOther = failureProblem(replyOf(state, role), payload, reply)
    return isOther ? malformed('the failure is not the one that was kept of the answer') : null
  }
  const same =
    reply?.object !== undefined && canonicalize(reply.object) === canonicalize(payload.reply ?? null)
  return same ? null : malformed('what the mind is said to have answered is not what was kept of its answer')
}
