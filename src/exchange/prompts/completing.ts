// Asks a mind, the auditor or the judge for what its answer lacks: the prompt that it answered, its answer
// between the marks of this prompt, and what is missing. Its own text is quoted as data here too, and shown
// to no other model.

import type { Sha256 } from '../../ledger/bytes.ts'
import { canonicalize } from '../../ledger/canonical.ts'
import type { PromptPart } from '../../ledger/prompt.ts'
import type { RawReply } from '../../ledger/raw-reply.ts'
import { type Fence, fenced } from '../../ledger/text/fence.ts'
import type { IncompleteReply, OpenRound } from '../state.ts'
import { ownPart, type Words } from './words.ts'

/** The part that holds the mind's own text. */
export const ANSWER = 'answer'
/** Ends the id of an action that asks for what an answer lacked. */
const COMPLETING = '/mend'
/** A mind that wrote a very long answer need not read all of it again. */
const ANSWER_CHARS = 24_000

export const completing = (action: string): string => `${action}${COMPLETING}`

/** Whether this action, with its attempt, asks for what an answer lacked. */
export const isCompleting = (action: string): boolean =>
  action.slice(0, action.lastIndexOf('/')).endsWith(COMPLETING)

/** What this action completes; null for a first asking. */
export const incompleteFor = (
  open: Pick<OpenRound, 'incomplete'> | null,
  mind: string,
  action: string,
): IncompleteReply | null => (isCompleting(action) ? (open?.incomplete.get(mind) ?? null) : null)

const written = (raw: RawReply | null): string => {
  if (!raw) return '(its bytes are not at hand)'
  const calls = (raw.tool_calls ?? []).map((call) => `${call.name}(${call.arguments})`)
  return [raw.text, ...calls].join('\n').slice(0, ANSWER_CHARS).toWellFormed()
}

export function completingParts(
  sha256: Sha256,
  fence: Fence,
  words: Words,
  lacking: IncompleteReply | null,
  answer: RawReply | null,
): readonly PromptPart[] {
  if (!lacking) return []
  const { event, raw, missing } = lacking
  const quoted = (name: string, kind: string, label: string, text: string, quotes: PromptPart['quotes']) => ({
    name,
    text: fenced(fence, kind, label, text),
    quotes,
    template: null,
  })
  return [
    ...(raw === null
      ? []
      : [quoted(ANSWER, 'answer', 'your earlier answer', written(answer), { kind: 'artifact', id: raw })]),
    quoted('missing', 'missing', 'what it lacks', canonicalize([...missing]), { kind: 'event', id: event }),
    ownPart(sha256, 'complete', words.complete),
  ]
}
