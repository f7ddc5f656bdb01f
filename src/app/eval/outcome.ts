// How past councils turned out, according to a person, and what that says about their seats: whether their
// stated confidence was informative, and how often they were right. Each outcome is a signed trace of one
// event; the last one about a council counts.

import { openTrace } from '../../clerk/open-trace.ts'
import { TraceLog } from '../../clerk/trace-log.ts'
import { COUNCIL } from '../../council/events.ts'
import { opinionsOf } from '../../council/seat-ids.ts'
import { isOpenedCouncil } from '../../council/state.ts'
import { evalProtocol } from '../../eval/eval.ts'
import { EVAL, EVALUATOR, OUTCOME, type OutcomeRecorded } from '../../eval/events.ts'
import { type Interval, shareInterval } from '../../eval/statistics/pairs.ts'
import { asJsonObject } from '../../ledger/canonical.ts'
import { isWitanError, WitanError } from '../../ledger/errors.ts'
import type { Store } from '../../stores/store.ts'
import { openLog, resultOf } from '../council/council.ts'
import { type Home, type HomeLocation, withHome } from '../home/home.ts'
import { personName, runKitOf } from '../home/signers.ts'
import { withoutTypedSecrets } from '../person.ts'
import { findOpening } from '../traces/list-traces.ts'
import { findTrace } from '../traces/trace-name.ts'

/** What was recorded. */
export interface OutcomeSaid extends OutcomeRecorded {
  readonly trace: string
}

const VERDICTS = ['right', 'wrong'] as const

/** `right`, `wrong`, or a note; the first word of a longer text may be either. */
export function readOutcome(text: string): Pick<OutcomeRecorded, 'outcome' | 'note'> {
  const [, word = '', rest = ''] = /^\s*(right|wrong)\b[\s:,.-]*([\s\S]*)$/i.exec(text) ?? []
  const outcome = VERDICTS.find((one) => one === word.toLowerCase()) ?? null
  return { outcome, note: (outcome === null ? text : rest).trim().slice(0, 4_000) }
}

/** Records how a council turned out. */
export async function recordOutcome(home: Home, name: string, text: string): Promise<OutcomeSaid> {
  const council = await findTrace(home.store, name)
  const head = await home.store.head(council)
  if (head?.header.protocol !== COUNCIL)
    throw new WitanError('USAGE', `${council} is no council`, 'Name one of `witan list`, or last:council.')
  const log = await openLog(home, council)
  if (resultOf(log.state.inner).report === null)
    throw new WitanError('USAGE', `${council} has no report`, `Resume it first: witan resume ${council}`)
  const { value } = await withoutTypedSecrets(readOutcome(text))
  const payload: OutcomeRecorded = {
    council: { trace: council, size: log.head.size, hash: log.head.hash },
    ...value,
  }
  const { ports, registerSigners } = runKitOf(home)
  const registrar = await registerSigners([{ agent: personName(), roles: [EVALUATOR] }])
  const own = new TraceLog(ports, evalProtocol(ports.sha256), ports.newTrace())
  const actor = registrar.actor(personName(), EVALUATOR)
  await openTrace(ports, own, [{ type: OUTCOME, actor, payload: asJsonObject(payload) }])
  return { trace: own.trace, ...payload }
}

/** The last outcome of each council, by its trace. */
export async function outcomesIn(store: Store): Promise<ReadonlyMap<string, OutcomeRecorded>> {
  const outcomes: { readonly at: string; readonly outcome: OutcomeRecorded }[] = []
  for (const { trace, protocol, last } of await store.traces()) {
    if (protocol !== EVAL || last.type !== OUTCOME) continue
    const opening = await findOpening(store, trace)
    if (opening?.type === OUTCOME)
      outcomes.push({ at: last.at + trace, outcome: opening.payload as object as OutcomeRecorded })
  }
  outcomes.sort((a, b) => (a.at < b.at ? -1 : 1))
  return new Map(outcomes.map(({ outcome }) => [outcome.council.trace, outcome]))
}

/** How often a seat that stated this confidence was right. */
interface CalibrationLine extends Interval {
  readonly who: string
  readonly stated: string
  readonly n: number
  readonly right: number
}

export interface Calibrated {
  /** Councils with an outcome that says right or wrong. */
  readonly councils: number
  readonly right: number
  /** For each seat, and for panels by their seats; then all confidences together, as `any`. */
  readonly lines: readonly CalibrationLine[]
}

const OPPOSED: Readonly<Record<string, string>> = { adopt: 'reject', reject: 'adopt' }

/** Whether a stance was right; null where the outcome of another decision does not tell. */
export function isStanceRight(stance: string, decision: string, isRight: boolean): boolean | null {
  if (stance === decision) return isRight
  if (OPPOSED[decision] === stance) return !isRight
  return isRight ? false : null
}

/** From every council whose outcome was entered. */
async function readCalibration(home: Pick<Home, 'ports' | 'store'>): Promise<Calibrated> {
  const cells = new Map<string, { who: string; stated: string; n: number; right: number }>()
  const add = (who: string, stated: string, right: boolean | null): void => {
    if (right === null) return
    for (const word of [stated, 'any']) {
      const cell = cells.get(`${who} ${word}`) ?? { who, stated: word, n: 0, right: 0 }
      cell.n++
      if (right) cell.right++
      cells.set(`${who} ${word}`, cell)
    }
  }
  let [councils, right] = [0, 0]
  for (const [trace, { outcome }] of await outcomesIn(home.store)) {
    if (outcome === null || (await home.store.head(trace)) === null) continue
    const { inner: state } = (await openLog(home, trace)).state
    const report = isOpenedCouncil(state) ? resultOf(state).report : null
    if (!report || !isOpenedCouncil(state)) continue
    const isRight = outcome === 'right'
    councils++
    if (isRight) right++
    const opinions = opinionsOf(state)
    for (const { seat, stance, confidence } of opinions)
      add(seat, confidence, isStanceRight(stance, report.decision, isRight))
    add(`panel ${opinions.map(({ seat }) => seat).join('+')}`, report.confidence, isRight)
  }
  const lines = [...cells.values()].map((cell) => ({ ...cell, ...shareInterval(cell.right, cell.n) }))
  const order = ['any', 'high', 'medium', 'low']
  lines.sort((a, b) =>
    a.who === b.who ? order.indexOf(a.stated) - order.indexOf(b.stated) : a.who < b.who ? -1 : 1,
  )
  return { councils, right, lines }
}

/** Null where there is no home, or no outcome was entered. */
export async function calibrationAt(location: HomeLocation): Promise<Calibrated | null> {
  try {
    return await withHome({ ...location, mode: 'read' }, async (home) => {
      const calibration = await readCalibration(home)
      return calibration.councils === 0 ? null : calibration
    })
  } catch (error) {
    if (isWitanError(error, 'HOME_MISSING')) return null
    throw error
  }
}
