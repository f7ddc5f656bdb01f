// The agents protocol, version 1. Guards that are specific to sessions are checked first, so that a fault
// gets its specific code; the rule that every action is answered once comes after them.

import type { Sha256 } from '../ledger/bytes.ts'
import { type WithOpenCalls, withCalls } from '../ledger/calls.ts'
import { withEditions } from '../ledger/editions.ts'
import type { Occurrence, Protocol } from '../protocol.ts'
import { OUTCOMES, STARTED } from './answered-action.ts'
import { warnOfGap } from './attached/gaps.ts'
import { decide } from './decide.ts'
import { KNOWN } from './editions.ts'
import { lacksOfAction } from './erased-evidence.ts'
import { agentsForm } from './evolve/snapshot.ts'
import { evolve } from './evolve.ts'
import { evidenceOf, examine, readsOf } from './examine.ts'
import { isTerminal } from './lifecycle.ts'
import { refuse } from './refuse.ts'

import { EMPTY, type SessionState } from './state.ts'

export const AGENTS_PROTOCOL = 'agents/1'

export type AgentsState = WithOpenCalls<SessionState>

export function agentsProtocol(sha256: Sha256): Protocol<AgentsState> {
  const inner: Protocol<SessionState> = {
    id: AGENTS_PROTOCOL,
    initial: EMPTY,
    evolve: (state, event) => evolve(state, event, sha256),
    refuse: () => null,
    decide: (state) => decide(state, sha256),
    finished: ({ phase }) => isTerminal(phase),
    evidence: evidenceOf,
    reads: readsOf,
    warns: warnOfGap,
    examine: (state, event, content) => examine(state, event, content, sha256),
    snapshot: agentsForm,
  }
  const called = withCalls(inner, { outcomes: OUTCOMES, started: STARTED, lacks: lacksOfAction })
  const guarded = {
    ...called,
    refuse: (state: AgentsState, event: Occurrence) =>
      refuse(state.inner, event, sha256) ?? called.refuse(state, event),
  }
  return withEditions(guarded, { opening: 'session_initialized', known: KNOWN })
}
