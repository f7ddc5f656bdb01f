// The state of an evaluation, folded from its events. A unit is one item in one repetition; units are worked
// on in order, a few at a time.

import { type Arm, MOST_SAMPLES, readArm } from './arms.ts'
import type { EvalClosed, EvalOpened, Graded, Held, OutcomeRecorded } from './events.ts'
import type { Judged } from './grading/grade.ts'

/** One further answer of a seat, asked alone. */
export interface Sample {
  /** Null where it failed or was erased. */
  readonly text: string | null
  readonly usd: number | null
  readonly tokens: number | null
  readonly ms: number
}

interface Judgement {
  readonly first?: Judged
  readonly second?: Judged
}

export interface Unit {
  /** By variant. Null once it was erased. */
  readonly held: ReadonlyMap<string, Held | null>
  /** By seat and number, from 1. */
  readonly samples: ReadonlyMap<string, ReadonlyMap<number, Sample>>
  readonly judged: ReadonlyMap<number, Judgement>
  readonly graded: Graded | null
  readonly isGraded: boolean
}

export interface EvalState {
  readonly trace: string
  readonly at: string
  readonly opened: EvalOpened | null
  /** When the evaluation began; ids of its councils follow from it. */
  readonly began: string
  /** The trace of the opening, which for a regrading is an ancestor. */
  readonly root: string
  /** Hash of the current set; a regrading brings its own. */
  readonly set: string | null
  /** Grades only: no seat is asked. */
  readonly regrading: boolean
  readonly units: ReadonlyMap<number, Unit>
  /** Units before this one are graded. */
  readonly first: number
  readonly graded: number
  /** Units before this one may be worked on: it never decreases, otherwise a paid answer could come too late. */
  readonly admitted: number
  readonly spent: { readonly usd: number; readonly unknown: number }
  readonly closed: EvalClosed | null
  readonly isClosed: boolean
  /** A trace that only contains the outcome of a council. */
  readonly outcome: OutcomeRecorded | null
}

export const INITIAL: EvalState = {
  trace: '',
  at: '',
  opened: null,
  began: '',
  root: '',
  set: null,
  regrading: false,
  units: new Map(),
  first: 0,
  graded: 0,
  admitted: 0,
  spent: { usd: 0, unknown: 0 },
  closed: null,
  isClosed: false,
  outcome: null,
}

export const NO_UNIT: Unit = {
  held: new Map(),
  samples: new Map(),
  judged: new Map(),
  graded: null,
  isGraded: false,
}

export type Opened = EvalState & { readonly opened: EvalOpened }

export const isOpened = (state: EvalState): state is Opened => state.opened !== null

/** The index of a unit: repetitions of an item are adjacent. */
export const unitOf = ({ repeat }: Pick<EvalOpened, 'repeat'>, item: number, rep: number): number =>
  item * repeat + rep - 1

export const unitsIn = ({ set, repeat }: EvalOpened): number => set.items * repeat

export const placeOf = (
  { repeat }: EvalOpened,
  unit: number,
): { readonly item: number; readonly rep: number } => ({
  item: Math.floor(unit / repeat),
  rep: (unit % repeat) + 1,
})

const ARMS = new WeakMap<EvalOpened, ReadonlyMap<string, Arm>>()

/** The arms of an opening, parsed once. */
export function armsOf(opened: EvalOpened): ReadonlyMap<string, Arm> {
  const known = ARMS.get(opened)
  if (known) return known
  const seats = opened.seats.map(({ seat }) => seat)
  const arms = new Map(
    opened.arms.flatMap((name) => {
      const arm = readArm(name, seats)
      return arm ? [[name, arm] as const] : []
    }),
  )
  ARMS.set(opened, arms)
  return arms
}

/** Those who are asked for an opinion. */
export const membersOf = ({ seats }: EvalOpened): readonly string[] =>
  seats.filter(({ roles }) => roles.includes('participant')).map(({ seat }) => seat)

/** How many single answers the cost of a council buys, and by which measure; null until both are known. */
export function samplesBought(
  main: Held,
  sample: Sample,
): { readonly n: number; readonly by: 'cost' | 'tokens' | 'calls' } {
  const within = (n: number): number => Math.min(MOST_SAMPLES, Math.max(1, Math.floor(n)))
  const { usd, tokens, calls } = main.spent
  if (usd !== null && usd > 0 && sample.usd !== null && sample.usd > 0)
    return { n: within(usd / sample.usd), by: 'cost' }
  if (tokens !== null && tokens > 0 && sample.tokens !== null && sample.tokens > 0)
    return { n: within(tokens / sample.tokens), by: 'tokens' }
  return { n: within(calls), by: 'calls' }
}

/** How many answers of this seat an item needs; one until it is known how many the council's cost buys. */
export function samplesWanted(opened: EvalOpened, unit: Unit, seat: string): number {
  const wanted = [...armsOf(opened).values()].flatMap((arm) => {
    if (arm.kind !== 'samples' || arm.seat !== seat) return []
    if (arm.n !== null) return [arm.n]
    const main = unit.held.get('main')
    const sample = unit.samples.get(seat)?.get(1)
    return [main && sample ? samplesBought(main, sample).n : 1]
  })
  return Math.max(0, ...wanted)
}
