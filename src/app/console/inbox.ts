// What the critics of a session said of something before a person is asked about it.

import type { SessionState } from '../../agents/state.ts'

export interface SaidOf {
  readonly seat: string
  readonly verdict: string
  readonly reasons: readonly string[]
}

/** By minds and by whoever reviewed or approved it, in the order in which they spoke. */
export function opinionsOn(state: SessionState, subject: string): readonly SaidOf[] {
  const thought = [...state.opinions].flatMap(([key, opinion]): SaidOf[] => {
    const [about = '', seat = ''] = key.split('/')
    if (about !== subject) return []
    return [
      opinion === 'failed'
        ? { seat, verdict: 'did not answer', reasons: [] }
        : { seat, verdict: opinion.verdict, reasons: opinion.reasons },
    ]
  })
  const reviewed = [...(state.proposals.get(subject)?.reviews.values() ?? [])].map(
    ({ seat, verdict, reasons }): SaidOf => ({ seat, verdict, reasons }),
  )
  const approved = (state.intents.get(subject)?.approvals ?? []).map(
    ({ seat, expires }): SaidOf => ({ seat, verdict: 'approved', reasons: [`until ${expires}`] }),
  )
  return [...thought, ...reviewed, ...approved]
}
