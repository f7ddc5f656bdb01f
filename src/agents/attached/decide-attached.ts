// Decides the next action of a standing order. Each intent is handled separately; the session waits for the
// host's next call and for the end of each running call. When the host's session is over, calls that it left
// open are marked and nothing more is approved.

import type { Action } from '../../protocol.ts'
import { countIntents, openIntentsOf } from '../evolve/intent-index.ts'
import { park, record } from '../signable-actions.ts'
import type { Intent, Proposal, SessionState } from '../state.ts'
import type { Task } from '../task.ts'
import { hostOf, isUnderWay } from './attached.ts'

const UNFINISHED = 'the session of the host ended before it said how the call ended'

/** An approved call starts when the host makes it, now or again later, and never by itself. */
const waitForHost = (action: Action, host: string): Action =>
  action.id.startsWith('start/')
    ? { ...action, call: 'park', waitsFor: `${host}: the same call`, input: { ...action.input, host } }
    : action

export function decideAttached(
  state: SessionState,
  task: Task,
  proposal: Proposal,
  pursue: (intent: Intent) => Action,
): readonly Action[] {
  const open = openIntentsOf(state, proposal.id)
  const host = hostOf(task)
  if (state.hostEnded !== null) {
    const { agent } = task.roles.executor
    const by = { type: 'tool_execution_indeterminate', agent, role: 'executor' } as const
    return open
      .filter(isUnderWay)
      .map(({ id }) => record(`mark/${id}`, { ...by, payload: { intent: id, reason: UNFINISHED } }))
  }
  const next = `${proposal.id}-i${countIntents(state, proposal.id) + 1}`
  return [
    ...open.filter(({ status }) => status === 'signed').map((intent) => waitForHost(pursue(intent), host)),
    ...open.filter(isUnderWay).map(({ id }) => park(`tool/${id}`, `${host}: the end of ${id}`, { host: id })),
    park(`intent/${next}`, `${host}: its next call`, { host: next }),
  ]
}
