// What the options of a council command ask for, checked as far as words alone allow.

import { type Gate, readGate } from '../../../app/council/gate.ts'
import type { Mode } from '../../../council/replies/opinion.ts'
import type { Call } from '../command.ts'
import { usage } from '../parse.ts'

export interface Wishes {
  readonly mode: Mode
  readonly question: string
  readonly context: readonly string[]
  /** What is to be compared, as typed after `review`; null when nothing was asked to be. */
  readonly words: readonly string[] | null
  /** `--diff`: a range as git names it. */
  readonly range: string | null
  readonly seats: readonly string[]
  readonly chair: string | null
  readonly labelled: boolean
  readonly shortCircuit: boolean
  readonly maxCost: number | null
  readonly constraints: readonly string[]
  readonly focus: readonly string[]
  readonly preview: boolean
  readonly follow: string | null
  readonly gate: Gate | null
}

const MOST_DOLLARS = 1_000_000

export function readMoney(text: string | null): number | null {
  if (text === null) return null
  const amount = /^\$?\d{1,7}(\.\d{1,6})?$/.test(text) ? Number(text.replace('$', '')) : Number.NaN
  if (amount >= 0 && amount <= MOST_DOLLARS) return amount
  throw usage(`--max-cost is an amount in US dollars, not '${text}'`, 'Give it like 0.50 or 2.')
}

/** `--seats a,b --seats c` is a, b, c. */
export const readList = (given: readonly string[]): readonly string[] =>
  given.flatMap((text) => text.split(',')).flatMap((text) => text.trim() || [])

export const wishesOf = (call: Call, said: Pick<Wishes, 'mode' | 'question' | 'words'>): Wishes => ({
  ...said,
  context: call.texts('context'),
  range: call.text('diff'),
  seats: readList(call.texts('seats')),
  chair: call.text('chair'),
  labelled: call.flag('labelled'),
  shortCircuit: call.flag('short-circuit'),
  maxCost: readMoney(call.text('max-cost')),
  constraints: call.texts('constraint'),
  focus: call.texts('focus'),
  preview: call.flag('preview'),
  follow: call.text('follow'),
  gate: readGate(call.text('fail-on')),
})
