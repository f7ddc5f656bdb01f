// Events of an attached session hold only the hash of an input. Before a person is shown a pending decision,
// the inputs that it is about are read; an erased one stays unknown.

import type { Intent, SessionState } from '../../agents/state.ts'
import { artifactBytes } from '../../clerk/artifact-bytes.ts'
import type { Ports } from '../../clerk/ports.ts'

export async function withWaitingInputs(
  { store }: Pick<Ports, 'store'>,
  state: SessionState,
): Promise<SessionState> {
  const waiting = [...state.intents.values()].filter(
    ({ status, input, quote }) => status === 'signed' && input === null && quote !== null,
  )
  if (waiting.length === 0) return state
  const intents = new Map<string, Intent>(state.intents)
  for (const intent of waiting) {
    const bytes = await artifactBytes(store, intent.inputHash)
    if (bytes) intents.set(intent.id, { ...intent, input: JSON.parse(new TextDecoder().decode(bytes)) })
  }
  return { ...state, intents }
}
