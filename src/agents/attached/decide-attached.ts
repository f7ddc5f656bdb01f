// What happens next under a standing order: each intent goes its way by itself, and the host's next call and the end of each
// call that it runs are waited for. Once the host's session is over, what it left open is marked and nothing more is
// approved.

import type { Action } from '../../protocol.ts'
import { countIntents, openIntentsOf } from '../evolve/intent-index.ts'
import { park, record } from '../signable-actions.ts'
import type { Intent, Proposal, SessionState } from '../state.ts'
import type { Task } from '../task.ts'
import { hostOf, isUnderWay } from './attached.ts'

const UNFINISHED = 'the session of the host ended before it said how the call ended'

/** What is approved starts when the host makes the call, now or once more, and never by itself. */
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
