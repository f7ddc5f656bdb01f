// The report of a recorded evaluation, folded again when it is needed.

import { EVAL } from '../../eval/events.ts'
import { type EvalReport, reportOf } from '../../eval/report.ts'
import { isOpened } from '../../eval/state.ts'
import { type Home, type HomeLocation, withHome } from '../home/home.ts'
import { findTrace } from '../traces/trace-name.ts'
import { evalLog } from './eval.ts'

/** Null for a trace that is not an evaluation. */
export const readEval = (location: HomeLocation, name: string): Promise<EvalReport | null> =>
  withHome({ ...location, mode: 'read' }, async (home) => {
    const trace = await findTrace(home.store, name)
    if ((await home.store.head(trace))?.header.protocol !== EVAL) return null
    const { inner } = (await evalLog(home, trace)).state
    return isOpened(inner) ? reportOf(inner) : null
  })

/** The councils of an evaluation that are in this home, in the order of its items. */
export async function councilsHeld(home: Home, trace: string): Promise<readonly string[]> {
  const { inner } = (await evalLog(home, trace)).state
  const named = [...inner.units.values()].flatMap(({ held }) =>
    [...held.values()].flatMap((one) => one?.council.trace ?? []),
  )
  const there = await Promise.all(named.map((one) => home.store.head(one)))
  return named.filter((_, at) => there[at] !== null)
}
