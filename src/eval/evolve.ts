// Folds the events of an evaluation. Total: an erased event leaves a place that is known to be missing, and
// nothing is guessed for it.

import { FORKED } from '../ledger/fork.ts'
import type { Occurrence } from '../protocol.ts'
import * as is from './events.ts'
import type { Judged } from './grading/grade.ts'
import { readable } from './payload-check.ts'
import {
  type EvalState,
  isOpened,
  NO_UNIT,
  type Opened,
  type Sample,
  type Unit,
  unitOf,
  unitsIn,
} from './state.ts'

/** For an event without its payload, the action that it answers is unknown, and so is its place. */
function withUnit(state: Opened, item: number, rep: number, change: (unit: Unit) => Unit): Opened {
  const at = unitOf(state.opened, item, rep)
  const units = new Map(state.units).set(at, change(state.units.get(at) ?? NO_UNIT))
  return { ...state, units }
}

const isOverBudget = ({ opened: foldOpened, spent }: Opened): boolean =>
  foldOpened.budget_usd !== null && spent.usd >= foldOpened.budget_usd

/** As many as may be worked on at once, beyond those that are graded. */
function admitUnits(state: Opened): Opened {
  if (isOverBudget(state)) return state
  const most = Math.min(unitsIn(state.opened), state.opened.concurrency + state.graded)
  return most > state.admitted ? { ...state, admitted: most } : state
}

function spending(state: Opened, usd: number | null, unknown: number): Opened {
  const { spent } = state
  return { ...state, spent: { usd: spent.usd + (usd ?? 0), unknown: spent.unknown + unknown } }
}

function foldGraded(state: Opened, event: Occurrence): Opened {
  const p = is.payloadOf(event, is.ITEM_GRADED)
  const next = withUnit(state, p.item, p.rep, (unit) => ({ ...unit, graded: p, isGraded: true }))
  let { first } = next
  while (next.units.get(first)?.isGraded) first++
  return { ...next, first, graded: next.graded + 1 }
}

function opened(state: EvalState, event: Occurrence): EvalState {
  if (event.payload === null) return state
  const opening = is.payloadOf(event, is.OPENED)
  return {
    ...state,
    opened: opening,
    began: event.at,
    root: event.trace,
    set: opening.artifacts[0]?.hash ?? null,
  }
}

function foldFork(state: EvalState, event: Occurrence): EvalState {
  const payload = event.payload as {
    readonly set?: is.EvalOpened['set']
    readonly artifacts?: readonly { readonly hash: string }[]
  } | null
  const units = new Map(
    [...state.units].map(([at, unit]) => [at, { ...unit, graded: null, isGraded: false }]),
  )
  return {
    ...state,
    opened: state.opened && payload?.set ? { ...state.opened, set: payload.set } : state.opened,
    set: payload?.artifacts?.[0]?.hash ?? state.set,
    units,
    regrading: true,
    first: 0,
    graded: 0,
    closed: null,
    isClosed: false,
  }
}

function foldSample(state: Opened, event: Occurrence): Opened {
  const p = is.payloadOf(event, is.SAMPLE_GIVEN)
  const usd = p.cost?.usd ?? null
  const tokens = p.input_tokens === null || p.output_tokens === null ? null : p.input_tokens + p.output_tokens
  const sample: Sample = {
    text: event.type === is.SAMPLE_GIVEN ? p.text : null,
    usd,
    tokens,
    ms: p.latency_ms,
  }
  const next = withUnit(state, p.item, p.rep, (unit) => ({
    ...unit,
    samples: new Map(unit.samples).set(p.seat, new Map(unit.samples.get(p.seat)).set(p.n, sample)),
  }))
  return spending(next, usd, usd === null ? 1 : 0)
}

function foldJudgement(state: Opened, event: Occurrence): Opened {
  const p = is.payloadOf(event, is.JUDGEMENT_GIVEN)
  const verdict: Judged = event.type === is.JUDGEMENT_GIVEN ? p.verdict : null
  const next = withUnit(state, p.item, p.rep, (unit) => ({
    ...unit,
    judged: new Map(unit.judged).set(p.answer, { ...unit.judged.get(p.answer), [p.order]: verdict }),
  }))
  const usd = p.cost?.usd ?? null
  return spending(next, usd, usd === null ? 1 : 0)
}

function foldHeld(state: Opened, event: Occurrence): Opened {
  const p = is.payloadOf(event, is.ITEM_HELD)
  const next = withUnit(state, p.item, p.rep, (unit) => ({
    ...unit,
    held: new Map(unit.held).set(p.variant, p),
  }))
  return spending(next, p.spent.usd, p.spent.unknown)
}

function fold(state: Opened, event: Occurrence): Opened {
  if (event.payload === null) return event.type === is.CLOSED ? { ...state, isClosed: true } : state
  switch (event.type) {
    case is.ITEM_HELD:
      return foldHeld(state, event)
    case is.SAMPLE_GIVEN:
    case is.SAMPLE_FAILED:
      return foldSample(state, event)
    case is.JUDGEMENT_GIVEN:
    case is.JUDGEMENT_FAILED:
      return foldJudgement(state, event)
    case is.ITEM_GRADED:
      return foldGraded(state, event)
    case is.CLOSED:
      return { ...state, closed: is.payloadOf(event, is.CLOSED), isClosed: true }
    default:
      return state
  }
}

export function evolve(before: EvalState, event: Occurrence): EvalState {
  const read = readable(event)
  const state = { ...before, trace: event.trace, at: event.at }
  if (read.type === is.OUTCOME)
    return { ...state, outcome: read.payload && is.payloadOf(read, is.OUTCOME), isClosed: true }
  const next =
    read.type === is.OPENED ? opened(state, read) : read.type === FORKED ? foldFork(state, read) : state
  if (!isOpened(next)) return next
  return admitUnits(fold(next, read))
}
