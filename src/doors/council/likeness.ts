// What compares the recommendations of a council where its policy wants more than words compared: the home's encoder,
// the one that exchanges use. It is opened for that council alone, and its thread starts with the first text.

import type { Sense } from '../../senses/sense.ts'
import type { Home } from '../home.ts'
import type { CouncilBook } from './opening.ts'

/** Null where the policy of this council wants none. */
export async function encoderFor({ directory }: Home, { state }: CouncilBook): Promise<Sense | null> {
  if (!state.inner.opened?.policy.short_circuit.embeddings) return null
  const { openSense } = await import('../exchange/senses.ts')
  return openSense(directory)
}
