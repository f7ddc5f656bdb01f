// The report of an evaluation: each arm with its results and usage, every comparison, and further results of
// the grades. A plain value, for people and programs.

import { type Arm, BEST_SINGLE, isFork, MAIN } from './arms.ts'
import { f1, precision, recall } from './grading/findings.ts'
import { type Insights, insightsOf } from './insights.ts'
import { compareArms, gradedUnits, gradesOfArm, scoreOf } from './result.ts'
import { armsOf, membersOf, type Opened, samplesBought, type Unit, unitsIn } from './state.ts'
import { type Comparison, rounded, type Verdict, verdictInWords, verdictOf } from './statistics/compare.ts'
import { holmAdjusted, type Interval, shareInterval, smallestEffect } from './statistics/pairs.ts'

export interface ArmReport extends Interval {
  readonly arm: string
  readonly n: number
  readonly right: number
  readonly share: number
  /** A grader could not decide. */
  readonly ungraded: number
  /** US dollars for one item; null where no cost is known, and at least that where `cost_unknown` counts some. */
  readonly usd: number | null
  readonly cost_unknown: number
  /** Of the calls that have to wait for each other. */
  readonly seconds: number
  /** Of reviews: means over items. */
  readonly findings: {
    readonly precision: number | null
    readonly recall: number | null
    readonly f1: number | null
  } | null
}

export interface ComparisonReport extends Comparison {
  readonly arm: string
  readonly against: string
  readonly verdict: Verdict
  readonly words: string
  /** After Holm, among all except the primary. */
  readonly p_adjusted: number
}

export interface ItemReport {
  readonly unit: number
  readonly item: number
  readonly rep: number
  readonly id: string
  readonly grader: string
  /** The councils of this item by variant: trace and head. */
  readonly councils: readonly { readonly variant: string; readonly trace: string; readonly hash: string }[]
  readonly grades: readonly {
    readonly arm: string
    readonly grade: boolean | null
    readonly key: string | null
  }[]
}

export interface EvalReport {
  readonly schema: 'witan-eval/1'
  readonly trace: string
  readonly status: 'open' | 'completed' | 'over_budget'
  readonly set: Opened['opened']['set']
  readonly seats: readonly { readonly seat: string; readonly model: string | null; readonly vendor: string }[]
  readonly graded: number
  readonly units: number
  readonly primary: ComparisonReport
  readonly others: readonly ComparisonReport[]
  readonly arms: readonly ArmReport[]
  /** How many answers of one seat the cost of a council buys: means, and by which measure. */
  readonly equal_cost: readonly {
    readonly arm: string
    readonly mean: number
    readonly by: readonly string[]
  }[]
  /** The smallest difference that this many independent groups show in four of five cases. */
  readonly smallest_effect: number
  readonly spent: { readonly usd: number; readonly unknown: number }
  readonly insights: Insights
  readonly items: readonly ItemReport[]
}

interface Expense {
  readonly usd: number
  readonly unknown: number
  readonly known: number
  readonly ms: number
}

const NOTHING: Expense = { usd: 0, unknown: 0, known: 0, ms: 0 }

const expenseOf = (usd: number | null, ms: number): Expense => ({
  usd: usd ?? 0,
  unknown: usd === null ? 1 : 0,
  known: usd === null ? 0 : 1,
  ms,
})

/** Run in parallel: costs add up, time does not. */
const addParallel = (parts: readonly Expense[]): Expense => ({
  usd: parts.reduce((sum, part) => sum + part.usd, 0),
  unknown: parts.reduce((sum, part) => sum + part.unknown, 0),
  known: parts.reduce((sum, part) => sum + part.known, 0),
  ms: Math.max(0, ...parts.map(({ ms }) => ms)),
})

const after = (first: Expense, second: Expense): Expense => ({
  ...addParallel([first, second]),
  ms: first.ms + second.ms,
})

/** The usage of an arm's answer to one unit, including what it shares with others. */
function expenseOfArm(unit: Unit, arm: Arm): Expense {
  const main = unit.held.get(MAIN)
  const opinions = (main?.opinions ?? []).map((one) => ({ seat: one.seat, took: expenseOf(one.usd, one.ms) }))
  const first = addParallel(opinions.map((one) => one.took))
  const whole = (variant: string): Expense => {
    const council = unit.held.get(variant)
    if (!council) return NOTHING
    const { usd, unknown, calls } = council.spent
    return { usd: usd ?? 0, unknown, known: Math.max(0, calls - unknown), ms: council.ms }
  }
  switch (arm.kind) {
    case 'council':
      if (!isFork(arm.variant)) return whole(arm.variant)
      return unit.held.has(arm.variant) ? after(first, whole(arm.variant)) : whole(MAIN)
    case 'single':
      return opinions.find(({ seat }) => seat === arm.seat)?.took ?? NOTHING
    case 'best':
      return addParallel([])
    case 'vote':
      return first
    case 'samples': {
      const own = unit.samples.get(arm.seat)
      const firstSample = own?.get(1)
      const n = arm.n ?? (main && firstSample ? samplesBought(main, firstSample).n : 1)
      const asked = Array.from({ length: n }, (_, i) => own?.get(i + 1)).filter(
        (sample) => sample !== undefined,
      )
      return addParallel(asked.map(({ usd, ms }) => expenseOf(usd, ms)))
    }
  }
}

function findingsOf(state: Opened, arm: string): ArmReport['findings'] {
  const hits = gradedUnits(state).flatMap(({ grades }) => grades.get(arm)?.hits ?? [])
  if (hits.length === 0) return null
  const mean = (values: readonly (number | null)[]): number | null => {
    const known = values.filter((value) => value !== null)
    return known.length === 0 ? null : rounded(known.reduce((sum, value) => sum + value, 0) / known.length)
  }
  return { precision: mean(hits.map(precision)), recall: mean(hits.map(recall)), f1: mean(hits.map(f1)) }
}

function armReport(state: Opened, name: string, arm: Arm): ArmReport {
  const { n, right, ungraded } = scoreOf(state, name)
  const units = gradedUnits(state)
    .map(({ unit }) => state.units.get(unit))
    .filter((unit) => unit !== undefined)
  // The best is known only afterwards; the cost of asking one is their mean.
  const singles = membersOf(state.opened).map((seat): Arm => ({ kind: 'single', seat }))
  const ways = name === BEST_SINGLE ? singles : [arm]
  const all = units.flatMap((unit) => ways.map((way) => expenseOfArm(unit, way)))
  const sum = (of: (one: Expense) => number): number => all.reduce((total, one) => total + of(one), 0)
  const known = sum((one) => one.known)
  return {
    arm: name,
    n,
    right,
    share: n === 0 ? 0 : rounded(right / n),
    ...shareInterval(right, n),
    ungraded,
    usd: known === 0 ? null : sum((one) => one.usd) / all.length,
    cost_unknown: sum((one) => one.unknown),
    seconds: all.length === 0 ? 0 : Math.round(sum((one) => one.ms) / all.length) / 1000,
    findings: findingsOf(state, name),
  }
}

function compared(state: Opened, arm: string, against: string): ComparisonReport {
  const comparison = compareArms(state, arm, against)
  const words = verdictInWords(arm, against, comparison)
  return { arm, against, ...comparison, verdict: verdictOf(comparison), words, p_adjusted: comparison.p }
}

/** The first arm of the primary comparison against every other arm; several tests need stronger evidence each. */
function otherComparisons(state: Opened): readonly ComparisonReport[] {
  const { primary, arms } = state.opened
  const rest = arms.filter((arm) => arm !== primary.arm && arm !== primary.against)
  const comparisons = rest.map((arm) => compared(state, primary.arm, arm))
  const adjusted = holmAdjusted(comparisons.map(({ p }) => p))
  return comparisons.map((comparison, i) => {
    const p = rounded(adjusted[i] ?? 1)
    return {
      ...comparison,
      p_adjusted: p,
      verdict: verdictOf({ difference: comparison.difference, p }),
      words: verdictInWords(comparison.arm, comparison.against, { ...comparison, p }),
    }
  })
}

function equalCosts(state: Opened): EvalReport['equal_cost'] {
  return [...armsOf(state.opened)].flatMap(([name, arm]) => {
    if (arm.kind !== 'samples' || arm.n !== null) return []
    const bought = gradedUnits(state).flatMap(({ unit }) => {
      const heldUnit = state.units.get(unit)
      const [main, sample] = [heldUnit?.held.get(MAIN), heldUnit?.samples.get(arm.seat)?.get(1)]
      return main && sample ? [samplesBought(main, sample)] : []
    })
    if (bought.length === 0) return []
    const mean = rounded(bought.reduce((sum, { n }) => sum + n, 0) / bought.length)
    return [{ arm: name, mean, by: [...new Set(bought.map(({ by }) => by))].sort() }]
  })
}

function itemReports(state: Opened): readonly ItemReport[] {
  const best = gradesOfArm(state, BEST_SINGLE)
  return gradedUnits(state).map(({ unit, item, rep, id, grades }, i) => {
    const councils = state.units.get(unit)?.held ?? new Map()
    return {
      unit,
      item,
      rep,
      id,
      grader: state.units.get(unit)?.held.get(MAIN)?.grader ?? '',
      councils: [...councils].flatMap(([variant, heldCouncil]) =>
        heldCouncil ? [{ variant, trace: heldCouncil.council.trace, hash: heldCouncil.council.hash }] : [],
      ),
      grades: state.opened.arms.map((arm) =>
        arm === BEST_SINGLE
          ? { arm, grade: best[i] ?? null, key: null }
          : { arm, grade: grades.get(arm)?.grade ?? null, key: grades.get(arm)?.key ?? null },
      ),
    }
  })
}

export function reportOf(state: Opened): EvalReport {
  const { opened } = state
  const primary = compared(state, opened.primary.arm, opened.primary.against)
  const clusters = new Set(gradedUnits(state).map(({ cluster }) => cluster)).size
  const discordant = primary.n === 0 ? undefined : (primary.only_first + primary.only_second) / primary.n
  return {
    schema: 'witan-eval/1',
    trace: state.trace,
    status: state.closed?.status ?? 'open',
    set: opened.set,
    seats: opened.seats.map(({ seat, model, vendor }) => ({ seat, model, vendor })),
    graded: gradedUnits(state).length,
    units: unitsIn(opened),
    primary,
    others: otherComparisons(state),
    arms: [...armsOf(opened)].map(([name, arm]) => armReport(state, name, arm)),
    equal_cost: equalCosts(state),
    smallest_effect: rounded(smallestEffect(clusters, discordant)),
    spent: state.spent,
    insights: insightsOf(state),
    items: itemReports(state),
  }
}
