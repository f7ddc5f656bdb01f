// The result of the grades: each arm's share, and the one comparison that was fixed when the evaluation
// opened. Recorded at the close, and computed again by every verifier.

import { BEST_SINGLE } from './arms.ts'
import type { EvalClosed, Grade } from './events.ts'
import { membersOf, type Opened, unitsIn } from './state.ts'
import { type Comparison, comparePairs, type GradedPair, verdictOf } from './statistics/compare.ts'
import { crossFitted, type Row } from './statistics/members.ts'

/** A graded unit, with the result of every arm and stage. */
export interface GradedUnit {
  readonly unit: number
  readonly item: number
  readonly rep: number
  readonly id: string
  /** Units that share it are not independent: of one cluster, or of one item. */
  readonly cluster: string
  readonly grades: ReadonlyMap<string, Grade>
}

const known = new WeakMap<Opened, readonly GradedUnit[]>()

/** In the order of the set. */
export function gradedUnits(state: Opened): readonly GradedUnit[] {
  const read = known.get(state)
  if (read) return read
  const gradedList: GradedUnit[] = []
  for (let at = 0; at < unitsIn(state.opened); at++) {
    const graded = state.units.get(at)?.graded
    if (!graded) continue
    const { item, rep, id, cluster, grades } = graded
    gradedList.push({
      unit: at,
      item,
      rep,
      id,
      cluster: cluster === null ? `item ${item}` : `cluster ${cluster}`,
      grades: new Map(grades.map((grade) => [grade.voice, grade])),
    })
  }
  known.set(state, gradedList)
  return gradedList
}

/** Right or wrong by arm or stage; unknown ones are left out. */
export const rowOf = ({ grades }: GradedUnit): Row =>
  new Map([...grades].flatMap(([voice, { grade }]) => (grade === null ? [] : [[voice, grade] as const])))

/** The grades of an arm, one for each graded unit. */
export function gradesOfArm(state: Opened, arm: string): readonly (boolean | null)[] {
  const units = gradedUnits(state)
  if (arm !== BEST_SINGLE) return units.map(({ grades }) => grades.get(arm)?.grade ?? null)
  const singles = membersOf(state.opened).map((seat) => `single:${seat}`)
  const chosen = crossFitted(
    units.map(rowOf),
    singles,
    units.map(({ cluster }) => cluster),
  )
  return chosen.map(({ grade }) => grade)
}

/** Pairs of units for which both have a grade. */
function pairsOf(state: Opened, arm: string, against: string): readonly GradedPair[] {
  const [one, other] = [gradesOfArm(state, arm), gradesOfArm(state, against)]
  return gradedUnits(state).flatMap(({ cluster }, i) => {
    const [first, second] = [one[i] ?? null, other[i] ?? null]
    return first === null || second === null ? [] : [{ first, second, cluster }]
  })
}

export const compareArms = (state: Opened, arm: string, against: string): Comparison =>
  comparePairs(pairsOf(state, arm, against))

/** The result of an arm, over those that have a grade. */
export function scoreOf(
  state: Opened,
  arm: string,
): { readonly n: number; readonly right: number; readonly ungraded: number } {
  const grades = gradesOfArm(state, arm)
  const graded = grades.filter((grade) => grade !== null)
  return { n: graded.length, right: graded.filter(Boolean).length, ungraded: grades.length - graded.length }
}

/** The content of the closing, without its action. */
export function closingOf(state: Opened): Omit<EvalClosed, 'action'> {
  const { opened } = state
  const primary = compareArms(state, opened.primary.arm, opened.primary.against)
  const isWhole = gradedUnits(state).length === unitsIn(opened)
  return {
    status: isWhole ? 'completed' : 'over_budget',
    arms: opened.arms.map((arm) => {
      const { n, right } = scoreOf(state, arm)
      return { arm, n, right }
    }),
    primary,
    verdict: verdictOf(primary),
  }
}
