// A session of agents in the page.

import { agentsProtocol } from '../../../../agents/agents.ts'
import { resultOf } from '../../../../agents/result.ts'
import type { SessionState } from '../../../../agents/state.ts'
import { sha256 } from '../../../../browser/bytes.ts'
import type { Called } from '../../../../ledger/calls.ts'
import type { Fold } from '../trace/fold.ts'

export interface AgentsFold extends Fold {
  readonly state: Called<SessionState>
}

export function agentsFold(): AgentsFold {
  const protocol = agentsProtocol(sha256)
  let state = protocol.initial
  let trace = ''
  return {
    get state() {
      return state
    },
    take(event) {
      trace = event.trace
      state = protocol.evolve(state, event)
    },
    result: () => resultOf(trace, state.inner),
  }
}
