// An evaluation before it is opened: what is compared, on which items, the cost, and the smallest difference
// that it could show. Planning sends and records nothing.

import { DEFAULT_POLICY } from '../../council/policy.ts'
import { expandArms, isFork, readArm, readPrimary, variantsOf } from '../../eval/arms.ts'
import { constraintsOf, questionOf } from '../../eval/prompts/prompts.ts'
import type { Item } from '../../eval/sets/item.ts'
import { smallestEffect } from '../../eval/statistics/pairs.ts'
import { WitanError } from '../../ledger/errors.ts'
import { councilPreview } from '../council/preview.ts'
import { contextGiven } from '../council/program-council.ts'
import type { Seating } from '../council/seating.ts'
import { gradersIn, type SetFile } from './set-file.ts'

export interface EvalPlanRequest {
  readonly arms: readonly string[]
  /** `ARM:ARM`; null for the council against the vote. */
  readonly primary: string | null
  readonly repeat: number
  readonly stability: number
  readonly budget: number | null
  readonly concurrency: number
}

export interface EvalPlan extends Omit<EvalPlanRequest, 'primary'> {
  readonly set: SetFile
  readonly primary: { readonly arm: string; readonly against: string }
}

const DEFAULT_ARMS = ['council', 'single', 'vote']

const bad = (message: string, next: string): WitanError => new WitanError('USAGE', message, next)

/** Refused before anything is asked: an arm or a grader without a seat. */
export function planEval(
  set: SetFile,
  wish: EvalPlanRequest,
  seating: Pick<Seating, 'records' | 'panel'>,
): EvalPlan {
  if (seating.panel)
    throw bad('no model is ready, and checks alone have nothing to evaluate', 'See `witan doctor`.')
  const seats = seating.records.filter(({ roles }) => roles.includes('participant')).map(({ seat }) => seat)
  const named = wish.arms.length > 0 ? wish.arms : DEFAULT_ARMS
  const sits = `Seats are: ${seats.join(', ')}.`
  const primary =
    wish.primary === null ? { arm: 'council', against: 'vote' } : readPrimary(wish.primary, seats)
  if (!primary)
    throw bad(
      `--primary ${wish.primary} names no two arms`,
      `Write it like council:vote:${seats[0]}. ${sits}`,
    )
  const arms = expandArms([...named, primary.arm, primary.against], seats)
  const stray = arms.find((arm) => !readArm(arm, seats))
  if (stray !== undefined)
    throw bad(
      `there is no arm ${stray}`,
      `Arms are council, council-no-r2, council-short, council:SEATx3, single, single:SEAT, plain:SEAT, vote, vote:SEAT, vote:SEATxN. ${sits}`,
    )
  const grader = gradersIn(set.items).find((seat) => !seating.records.some((record) => record.seat === seat))
  if (grader !== undefined) throw bad(`items are to be graded by ${grader}, who does not sit there`, sits)
  return { ...wish, set, arms, primary, stability: Math.min(wish.stability, set.items.length) }
}

export interface EvalEstimate {
  readonly items: number
  readonly units: number
  readonly seats: readonly string[]
  readonly arms: readonly string[]
  readonly primary: EvalPlan['primary']
  /** At least: how many samples equal cost buys depends on what councils cost. */
  readonly calls: number
  /** US dollars; null where the price of a seat is not known. */
  readonly cost: number | null
  readonly unknown: readonly string[]
  /** The smallest difference of the two arms, as a share, that four of five such evaluations would show. */
  readonly smallest_effect: number
  /** Independent groups of items. */
  readonly clusters: number
}

/** A council of three costs about as much as eleven single answers. */
const BOUGHT = 11

async function councilCost(item: Item, seating: Seating) {
  const files = contextGiven({ files: item.files })
  const sent = {
    question: questionOf(item),
    mode: item.mode,
    constraints: constraintsOf(item),
    seats: seating.records,
    chairs: seating.chairs,
    labelled: false,
    policy: DEFAULT_POLICY,
    context: files,
    follow: null,
  }
  const preview = await councilPreview(sent, files && { ...files, folders: [], unseen: [], pack: null })
  return preview.estimate
}

/** Estimated from the longest, the shortest and a middle item. */
export async function estimateEval(plan: EvalPlan, seating: Seating): Promise<EvalEstimate> {
  const { set, arms, repeat, stability, primary } = plan
  const sorted = [...set.items].sort((a, b) => a.input.length - b.input.length)
  const some = [sorted[0], sorted[Math.floor(sorted.length / 2)], sorted.at(-1)].filter(
    (one) => one !== undefined,
  )
  const estimates = await Promise.all(some.map((item) => councilCost(item, seating)))
  const seats = seating.records.map(({ seat }) => seat)
  const read = arms.flatMap((name) => readArm(name, seats) ?? [])
  const mean = (values: readonly number[]): number =>
    values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
  const perCouncil = {
    calls: mean(estimates.map(({ calls }) => calls)),
    cost: mean(estimates.map(({ cost }) => cost ?? 0)),
  }
  const whole = variantsOf(read, false).filter((variant) => !isFork(variant)).length
  const forks = variantsOf(read, false).filter(isFork).length
  const samples = new Map<string, number>()
  for (const arm of read)
    if (arm.kind === 'samples') samples.set(arm.seat, Math.max(samples.get(arm.seat) ?? 0, arm.n ?? BOUGHT))
  const asked = [...samples.values()].reduce((sum, n) => sum + n, 0)
  const units = set.items.length * repeat
  const judged = set.items.filter(({ grader }) => grader.startsWith('model:')).length * repeat
  const councils = units * whole + stability * repeat
  const single = perCouncil.cost / BOUGHT
  const clusters = new Set(set.items.map(({ cluster, id }) => cluster ?? `item ${id}`)).size
  const unknown = [...new Set(estimates.flatMap((one) => one.unknown))]
  const judgements = judged * 2 * (read.length + seats.length)
  const cost = councils * perCouncil.cost + units * (forks + asked) * single + judgements * single
  return {
    items: set.items.length,
    units,
    seats,
    arms,
    primary,
    calls: Math.round(councils * perCouncil.calls + units * (forks + asked) + judgements),
    cost: unknown.length > 0 ? null : Math.round(cost * 1e4) / 1e4,
    unknown,
    smallest_effect: smallestEffect(clusters),
    clusters,
  }
}
