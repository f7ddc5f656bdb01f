// Checks that need the bytes of artifacts, for verifiers: that a bundled claim quotes what its evidence
// contains, that every model was shown exactly what the session gives, and that its recorded answer is what
// it answered. A claim that was challenged and revised or withdrawn is not a fault.

import type { Sha256 } from '../ledger/bytes.ts'
import { artifactsOf } from '../ledger/event.ts'
import { MAX_READ_BYTES, type Occurrence, type Refusal } from '../protocol.ts'
import { checkQuotes } from './claiming.ts'
import { payloadOf, shapeFault } from './events.ts'
import { examineReply, examineRequest, isAsking, KEPT_OF_ASKING } from './examine-prompts.ts'
import { unproven } from './refuse/refusals.ts'
import type { SessionState } from './state.ts'

/** In an attached session the input of a blocked call can be quoted too. */
const EXECUTED = ['tool_intent_signed', 'tool_execution_completed', 'tool_execution_failed']

/** Claims and prompts can quote every artifact of an execution, and prompts the tools as they are defined. */
export function readsOf({ type, payload }: Occurrence): readonly string[] {
  if (!payload) return []
  const artifacts = artifactsOf(payload).filter(({ size }) => size <= MAX_READ_BYTES)
  if (EXECUTED.includes(type)) return artifacts.map(({ hash }) => hash)
  if (isAsking(type))
    return artifacts.flatMap(({ name, hash }) => (KEPT_OF_ASKING.includes(name) ? [hash] : []))
  if (type !== 'session_initialized' || shapeFault(type, payload)) return []
  const { tools } = payloadOf({ payload }, 'session_initialized')
  const definitions = tools.map(({ definition }) => definition)
  return artifacts.flatMap(({ hash }) => (definitions.includes(hash) ? [hash] : []))
}

function claimsIn(state: SessionState, { type, payload }: Occurrence) {
  if (type !== 'final_statement_signed' || !payload || shapeFault(type, payload)) return []
  const { claims } = payloadOf({ payload }, 'final_statement_signed')
  return claims.flatMap((id) => state.claims.get(id) ?? [])
}

/** The artifacts that the bundled claims are based on; the audit checks that they are intact. */
export const evidenceOf = (state: SessionState, event: Occurrence): readonly string[] => [
  ...new Set(claimsIn(state, event).flatMap(({ evidence }) => evidence.map(({ artifact }) => artifact))),
]

export function examine(
  state: SessionState,
  event: Occurrence,
  content: (hash: string) => Uint8Array | null,
  sha256: Sha256,
): Refusal | null {
  if (isAsking(event.type) && event.payload) {
    // Only the opening says which edition applies to prompts and answers.
    if (!state.task) return null
    const shown = examineRequest(state, event.type, event.payload, { sha256, content })
    // Differences that an erasure may explain hide no other fault.
    return shown && !shown.lacks ? shown : (examineReply(state, event.type, event.payload, content) ?? shown)
  }
  for (const { id, evidence } of claimsIn(state, event)) {
    const { contradicted } = checkQuotes(evidence, content)
    if (contradicted) return unproven(`${id} is bundled, but ${contradicted}`)
  }
  return null
}
