// A branch starts in the state of its parent at the end of a round, and from then on the two are independent.
// The observer says what it takes along: the window, only the last audit, or nothing; pins are always
// included. What was open in the parent (a pause, a move, an order, an unanswered signal that this branch
// answers) is not open here.

import { misfit } from '../ledger/schema-fault.ts'
import type { Occurrence } from '../protocol.ts'
import { type BranchPayload, type Carry, payloadOf } from './events.ts'
import { enterPhase, settleSignal } from './evolve/steps.ts'
import { withDue } from './pool.ts'
import { BRANCH_SHAPE } from './schema.ts'
import { NO_SIGNAL } from './signal/dominance.ts'
import { NO_TRACKS } from './signal/signal-levels.ts'
import { type ExchangeState, INITIAL, type PendingFork } from './state.ts'
import type { Terms } from './terms.ts'

/** The content of the branch's first event, for a program that carries out the order. */
export const branchPayload = (
  state: ExchangeState,
  { order, event, by, signal }: PendingFork,
): BranchPayload => ({
  branch: { ...order, order: event, signal, by_policy: state.byPolicy + (by === 'policy' ? 1 : 0) },
})

function carryOver(state: ExchangeState, carry: Carry): ExchangeState {
  if (carry === 'window') return state
  const audit =
    carry === 'audit' ? [...state.protocol].reverse().find(({ kind }) => kind === 'audit') : undefined
  const minds = state.terms?.pool.minds ?? []
  return {
    ...state,
    pool: [],
    protocol: audit ? [audit] : [],
    due: audit ? withDue([], audit, minds) : [],
    pending: [],
    clusters: null,
    audited: null,
    scored: [],
    level: NO_SIGNAL,
    tracks: NO_TRACKS,
    series: [],
  }
}

/** Folds a branch's first event; the state is the parent's at the fork point. */
export function foldBranch(
  state: ExchangeState,
  event: Occurrence,
  amended: (state: ExchangeState, terms: unknown) => ExchangeState,
): ExchangeState {
  if (misfit(BRANCH_SHAPE, event.payload) !== null) return { ...state, trace: event.trace }
  const { branch } = payloadOf(event, 'trace_forked')
  const fresh: ExchangeState = {
    ...carryOver(state, branch.carry),
    trace: event.trace,
    round: null,
    judging: null,
    barren: 0,
    forks: [],
    movedTo: null,
    stopped: null,
    halted: false,
    unanswered: null,
    byPolicy: branch.by_policy,
    totals: INITIAL.totals,
  }
  const before: Terms | null = state.terms
  const next = branch.terms === null ? fresh : amended(fresh, branch.terms)
  if (!branch.signal) return next
  const { number } = branch.signal
  const quiet = { ...settleSignal(next, number), settling: null, signals: Math.max(next.signals, number) }
  return enterPhase(quiet, branch.signal, before)
}
