// The description of each intent of a session, from earlier events: an intent names the step of a plan or
// follows an answer of the executor, which contains the tool's input. Later events name only the intent.

import { payloadOf } from '../../agents/events.ts'
import type { Json } from '../../ledger/canonical.ts'
import type { Occurrence } from '../../protocol.ts'
import { actWords } from '../call-words.ts'

/** Reads the events of a trace in order, and returns the description of each one's intent; null where that is unknown. */
export type Acts = (event: Occurrence) => string | null

export function followActs(): Acts {
  const steps = new Map<string, Json>()
  const answers = new Map<string, Json>()
  const acts = new Map<string, string>()
  const place = (proposal: string, step: string): string => `${proposal} ${step}`
  return (event) => {
    const { type, payload } = event
    if (payload === null) return null
    if (type === 'proposal_created') {
      const { proposal, steps: written = [] } = payloadOf(event, 'proposal_created')
      for (const { id, input } of written) steps.set(place(proposal, id), input)
    } else if (type === 'executor_answered') {
      const { subject, reply } = payloadOf(event, 'executor_answered')
      if ('intent' in reply) answers.set(subject, reply.intent.input)
    } else if (type === 'tool_intent_signed') {
      const { intent, proposal, step, tool } = payloadOf(event, 'tool_intent_signed')
      const input = step === null ? answers.get(proposal) : steps.get(place(proposal, step))
      if (input !== undefined) acts.set(intent, actWords(tool, input))
    }
    return typeof payload.intent === 'string' ? (acts.get(payload.intent) ?? null) : null
  }
}
