// Further results of the grades: where answers changed, how similar the errors of members are, whether stated
// confidence is informative, and whether reviewers prefer a position or a length. All of it is a function of
// the recorded events.

import { MAIN } from './arms.ts'
import type { Held } from './events.ts'
import { type GradedUnit, gradedUnits, rowOf } from './result.ts'
import { membersOf, type Opened } from './state.ts'
import { rounded } from './statistics/compare.ts'
import { type AllWrong, allWrong, errorCorrelation } from './statistics/members.ts'
import { type Interval, shareInterval } from './statistics/pairs.ts'

/** Answers that changed between two stages, with the units in which they did. */
interface Flips {
  readonly from: string
  readonly to: string
  readonly n: number
  readonly right_to_wrong: readonly number[]
  readonly wrong_to_right: readonly number[]
}

interface PairSimilarity {
  readonly a: string
  readonly b: string
  /** Correlation of being right; null where one of them never varies. */
  readonly correlation: number | null
  /** Units in which both are wrong. */
  readonly both_wrong: readonly number[]
  /** Those of them in which both gave the same answer. */
  readonly same_wrong: readonly number[]
}

interface Calibration extends Interval {
  /** A seat, or `council`. */
  readonly who: string
  readonly stated: string
  readonly n: number
  readonly right: number
  /** The units that it is about. */
  readonly units: readonly number[]
}

/** How reviewers treat opinions by position and length. */
interface ReviewerBias {
  readonly reviews: number
  /** Critiques of an opinion, by its position before the reviewer. */
  readonly by_place: readonly { readonly place: number; readonly n: number; readonly critiques: number }[]
  /** Of the longer and of the shorter half of the opinions of each item. */
  readonly longer: { readonly n: number; readonly critiques: number }
  readonly shorter: { readonly n: number; readonly critiques: number }
}

export interface Insights {
  readonly all_wrong: AllWrong & { readonly units: readonly number[] }
  readonly pairs: readonly PairSimilarity[]
  readonly flips: readonly Flips[]
  readonly calibration: readonly Calibration[]
  readonly reviewers: ReviewerBias
  /** Councils that were run again in another order: how many came to the same grade and the same answer. */
  readonly stability: {
    readonly n: number
    readonly same_grade: number
    readonly same_answer: number
    /** Units in which the second council came to another grade or answer. */
    readonly differing: readonly number[]
  }
}

const gradeOf = ({ grades }: GradedUnit, voice: string): boolean | null => grades.get(voice)?.grade ?? null

const unitsOf = (units: readonly GradedUnit[]): readonly number[] => units.map(({ unit }) => unit)

function flipsBetween(units: readonly GradedUnit[], from: string, to: string): Flips {
  const pairs = units.flatMap((unit) => {
    const [before, after] = [gradeOf(unit, from), gradeOf(unit, to)]
    return before === null || after === null ? [] : [{ unit: unit.unit, before, after }]
  })
  return {
    from,
    to,
    n: pairs.length,
    right_to_wrong: pairs.filter(({ before, after }) => before && !after).map(({ unit }) => unit),
    wrong_to_right: pairs.filter(({ before, after }) => !before && after).map(({ unit }) => unit),
  }
}

function similarityOf(units: readonly GradedUnit[], a: string, b: string): PairSimilarity {
  const [left, right] = [`single:${a}`, `single:${b}`]
  const wrong = units.filter((unit) => gradeOf(unit, left) === false && gradeOf(unit, right) === false)
  const same = wrong.filter(({ grades }) => {
    const key = grades.get(left)?.key ?? null
    return key !== null && key === grades.get(right)?.key
  })
  const correlation = errorCorrelation(units.map(rowOf), left, right)
  return {
    a,
    b,
    correlation: correlation === null ? null : rounded(correlation),
    both_wrong: unitsOf(wrong),
    same_wrong: unitsOf(same),
  }
}

const STATED = ['high', 'medium', 'low']

function calibrationOf(state: Opened, units: readonly GradedUnit[]): readonly Calibration[] {
  const cells = new Map<string, { right: number; units: number[] }>()
  const add = (unit: GradedUnit, who: string, stated: string, voice: string): void => {
    const grade = gradeOf(unit, voice)
    if (grade === null) return
    const cell = cells.get(`${stated} ${who}`) ?? { right: 0, units: [] }
    cell.units.push(unit.unit)
    if (grade) cell.right++
    cells.set(`${stated} ${who}`, cell)
  }
  for (const unit of units) {
    const main = state.units.get(unit.unit)?.held.get(MAIN)
    for (const { seat, confidence } of main?.opinions ?? []) add(unit, seat, confidence, `single:${seat}`)
    if (main?.report) add(unit, 'council', main.report.confidence, 'council')
  }
  return [...membersOf(state.opened), 'council'].flatMap((who) =>
    STATED.flatMap((stated) => {
      const cell = cells.get(`${stated} ${who}`)
      if (!cell) return []
      const n = cell.units.length
      return [{ who, stated, n, ...cell, ...shareInterval(cell.right, n) }]
    }),
  )
}

function biasOf(mains: readonly Held[]): ReviewerBias {
  const places = new Map<number, { n: number; critiques: number }>()
  const halves = { longer: { n: 0, critiques: 0 }, shorter: { n: 0, critiques: 0 } }
  let reviews = 0
  for (const { reviews: councilReviews } of mains) {
    for (const { targets } of councilReviews) {
      reviews++
      const lengths = targets.map(({ chars }) => chars).sort((a, b) => a - b)
      const [least = 0, most = 0] = [lengths[0], lengths.at(-1)]
      for (const { place, chars, critiques } of targets) {
        const cell = places.get(place) ?? { n: 0, critiques: 0 }
        places.set(place, { n: cell.n + 1, critiques: cell.critiques + critiques })
        if (least === most || (chars !== least && chars !== most)) continue
        const half = chars === most ? halves.longer : halves.shorter
        half.n++
        half.critiques += critiques
      }
    }
  }
  const by_place = [...places]
    .sort(([a], [b]) => a - b)
    .map(([place, { n, critiques }]) => ({ place, n, critiques }))
  return { reviews, by_place, ...halves }
}

function stabilityOf(units: readonly GradedUnit[]): Insights['stability'] {
  const both = units.filter(
    (unit) => gradeOf(unit, 'council') !== null && gradeOf(unit, 'council-again') !== null,
  )
  const sameGrade = both.filter((unit) => gradeOf(unit, 'council') === gradeOf(unit, 'council-again'))
  const sameAnswer = both.filter(({ grades }) => {
    const key = grades.get('council')?.key ?? null
    return key !== null && key === grades.get('council-again')?.key
  })
  const differing = both.filter((unit) => !sameGrade.includes(unit) || !sameAnswer.includes(unit))
  return {
    n: both.length,
    same_grade: sameGrade.length,
    same_answer: sameAnswer.length,
    differing: unitsOf(differing),
  }
}

export function insightsOf(state: Opened): Insights {
  const units = gradedUnits(state)
  const members = membersOf(state.opened)
  const mains = units.flatMap(({ unit }) => state.units.get(unit)?.held.get(MAIN) ?? [])
  const pairs = members.flatMap((a, i) => members.slice(i + 1).map((b) => similarityOf(units, a, b)))
  const hasReviews = units.some(({ grades }) => grades.has('after-vote'))
  const singles = members.map((seat) => `single:${seat}`)
  const missed = units.filter((unit) => singles.every((voice) => gradeOf(unit, voice) === false))
  return {
    all_wrong: { ...allWrong(units.map(rowOf), singles), units: unitsOf(missed) },
    pairs,
    flips: [
      ...members.flatMap((seat) =>
        hasReviews ? [flipsBetween(units, `single:${seat}`, `after:${seat}`)] : [],
      ),
      ...(hasReviews
        ? [flipsBetween(units, 'vote', 'after-vote'), flipsBetween(units, 'after-vote', 'council')]
        : []),
      flipsBetween(units, 'vote', 'council'),
    ],
    calibration: calibrationOf(state, units),
    reviewers: biasOf(mains),
    stability: stabilityOf(units),
  }
}
