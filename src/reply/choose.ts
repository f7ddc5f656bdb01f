// Which of the answers found in a reply counts. Answers that are equal are one, answers that differ are none.
// Where an answer has effects, an unfinished second one is a difference too.

import { canonicalize, type Json } from '../ledger/canonical.ts'
import { misfit } from '../ledger/schema-fault.ts'
import { fitWhole } from './fit.ts'
import { Fitting } from './fitting.ts'
import type { NodeState } from './json-node.ts'
import { missing, type Reading } from './reading.ts'
import type { Candidate } from './unwrap.ts'
import type { ReplyContext, WantedValue } from './wanted.ts'

export interface Answer extends Candidate {
  /** Of the outermost value that contains it. */
  readonly state: NodeState
}

/** Beyond this number they are not compared. */
const MOST_ANSWERS = 32

/** Null when there is no answer to choose from. */
export function chooseAnswer(
  wanted: WantedValue,
  context: ReplyContext,
  answers: readonly Answer[],
  mayClose: boolean,
): Reading | null {
  if (answers.length === 0) return null
  if (answers.length > MOST_ANSWERS) return missing('answer')
  const readings = answers.map((answer) => readAnswer(wanted, context, answer, mayClose))
  if (wanted.acts) return onlyOne(readings)
  const usable = readings.filter(({ outcome }) => outcome === 'kept')
  if (usable.length > 0) return onlyOne(usable)
  const isWhole = (i: number): boolean => ['whole', 'unclosed'].includes(answers[i]?.state ?? 'broken')
  const whole = readings.filter((_, i) => isWhole(i))
  return onlyOne(whole.length > 0 ? whole : readings)
}

function onlyOne(readings: readonly Reading[]): Reading {
  const [first] = readings
  const kinds = new Set(readings.map((reading) => canonicalize({ ...reading, repairs: [] })))
  if (first === undefined || kinds.size !== 1) return missing('answer')
  if (readings.length === 1) return first
  return {
    ...first,
    repairs: [...first.repairs, { kind: 'equal-values', at: [], times: readings.length - 1 }],
  }
}

function readAnswer(
  wanted: WantedValue,
  context: ReplyContext,
  { node, state, repairs, flaws, isToolOnOffer }: Answer,
  mayClose: boolean,
): Reading {
  if (state === 'broken') return missing('answer')
  if (state === 'cut' || (state === 'unclosed' && (wanted.acts || !mayClose))) return missing('rest')
  if (isToolOnOffer) return missing('intent.justification')
  const fitting = new Fitting(wanted, context)
  for (const { kind, at } of repairs) fitting.repairs.note(kind, at)
  fitting.repairs.noteAll(flaws)
  if (state === 'unclosed') fitting.repairs.note('closing-bracket')
  const value = fitWhole(fitting, node)
  if (value !== undefined) demandSubstance(fitting, value)
  const isFit = value !== undefined && fitting.missing.length === 0 && misfit(wanted.schema, value) === null
  if (isFit) return { outcome: 'kept', value, repairs: fitting.repairs.list() }
  const places = fitting.missing.length === 0 ? ['answer'] : fitting.missing
  return { outcome: 'missing', missing: places, repairs: fitting.repairs.list() }
}

/** An answer must have content, and a reason where one is required. */
function demandSubstance(fitting: Fitting, value: Json): void {
  const { says, reasonFor } = fitting.wanted
  if (says.length > 0 && says.every((place) => textAt(value, place) === ''))
    for (const place of says) fitting.miss(place)
  const isOwed = reasonFor !== undefined && textAt(value, reasonFor.word) === reasonFor.is
  if (isOwed && textAt(value, reasonFor.needs) === '') fitting.miss(reasonFor.needs)
}

function textAt(value: Json, place: string): string {
  const [name = '', ...rest] = place.split('.')
  if (value === null || typeof value !== 'object' || !Object.hasOwn(value, name)) return ''
  const member = (value as { readonly [name: string]: Json })[name] ?? null
  if (rest.length > 0) return textAt(member, rest.join('.'))
  return typeof member === 'string' ? member.trim() : ''
}
