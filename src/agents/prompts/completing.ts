// Asks a model for what its answer lacks: the prompt that it answered, then its answer between the fences of
// this prompt, and what is missing. The model's own text is quoted as data here too.

import { canonicalize } from '../../ledger/canonical.ts'
import { readRaw } from '../../ledger/raw-reply.ts'
import { quotableArtifacts, type SessionState } from '../state.ts'
import { boundsUnusable, lacksArtifact } from '../unusable-answer.ts'
import type { Asked, Material, Writer } from './material.ts'
import type { Words } from './words.ts'

/** The part that holds the model's own text. */
export const ANSWER = 'answer'
/** Ends the id of an action that asks for what an answer lacked. */
const COMPLETING = '/mend'
/** A model that wrote a very long answer need not read all of it again. */
const ANSWER_CHARS = 24_000

export const completing = (action: string): string => `${action}${COMPLETING}`

/** Without the number of the attempt. */
export const baseOf = (action: string): string => action.slice(0, action.lastIndexOf('/'))

/** The action that this one completes; null for a first asking. */
export function incompleteFor(state: SessionState, action: string) {
  const base = baseOf(action)
  return base.endsWith(COMPLETING) ? (state.incomplete.get(base.slice(0, -COMPLETING.length)) ?? null) : null
}

function written({ content }: Material, hash: string): string {
  const bytes = content(hash)
  const raw = bytes && readRaw(bytes)
  if (!raw) return '(its bytes are not at hand)'
  const calls = (raw.tool_calls ?? []).map((call) => `${call.name}(${call.arguments})`)
  return [raw.text, ...calls].join('\n').slice(0, ANSWER_CHARS).toWellFormed()
}

export function writeCompleting(
  writer: Writer,
  state: SessionState,
  { action }: Asked,
  material: Material,
  { instructions, artifacts }: Words,
): void {
  const lacking = incompleteFor(state, action)
  if (!lacking) return
  const { event, raw, missing } = lacking
  if (raw !== null)
    writer.words(ANSWER, 'your earlier answer', written(material, raw), { kind: 'artifact', id: raw })
  const quotes = { kind: 'event', id: event } as const
  writer.words('missing', 'what it lacks', canonicalize([...missing]), quotes)
  if (boundsUnusable(state.task) && lacksArtifact(missing))
    writer.own('artifacts', ...artifacts(quotableArtifacts(state)))
  writer.own('complete', ...instructions.complete)
}
