// What the critics of a session said about a pending decision, and the policy that applies to it.

import type { SessionState } from '../../agents/state.ts'
import { artifactsOf, readPayload } from '../../ledger/event.ts'
import { type HomeLocation, withStore } from '../home/home.ts'

export interface SaidOf {
  readonly seat: string
  readonly verdict: string
  readonly reasons: readonly string[]
  /** For an approval: when it expires. */
  readonly expires: string | null
}

/** By models and by those who reviewed or approved it, in the order of their events. */
export function opinionsOn(state: SessionState, subject: string): readonly SaidOf[] {
  const thought = [...state.opinions].flatMap(([key, opinion]): SaidOf[] => {
    const [about = '', seat = ''] = key.split('/')
    if (about !== subject) return []
    return [
      opinion === 'failed'
        ? { seat, verdict: 'did not answer', reasons: [], expires: null }
        : { seat, verdict: opinion.verdict, reasons: opinion.reasons, expires: null },
    ]
  })
  const reviewed = [...(state.proposals.get(subject)?.reviews.values() ?? [])].map(
    ({ seat, verdict, reasons }): SaidOf => ({ seat, verdict, reasons, expires: null }),
  )
  const approved = (state.intents.get(subject)?.approvals ?? []).map(
    ({ seat, expires }): SaidOf => ({ seat, verdict: 'approved', reasons: [], expires }),
  )
  return [...thought, ...reviewed, ...approved]
}

/** As stated in a session's opening. */
const POLICY = 'policy.json'

/** The hash of the policy text of each session, by trace. */
export const policiesOf = (
  location: HomeLocation,
  traces: readonly string[],
): Promise<ReadonlyMap<string, string>> =>
  withStore(location, async (store) => {
    const policies = new Map<string, string>()
    for (const trace of new Set(traces))
      for await (const { payload } of store.read(trace, 0, 1)) {
        const opening = payload && readPayload(payload)
        const artifacts = typeof opening === 'object' && opening !== null ? artifactsOf(opening) : []
        const policy = artifacts.find(({ name }) => name === POLICY)
        if (policy) policies.set(trace, policy.hash)
      }
    return policies
  })
