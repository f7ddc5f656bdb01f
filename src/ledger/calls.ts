// Calls that cost money or have effects are announced before they are made and answered at most once. This
// wraps a protocol with that rule, so that no protocol implements it again: `call_started` opens a call,
// exactly one event that names its action closes it, and a call whose clerk died is closed visibly: an ask as
// lost (and asked again under the next attempt), a tool as indeterminate (and never run again, no matter what
// the protocol requests). Answers are recognised by event type, not by what they name: otherwise an answer
// that names nothing would escape the rule.

import type { Action, Lack, Occurrence, Protocol, Refusal, SnapshotForm } from '../protocol.ts'
import type { Json } from './canonical.ts'
import { asJson } from './canonical.ts'
import { FORKED } from './fork.ts'

/** The role under which calls are started and given up. */
export const CLERK = 'clerk'
/** Durable before every call that costs or changes something. */
export const CALL_STARTED = 'call_started'
/** A requested answer never came; it may be requested again, visibly. */
export const CALL_LOST = 'call_lost'
/** A tool was started and its outcome is unknown; it is never run again. */
export const CALL_INDETERMINATE = 'call_indeterminate'

/** A call that was started and has no outcome yet. */
export interface OpenCall {
  readonly action: string
  readonly call: 'ask' | 'tool'
  readonly clerk: string
}

/** The state of a protocol together with the calls that are open in it. */
export interface WithOpenCalls<State> {
  readonly inner: State
  readonly open: ReadonlyMap<string, OpenCall>
  /** How often the action of this id was lost so far. */
  readonly lost: ReadonlyMap<string, number>
  /** Tools whose execution is uncertain. */
  readonly indeterminate: ReadonlySet<string>
}

/** Event type → first part of the id of the actions that it answers, for example `{ answer_given: 'ask' }`. */
export type Outcomes = Readonly<Record<string, string>>

/** What a protocol says about its actions. */
export interface CallRules<State> {
  readonly outcomes: Outcomes
  /** First parts of the ids of actions that are started before they are answered; the start is never erased. */
  readonly started: readonly string[]
  /** What, once erased, may explain why an action is not requested here. */
  readonly lacks: (state: State, action: string) => readonly Lack[]
}

const order = (message: string): Refusal => ({ code: 'ORDER_VIOLATION', message })
const actionOf = (event: Occurrence): string | null =>
  typeof event.payload?.action === 'string' ? event.payload.action : null
const baseOf = (action: string): string => action.slice(0, action.lastIndexOf('/'))
const kindOf = (action: string): string => action.slice(0, action.indexOf('/'))
const NOTHING_OPEN = { open: new Map(), lost: new Map(), indeterminate: new Set<string>() } as const

function without<Value>(map: ReadonlyMap<string, Value>, key: string): ReadonlyMap<string, Value> {
  if (!map.has(key)) return map
  const copy = new Map(map)
  copy.delete(key)
  return copy
}

const isCall = (type: string): boolean =>
  type === CALL_STARTED || type === CALL_LOST || type === CALL_INDETERMINATE

interface Taken {
  readonly inner: Json
  readonly open: readonly OpenCall[]
  readonly lost: readonly (readonly [string, number])[]
  readonly indeterminate: readonly string[]
}

function calledForm<State>(form: SnapshotForm<State>): SnapshotForm<WithOpenCalls<State>> {
  return {
    id: `${form.id} calls/1`,
    take({ inner, open, lost, indeterminate }) {
      const taken = form.take(inner)
      if (taken === null) return null
      const all: Taken = {
        inner: taken,
        open: [...open.values()],
        lost: [...lost],
        indeterminate: [...indeterminate],
      }
      return asJson(all)
    },
    restore(taken) {
      const { inner, open, lost, indeterminate } = taken as Json & Taken
      return {
        inner: form.restore(inner),
        open: new Map(open.map((call) => [call.action, call])),
        lost: new Map(lost),
        indeterminate: new Set(indeterminate),
      }
    },
  }
}

/** A protocol that also tracks its calls: each is started once and has one outcome. */
export function withCalls<State>(
  inner: Protocol<State>,
  calling: CallRules<State>,
): Protocol<WithOpenCalls<State>> {
  const answers = new Map(Object.entries(calling.outcomes))
  const unasked = ({ inner: state }: WithOpenCalls<State>, action: string, message: string): Refusal => ({
    ...order(message),
    lacks: calling.lacks(state, action),
  })

  /** A state never changes, and is asked by the clerk and by the guard of what answers. */
  const decided = new WeakMap<WithOpenCalls<State>, readonly Action[]>()

  function decide(state: WithOpenCalls<State>): readonly Action[] {
    const known = decided.get(state)
    if (known) return known
    const actions = inner
      .decide(state.inner)
      .filter((action) => !state.indeterminate.has(action.id))
      .map((action) => ({ ...action, id: `${action.id}/${(state.lost.get(action.id) ?? 0) + 1}` }))
      .filter((action) => !state.open.has(action.id))
    decided.set(state, actions)
    return actions
  }

  function evolveCalls(state: WithOpenCalls<State>, event: Occurrence): WithOpenCalls<State> {
    if (event.type === FORKED) return { ...state, ...NOTHING_OPEN }
    const action = isCall(event.type) || answers.has(event.type) ? actionOf(event) : null
    if (action === null) return state
    if (event.type === CALL_STARTED) {
      const { call, clerk } = event.payload as { call?: unknown; clerk?: unknown }
      const opened: OpenCall = { action, call: call === 'tool' ? 'tool' : 'ask', clerk: String(clerk) }
      return { ...state, open: new Map(state.open).set(action, opened) }
    }
    const open = without(state.open, action)
    const base = baseOf(action)
    if (event.type === CALL_LOST) {
      return { ...state, open, lost: new Map(state.lost).set(base, (state.lost.get(base) ?? 0) + 1) }
    }
    if (event.type === CALL_INDETERMINATE) {
      return { ...state, open, indeterminate: new Set(state.indeterminate).add(base) }
    }
    return { ...state, open, lost: without(state.lost, base) }
  }

  function refuseCall(state: WithOpenCalls<State>, event: Occurrence): Refusal | null {
    const action = actionOf(event)
    if (event.actor.role !== CLERK) {
      return { code: 'ROLE_POLICY_VIOLATION', message: `${event.type} is for the clerk alone` }
    }
    if (action === null) return { code: 'SCHEMA_INVALID', message: `${event.type} names no action` }
    if (event.type !== CALL_STARTED) {
      const expected = event.type === CALL_LOST ? 'ask' : 'tool'
      const call = state.open.get(action)
      return call?.call === expected
        ? null
        : order(`${event.type} for ${action}, which is no open ${expected}`)
    }
    if (state.open.has(action)) return order(`${action} was started already`)
    const wanted = decide(state).find((candidate) => candidate.id === action)
    if (!wanted) return unasked(state, action, `nothing asks for ${action} here`)
    if (wanted.call !== 'ask' && wanted.call !== 'tool') return order(`${action} is no call to be started`)
    if (wanted.call !== event.payload?.call) return order(`${action} is started as the wrong kind of call`)
    return null
  }

  function refuseOutcome(state: WithOpenCalls<State>, event: Occurrence, kind: string): Refusal | null {
    const action = actionOf(event)
    if (action === null) return { code: 'SCHEMA_INVALID', message: `${event.type} names no action` }
    if (kindOf(action) !== kind) return order(`${event.type} is no answer to ${action}`)
    if (state.open.has(action)) return null
    const wanted = decide(state).find((candidate) => candidate.id === action)
    if (wanted?.call === 'ask' || wanted?.call === 'tool')
      return order(`outcome of ${action} without ${CALL_STARTED}`)
    if (wanted) return null
    const message = `no open action ${action}: unknown, or answered before`
    return calling.started.includes(kind) ? order(message) : unasked(state, action, message)
  }

  return {
    id: inner.id,
    initial: { inner: inner.initial, ...NOTHING_OPEN },
    evolve: (state, event) => ({ ...evolveCalls(state, event), inner: inner.evolve(state.inner, event) }),
    refuse(state, event) {
      if (isCall(event.type)) return inner.refuse(state.inner, event) ?? refuseCall(state, event)
      const kind = answers.get(event.type)
      const refusal = kind === undefined ? null : refuseOutcome(state, event, kind)
      return refusal ?? inner.refuse(state.inner, event)
    },
    decide,
    finished: (state) => inner.finished(state.inner),
    evidence: (state, event) => inner.evidence?.(state.inner, event) ?? [],
    reads: (event) => inner.reads?.(event) ?? [],
    examine: (state, event, content) => inner.examine?.(state.inner, event, content) ?? null,
    ...(inner.warns && { warns: inner.warns }),
    ...(inner.snapshot && { snapshot: calledForm(inner.snapshot) }),
  }
}
