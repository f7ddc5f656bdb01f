// Chooses the prompt of an asking by who is asked, and about what. The clerk uses it to ask and a verifier to
// build the prompt again, both from the session as it was when the call started, regardless of later events.

import type { SessionState } from '../state.ts'
import type { Asked, AskedRole, Material, Prompt } from './material.ts'
import { criticPrompt, executorPrompt, plannerPrompt } from './prompts.ts'

export const ASKED_ROLES: readonly AskedRole[] = ['planner', 'executor', 'critic']

/** The session as it was when this call started; null where no such call is open. */
export const askedFrom = (state: SessionState, action: string): SessionState | null =>
  state.asked.get(action) ?? null

/** Whether the session knows the subject of the asking; it may have been erased. */
export function canBuild(role: AskedRole, state: SessionState, subject: string): boolean {
  if (!state.task) return false
  if (role === 'planner') return true
  const { proposals, intents, claims } = state
  const isKnown = proposals.has(subject) || claims.has(subject)
  return isKnown || (role === 'critic' && intents.has(subject))
}

export function askedPrompt(role: AskedRole, state: SessionState, asked: Asked, material: Material): Prompt {
  if (role === 'planner') return plannerPrompt(state, asked, material)
  return role === 'executor' ? executorPrompt(state, asked, material) : criticPrompt(state, asked, material)
}
