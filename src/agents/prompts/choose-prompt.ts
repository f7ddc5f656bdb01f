// Which prompt an asking is made of: by who is asked, and about what. The clerk asks with it and a verifier builds it
// again, both from the session as it stood when the call was started, no matter what has been said by others meanwhile.

import type { SessionState } from '../state.ts'
import type { Asked, AskedRole, Material, Prompt } from './material.ts'
import { criticPrompt, executorPrompt, plannerPrompt } from './prompts.ts'

export const ASKED_ROLES: readonly AskedRole[] = ['planner', 'executor', 'critic']

/** As the session stood when this call was started; null where no such call is open. */
export const askedFrom = (state: SessionState, action: string): SessionState | null =>
  state.asked.get(action) ?? null

/** Whether the session knows what the asking is about; it may have been erased. */
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
