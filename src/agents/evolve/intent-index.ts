// Which intents of a session are open, and how many each proposal has. This is needed at every event, so it
// must not be searched among thousands of finished intents. It is kept beside the map of intents and updated
// with each change; where it is unknown, it is computed from all intents.

import { type Intent, isOpen, type SessionState } from '../state.ts'
import { withEntry } from './shared-map.ts'

type Intents = SessionState['intents']

interface IntentIndex {
  /** In the order of their signing. */
  readonly open: ReadonlyMap<string, Intent>
  /** By proposal. */
  readonly counts: ReadonlyMap<string, number>
}

const indexes = new WeakMap<Intents, IntentIndex>()

function indexOf(intents: Intents): IntentIndex {
  const known = indexes.get(intents)
  if (known) return known
  const open = new Map<string, Intent>()
  const counts = new Map<string, number>()
  for (const [id, intent] of intents) {
    if (isOpen(intent)) open.set(id, intent)
    counts.set(intent.proposal, (counts.get(intent.proposal) ?? 0) + 1)
  }
  const index = { open, counts }
  indexes.set(intents, index)
  return index
}

export function withIntent(intents: Intents, intent: Intent): Intents {
  const { open, counts } = indexOf(intents)
  const { id, proposal } = intent
  const before = intents.get(id)
  const changed = withEntry(intents, id, intent)
  // An intent that is reopened returns to its old place in the order; if its proposal changed, the counts change.
  const isReopened = before !== undefined && !isOpen(before) && isOpen(intent)
  if (isReopened || (before && before.proposal !== proposal)) return changed
  const next = new Map(open)
  if (isOpen(intent)) next.set(id, intent)
  else next.delete(id)
  const count = (counts.get(proposal) ?? 0) + 1
  indexes.set(changed, { open: next, counts: before ? counts : new Map(counts).set(proposal, count) })
  return changed
}

/** Of all proposals. */
export const openIntents = ({ intents }: SessionState): readonly Intent[] => [
  ...indexOf(intents).open.values(),
]

export const openIntentsOf = (state: SessionState, proposal: string): readonly Intent[] =>
  openIntents(state).filter((intent) => intent.proposal === proposal)

export const countIntents = ({ intents }: SessionState, proposal: string): number =>
  indexOf(intents).counts.get(proposal) ?? 0
