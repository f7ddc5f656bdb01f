// What only the bytes of artifacts can tell, judged by verifiers: that a bundled claim quotes what its evidence holds,
// and that what a mind is said to have answered is what it answered. A claim that was challenged and revised or
// withdrawn is history and no fault.

import { canonicalize, parseCanonical } from '../ledger/canonical.ts'
import { artifactsOf, type Payload } from '../ledger/event.ts'
import { MAX_READ_BYTES, type Occurrence, type Refusal } from '../protocol.ts'
import { weighQuotes } from './claiming.ts'
import type { Payloads } from './events.ts'
import { malformed, unproven } from './refusal.ts'
import type { SessionState } from './session.ts'
import { shapeFault } from './shapes.ts'

const REPLY = 'reply.json'
const ANSWERED = ['planner_answered', 'executor_answered', 'critic_answered']
const EXECUTED = ['tool_execution_completed', 'tool_execution_failed']

/** Claims can quote every artifact of an execution; replies are held against what was made of them. */
export function readsOf({ type, payload }: Occurrence): readonly string[] {
  if (!payload) return []
  const artifacts = artifactsOf(payload).filter(({ size }) => size <= MAX_READ_BYTES)
  if (EXECUTED.includes(type)) return artifacts.map(({ hash }) => hash)
  return ANSWERED.includes(type) ? artifacts.flatMap(({ name, hash }) => (name === REPLY ? [hash] : [])) : []
}

function claimsIn(state: SessionState, { type, payload }: Occurrence) {
  if (type !== 'final_statement_signed' || !payload || shapeFault(type, payload)) return []
  const { claims } = payload as unknown as Payloads['final_statement_signed']
  return claims.flatMap((id) => state.claims.get(id) ?? [])
}

/** The artifacts that the bundled claims stand on; that they are intact is for the audit to find. */
export const evidenceOf = (state: SessionState, event: Occurrence): readonly string[] => [
  ...new Set(claimsIn(state, event).flatMap(({ evidence }) => evidence.map(({ artifact }) => artifact))),
]

type Content = (hash: string) => Uint8Array | null

function examineReply(payload: Payload, content: Content): Refusal | null {
  const reply = artifactsOf(payload).find(({ name }) => name === REPLY)
  const bytes = reply && content(reply.hash)
  if (!bytes) return null
  const outcome = parseCanonical(bytes) as { readonly object?: unknown } | undefined
  const same = outcome?.object !== undefined && canonicalize(outcome.object) === canonicalize(payload.reply)
  return same ? null : malformed('what the mind is said to have answered is not what was kept of its answer')
}

export function examine(state: SessionState, event: Occurrence, content: Content): Refusal | null {
  if (ANSWERED.includes(event.type) && event.payload) return examineReply(event.payload, content)
  for (const { id, evidence } of claimsIn(state, event)) {
    const { contradicted } = weighQuotes(evidence, content)
    if (contradicted) return unproven(`${id} is bundled, but ${contradicted}`)
  }
  return null
}
