// A session of agents in the page.

import { agentsProtocol } from '../../../../agents/agents.ts'
import { resultJson, resultOf } from '../../../../agents/result.ts'
import type { SessionState } from '../../../../agents/state.ts'
import { sha256 } from '../../../../browser/bytes.ts'
import type { WithOpenCalls } from '../../../../ledger/calls.ts'
import type { Fold } from '../trace/fold.ts'
import { SessionSteps } from './session-steps.ts'

export interface AgentsFold extends Fold {
  readonly state: WithOpenCalls<SessionState>
  readonly steps: SessionSteps
}

export function agentsFold(): AgentsFold {
  const protocol = agentsProtocol(sha256)
  let state = protocol.initial
  const steps = new SessionSteps()
  let trace = ''
  return {
    steps,
    get state() {
      return state
    },
    take(event) {
      trace = event.trace
      state = protocol.evolve(state, event)
      steps.take(event)
    },
    result: () => resultJson(resultOf(trace, state.inner)),
  }
}
