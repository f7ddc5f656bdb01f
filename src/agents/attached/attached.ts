// An attached session: the executor is a host, a program that is not ours and acts by itself. Its intents
// come unasked and several may be open at once. The host runs its calls, so an open call belongs to the
// host's session and to no process of ours. There are no limits of steps, repeats or minutes, since nothing
// here decides what comes next.

import { editionOf } from '../editions.ts'
import type { Payloads } from '../events.ts'
import { openIntentsOf } from '../evolve/intent-index.ts'
import { withEntry } from '../evolve/shared-map.ts'
import type { Ending, Intent, Proposal, SessionState } from '../state.ts'
import type { Plan, Task } from '../task.ts'

export const isAttached = (task: Task): boolean =>
  task.roles.executor.kind === 'attached' && editionOf(task).attaches

/** The program and its version, as the host reports them. */
export const hostOf = ({ roles: { executor } }: Task): string =>
  `${executor.host ?? 'the host'} ${executor.version ?? ''}`.trim()

/** Why a standing order is invalid: it must contain no steps and no claims. */
export function orderFault({ required_tools, steps = [], claims = [] }: Plan): string | null {
  if (required_tools.length === 0) return 'the standing order allows no tool'
  return steps.length + claims.length > 0 ? 'a standing order has no steps and no claims' : null
}

/** Tools that a standing order allows, by name; a star at the end matches any rest. */
export const isOrdered = ({ required_tools }: Plan, tool: string): boolean =>
  required_tools.some((name) => (name.endsWith('*') ? tool.startsWith(name.slice(0, -1)) : name === tool))

/** The host started it and has not reported how it ended. */
export const isUnderWay = ({ status }: Intent): boolean => status === 'started' || status === 'lost'

/** It ends with the host's session, once none of its calls is open; nothing says whether the order was carried out. */
export function attachedEnding(state: SessionState, task: Task, { id }: Proposal): Ending | null {
  if (state.hostEnded === null || openIntentsOf(state, id).some(isUnderWay)) return null
  return { outcome: 'succeeded', reason: `the session of ${hostOf(task)} is over: ${state.hostEnded}` }
}

/** By which the same gap is not recorded twice. */
export const gapKey = ({ why, call }: Pick<Payloads['gap_recorded'], 'why' | 'call'>): string =>
  `${why} ${call ?? ''}`

/** What an intent of a host makes known: how its tool is defined, and an input that can be quoted though it never runs. */
export function withLearned(state: SessionState, payload: Payloads['tool_intent_signed']): SessionState {
  if (!state.task || !isAttached(state.task)) return state
  const { tool, definition, input_hash: input, intent, artifacts } = payload
  const size = artifacts.find(({ hash }) => hash === input)?.size ?? Number.POSITIVE_INFINITY
  return {
    ...state,
    learned: withEntry(state.learned, tool, definition),
    produced: state.produced.has(input) ? state.produced : withEntry(state.produced, input, { intent, size }),
  }
}
