// Decides the next actions of an evaluation: for a few items at a time it runs their councils, asks further
// answers that the arms need, has answers graded where a model grades them, and records the grades. Items are
// started in order and never skipped, so that an early end, by a budget or a kill, cannot favour an arm.

import type { Json } from '../ledger/canonical.ts'
import type { Action } from '../protocol.ts'
import { isFork, MAIN, SHORT, variantsOf } from './arms.ts'
import { answersOf, distinctTexts } from './grade-item.ts'
import { gradingSeat } from './sets/item.ts'
import {
  armsOf,
  type EvalState,
  isOpened,
  NO_UNIT,
  type Opened,
  placeOf,
  samplesWanted,
  type Unit,
  unitsIn,
} from './state.ts'

const action = (id: string, call: Action['call'], input: { readonly [name: string]: Json }): Action => ({
  id,
  call,
  input,
})

/** Councils that are still to be run for a unit. Forks wait for the round that they continue from. */
function councilsLeft({ opened }: Opened, unit: Unit, item: number): readonly string[] {
  const wanted = variantsOf([...armsOf(opened).values()], item < opened.stability)
  const main = unit.held.get(MAIN)
  return wanted.filter((variant) => {
    if (unit.held.has(variant)) return false
    if (!isFork(variant)) return true
    // An erased council, or one that had no second opinion, has no round one to continue from.
    if (!main || main.opinions.length < 2 || main.report === null) return false
    return variant !== SHORT || main.skips.length > 0
  })
}

/** Whether forks may still follow once the main council is held. */
const isMainHeld = (unit: Unit): boolean => unit.held.has(MAIN)

function samplesLeft(
  { opened }: Opened,
  unit: Unit,
): readonly { readonly seat: string; readonly n: number }[] {
  const seats = new Set(
    [...armsOf(opened).values()].flatMap((arm) => (arm.kind === 'samples' ? [arm.seat] : [])),
  )
  return [...seats].flatMap((seat) => {
    const own = unit.samples.get(seat)
    const wanted = Array.from({ length: samplesWanted(opened, unit, seat) }, (_, i) => i + 1)
    return wanted.filter((n) => !own?.has(n)).map((n) => ({ seat, n }))
  })
}

function judgementsLeft(
  { opened }: Opened,
  unit: Unit,
): readonly { readonly seat: string; readonly answer: number; readonly order: 'first' | 'second' }[] {
  const seat = gradingSeat(unit.held.get(MAIN)?.grader ?? '')
  if (seat === null) return []
  return distinctTexts(answersOf(opened, unit)).flatMap((_, answer) =>
    (['first', 'second'] as const).flatMap((order) =>
      unit.judged.get(answer)?.[order] === undefined ? [{ seat, answer, order }] : [],
    ),
  )
}

function stepsOf(state: Opened, unit: Unit, item: number, rep: number): readonly Action[] {
  const grade = action(`grade/${item}/${rep}`, 'record', { item, rep })
  if (state.regrading) return [grade]
  const councils = councilsLeft(state, unit, item).map((variant) =>
    action(`hold/${item}/${rep}/${variant}`, 'record', { item, rep, variant }),
  )
  const samples = samplesLeft(state, unit).map(({ seat, n }) =>
    action(`sample/${item}/${rep}/${seat}/${n}`, 'ask', { item, rep, seat, n }),
  )
  if (councils.length > 0 || samples.length > 0 || !isMainHeld(unit)) return [...councils, ...samples]
  const judgements = judgementsLeft(state, unit).map(({ seat, answer, order }) =>
    action(`judge/${item}/${rep}/${answer}/${order}`, 'ask', { item, rep, seat, answer, order }),
  )
  return judgements.length > 0 ? judgements : [grade]
}

/** Whether nothing more of it was recorded, and nothing more may be. */
const isWaiting = (state: Opened, at: number): boolean => {
  const unit = state.units.get(at)
  if (unit?.isGraded) return false
  return state.regrading ? unit?.held.has(MAIN) === true : at < state.admitted
}

export function decide(state: EvalState): readonly Action[] {
  if (!isOpened(state) || state.isClosed) return []
  const { opened, units } = state
  const actions: Action[] = []
  let busy = 0
  for (let at = state.first; at < unitsIn(opened) && busy < opened.concurrency; at++) {
    if (!isWaiting(state, at)) continue
    const { item, rep } = placeOf(opened, at)
    busy++
    actions.push(...stepsOf(state, units.get(at) ?? NO_UNIT, item, rep))
  }
  return busy > 0 ? actions : [action('close', 'record', {})]
}
