// Shortens opinions and reviews to the available space. What a decision depends on (findings, risks,
// critiques of every severity, disagreements, the five dimensions) is key; the reasoning is the rest. The
// rest is shortened first, evenly; then the key texts are shortened evenly; only then are points left out,
// the least important first, and counted.

import type { Json } from '../../ledger/canonical.ts'
import { SEVERITIES, type Severity } from '../replies/finding.ts'

/** How many characters of each text are shown, and points of how many ranks. */
export interface Measure {
  readonly key: number
  readonly rest: number
  readonly ranks: number
}

const ALL = Number.MAX_SAFE_INTEGER
/** By severity, and within it by kind. */
const RANKS = 2 * SEVERITIES.length

export const WHOLE: Measure = { key: ALL, rest: ALL, ranks: RANKS }

/** At most this many characters, and never longer than with a larger limit. */
export const shortened = (text: string, most: number): string =>
  text.length <= most ? text : most < 1 ? '' : `${text.slice(0, most - 1).toWellFormed()}…`

/** Ids, places and words of a fixed list: cut, they would name something else. */
const EXACT: ReadonlySet<string> = new Set([
  ...['id', 'opinion', 'review', 'finding', 'verdict', 'severity', 'category', 'kind', 'file', 'line'],
  ...['stance', 'stance_after', 'changed_position', 'confidence', 'stakes'],
])

const REST: ReadonlySet<string> = new Set([
  ...['understanding', 'key_considerations', 'rationale', 'assumptions', 'questions', 'why'],
  ...['rule', 'quote', 'impact', 'tests', 'priority', 'location', 'agreement_points'],
  ...['alternatives', 'verification_plan', 'in_scope', 'out_of_scope', 'information_needed'],
])

/** Everything in these is key, regardless of its name. */
const KEY: ReadonlySet<string> = new Set(['dimensions', 'disagreement_points'])

/** Lists whose entries have a severity. */
const POINTS: ReadonlySet<string> = new Set(['risks', 'findings', 'critiques', 'missed_findings'])

/** Within one severity, these are left out before errors, inconsistencies, risks and findings. */
const MINOR: ReadonlySet<string> = new Set(['omission', 'assumption', 'alternative', 'confirmed'])

type Members = { readonly [name: string]: Json }

const isMembers = (value: Json): value is Members =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** 0 for the most important. */
export function rankOf(point: Json): number {
  if (!isMembers(point)) return RANKS - 1
  const severity = SEVERITIES.indexOf(point.severity as Severity)
  const isMinor = MINOR.has(String(point.kind ?? point.verdict ?? ''))
  return 2 * (severity === -1 ? SEVERITIES.length - 1 : severity) + Number(isMinor)
}

function cutAll(value: Json, most: number): Json {
  if (typeof value === 'string') return shortened(value, most)
  if (Array.isArray(value)) return value.map((each) => cutAll(each, most))
  if (!isMembers(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, cutAll(each, most)]))
}

/** What is shown of a value under these limits. */
export function measured(value: Json, measure: Measure): Json {
  if (typeof value === 'string') return shortened(value, measure.key)
  if (Array.isArray(value)) return value.map((each) => measured(each, measure))
  if (!isMembers(value)) return value
  const members = Object.entries(value).flatMap(([name, each]): readonly (readonly [string, Json])[] => {
    if (EXACT.has(name)) return [[name, each]]
    if (REST.has(name)) return measure.rest < 1 ? [] : [[name, cutAll(each, measure.rest)]]
    if (KEY.has(name)) return [[name, cutAll(each, measure.key)]]
    if (!POINTS.has(name) || !Array.isArray(each)) return [[name, measured(each, measure)]]
    const remaining = each.filter((point) => rankOf(point) < measure.ranks)
    const gone = each.length - remaining.length
    const leftOut = gone > 0 ? [[`${name}_left_out`, gone] as const] : []
    return [[name, remaining.map((point) => measured(point, measure))], ...leftOut]
  })
  return Object.fromEntries(members)
}

/** How short key texts become before whole points are left out. */
const LEAST_KEY = 120

/** The largest number from `least` to `most` that fits; `least` is known to. */
function largest(least: number, most: number, fits: (number: number) => boolean): number {
  let [low, high] = [least, most]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (fits(middle)) low = middle
    else high = middle - 1
  }
  return low
}

/** The most generous limits under which the material fits into `room`, where there are any. */
export function measureFor(sizeBy: (measure: Measure) => number, room: number): Measure {
  const fits = (measure: Measure): boolean => sizeBy(measure) <= room
  if (fits(WHOLE)) return WHOLE
  const most = Math.max(0, room)
  const noRest = { ...WHOLE, rest: 0 }
  if (fits(noRest)) return { ...noRest, rest: largest(0, most, (rest) => fits({ ...noRest, rest })) }
  const withKey = (least: number, ranks: number): Measure => {
    const by = (key: number): Measure => ({ key, rest: 0, ranks })
    return by(largest(least, Math.max(least, most), (key) => fits(by(key))))
  }
  for (let ranks = RANKS; ranks > 0; ranks--)
    if (fits({ key: LEAST_KEY, rest: 0, ranks })) return withKey(LEAST_KEY, ranks)
  return withKey(0, 0)
}
