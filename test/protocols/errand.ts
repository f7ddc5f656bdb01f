// A small protocol that exercises every rule of the ledger and the clerk: seats are asked in parallel, a tool runs
// only after a signed intent and a person's approval, a claim is based on artifacts, and an auditor closes.

import { CALL_INDETERMINATE, CALL_STARTED, withCalls } from '../../src/ledger/calls.ts'
import type { Json } from '../../src/ledger/canonical.ts'
import { FORKED } from '../../src/ledger/fork.ts'
import type { Action, Occurrence, Protocol, Refusal } from '../../src/protocol.ts'

export interface ErrandState {
  readonly seats: readonly string[]
  readonly answers: readonly string[]
  readonly intent: boolean
  readonly approved: boolean
  readonly executed: readonly string[]
  readonly failed: boolean
  readonly claimed: boolean
  readonly closed: boolean
}

const SPEAKERS: Readonly<Record<string, string>> = {
  errand_opened: 'planner',
  answer_given: 'seat',
  tool_intent_signed: 'executor',
  intent_approved: 'critic',
  tool_execution_completed: 'executor',
  claim_issued: 'executor',
  errand_closed: 'auditor',
}

/** Which action each event answers, by the first part of its id. The auditor may close unasked: a guard says when. */
const ANSWERS = {
  answer_given: 'ask',
  tool_intent_signed: 'intent',
  intent_approved: 'approve',
  tool_execution_completed: 'tool',
  claim_issued: 'claim',
}

const strings = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : []

function evolve(state: ErrandState, event: Occurrence): ErrandState {
  const p = event.payload
  switch (event.type) {
    case 'errand_opened':
      return { ...state, seats: strings(p?.seats) }
    case 'answer_given':
      return typeof p?.seat === 'string' ? { ...state, answers: [...state.answers, p.seat] } : state
    case 'tool_intent_signed':
      return { ...state, intent: p !== null }
    case 'intent_approved':
      return { ...state, approved: p !== null }
    case 'tool_execution_completed': {
      const artifacts = Array.isArray(p?.artifacts) ? (p.artifacts as readonly { hash: string }[]) : []
      return { ...state, executed: artifacts.map((artifact) => artifact.hash) }
    }
    case CALL_INDETERMINATE:
      return { ...state, failed: true }
    case 'claim_issued':
      return { ...state, claimed: p !== null }
    case 'errand_closed':
      return { ...state, closed: true }
    case FORKED:
      return { ...state, intent: false, approved: false, closed: false }
    default:
      return state
  }
}

const order = (message: string): Refusal => ({ code: 'ORDER_VIOLATION', message })
const lacking = (code: Refusal['code'], message: string, ...lacks: readonly string[]): Refusal => ({
  code,
  message,
  lacks,
})

function refuse(state: ErrandState, event: Occurrence): Refusal | null {
  const p = event.payload
  if (event.type === CALL_STARTED && String(p?.action).startsWith('tool/')) {
    if (!state.intent)
      return lacking('ORDER_VIOLATION', 'a tool runs without a signed intent', 'tool_intent_signed')
    return state.approved
      ? null
      : lacking('APPROVAL_MISSING', 'a tool runs without approval', 'intent_approved')
  }
  if (event.type.startsWith('call_') || event.type === FORKED) return null
  const speaker = Object.hasOwn(SPEAKERS, event.type) ? SPEAKERS[event.type] : undefined
  if (!speaker) return { code: 'SCHEMA_INVALID', message: `${event.type} is no event of an errand` }
  if (event.actor.role !== speaker)
    return { code: 'ROLE_POLICY_VIOLATION', message: `only a ${speaker} may say this` }
  if (state.closed) return order('the errand is closed')
  if ((event.type === 'errand_opened') !== (state.seats.length === 0))
    return lacking('ORDER_VIOLATION', 'opens first and once', 'errand_opened')
  if (event.type === 'answer_given' && !String(p?.action).startsWith(`ask/${p?.seat}/`)) {
    return { code: 'SCHEMA_INVALID', message: 'an answer is given in the name of another seat' }
  }
  if (event.type === 'tool_execution_completed' && !(Array.isArray(p?.artifacts) && p.artifacts.length > 0)) {
    return { code: 'SCHEMA_INVALID', message: 'an execution names its artifacts' }
  }
  if (event.type === 'claim_issued') {
    const evidence = strings(p?.evidence)
    if (evidence.length === 0) return { code: 'CLAIM_UNPROVEN', message: 'a claim needs evidence' }
    const known = evidence.every((hash) => state.executed.includes(hash))
    return known
      ? null
      : lacking('CLAIM_UNPROVEN', 'evidence is not the artifact of an execution', 'tool_execution_completed')
  }
  if (event.type === 'errand_closed' && !state.claimed && !state.failed) {
    return {
      ...lacking('ORDER_VIOLATION', 'an errand closes after its claim', 'claim_issued'),
      finalisation: true,
    }
  }
  return null
}

function decide(state: ErrandState): readonly Action[] {
  if (state.closed || state.seats.length === 0) return []
  const unanswered = state.seats.filter((seat) => !state.answers.includes(seat))
  if (unanswered.length > 0) {
    return unanswered.map((seat): Action => ({ id: `ask/${seat}`, call: 'ask', input: { seat } }))
  }
  if (state.failed || state.claimed) return [{ id: 'close', call: 'record', input: {} }]
  if (!state.intent) return [{ id: 'intent', call: 'record', input: {} }]
  if (!state.approved) return [{ id: 'approve', call: 'park', waitsFor: 'a critic', input: {} }]
  if (state.executed.length === 0) return [{ id: 'tool/fetch', call: 'tool', input: {} }]
  return [{ id: 'claim', call: 'record', input: { evidence: state.executed } }]
}

const inner: Protocol<ErrandState> = {
  id: 'errand/1',
  initial: {
    seats: [],
    answers: [],
    intent: false,
    approved: false,
    executed: [],
    failed: false,
    claimed: false,
    closed: false,
  },
  evolve,
  refuse,
  decide,
  finished: (state) => state.closed,
  evidence: (_, event) => (event.type === 'claim_issued' ? strings(event.payload?.evidence) : []),
  snapshot: {
    id: 'errand-state/1',
    take: (state) => state as unknown as Json,
    restore: (taken) => taken as unknown as ErrandState,
  },
}

export const errand = withCalls(inner, {
  outcomes: ANSWERS,
  started: ['ask', 'tool'],
  lacks: () => Object.keys(SPEAKERS),
})
