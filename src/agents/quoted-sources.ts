// Which event each part of a prompt quotes. Facts that are recorded once keep their first event; of facts
// that are recorded repeatedly (the assessment of an intent, the answers of an executor) the latest counts.

import type { PromptPart } from '../ledger/prompt.ts'
import type { Occurrence } from '../protocol.ts'
import type { EventType } from './events.ts'
import { withEntry } from './evolve/shared-map.ts'
import type { SessionState } from './state.ts'

/** What a part can quote, under the name by which it is found. */
export const source = {
  proposal: (id: string) => `proposal/${id}`,
  review: (proposal: string, seat: string) => `review/${proposal}/${seat}`,
  intent: (id: string) => `intent/${id}`,
  assessment: (intent: string) => `assessment/${intent}`,
  answer: (subject: string) => `answer/${subject}`,
  claim: (id: string) => `claim/${id}`,
  challenge: (claim: string, index: number) => `challenge/${claim}/${index}`,
}

const ANEW: readonly EventType[] = ['intent_assessed', 'executor_answered']

/** Null for events that no prompt quotes. The state is the one after the event. */
function nameOf(
  state: SessionState,
  type: EventType,
  payload: { readonly [name: string]: unknown },
): string | null {
  const [proposal, intent, claim] = [String(payload.proposal), String(payload.intent), String(payload.claim)]
  switch (type) {
    case 'proposal_created':
      return source.proposal(proposal)
    case 'proposal_reviewed':
      return source.review(proposal, String(payload.seat))
    case 'tool_intent_signed':
      return source.intent(intent)
    case 'intent_assessed':
      return source.assessment(intent)
    case 'executor_answered':
      return source.answer(String(payload.subject))
    case 'claim_issued':
      return source.claim(claim)
    case 'claim_challenged':
      return source.challenge(claim, (state.claims.get(claim)?.challenges.length ?? 0) - 1)
    default:
      return null
  }
}

export function withSource(state: SessionState, event: Occurrence, type: EventType): SessionState {
  const name = nameOf(state, type, event.payload ?? {})
  if (name === null || (state.sources.has(name) && !ANEW.includes(type))) return state
  return { ...state, sources: withEntry(state.sources, name, `${event.trace}/${event.seq}`) }
}

/** How a prompt names the event that it quotes; null where the session does not know it. */
export function quoted(state: SessionState, name: string): PromptPart['quotes'] {
  const id = state.sources.get(name)
  return id === undefined ? null : { kind: 'event', id }
}
