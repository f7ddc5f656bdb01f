// What the hints of a sentence say together, and what the sentences around it add: yes or no, in a fixed order.

import { type Hints, hintsOf } from './lexicon.ts'

export interface Reading {
  readonly hints: Hints
  /** Speaks of beginning again or of other terms at all. */
  readonly core: boolean
  readonly refused: boolean
  /** Asks for it, of nothing else, and does not refuse it. */
  readonly plea: boolean
  readonly features: readonly boolean[]
}

export function read(sentence: string): Reading {
  const hints = hintsOf(sentence)
  const is = (name: string): boolean => hints[name] === true
  const core = is('again') || is('terms') || is('foreignAgain')
  const request = is('asking') || is('suggesting') || is('outset') || is('foreignAsking')
  const near = is('askingBefore') || is('suggestingBefore') || is('opensWith')
  const denied = is('negatedBefore') || is('condemnedAfter') || (is('foreignNot') && is('foreignAgain'))
  const refused = denied && !is('invited')
  const off = is('machineNear') || is('elsewhereNear') || is('argumentNear')
  const clean = core && !refused && !off
  const withCore = 'staying regretting reporting pondering machine elsewhere argument ours quoting refusing'
  const features = [
    ...Object.values(hints),
    core,
    request,
    core && request,
    core && refused,
    ...withCore.split(' ').map((name) => core && is(name)),
    clean && request,
    clean && near,
    clean && near && is('ours'),
    clean && is('oursNear'),
    clean && is('terms'),
    clean && is('foreignAsking'),
    refused,
    core && off,
    core && off && !is('oursNear'),
    clean && !is('reporting') && !is('pondering'),
    clean && is('asked'),
    refused && is('asked'),
    !core && is('staying'),
    !core && request,
    !core && is('argument'),
    core && is('judged') && !request,
  ]
  return { hints, core, refused, plea: clean && request, features }
}

/** What the other sentences of the message say about this one. */
export function context(readings: readonly Reading[], at: number): readonly boolean[] {
  const core = readings[at]?.core === true
  const others = readings.filter((_, i) => i !== at)
  const some = (name: string): boolean => others.some(({ hints }) => hints[name])
  const next = (name: string): boolean => readings[at + 1]?.hints[name] === true
  const plea = others.some((other) => other.plea)
  return [
    others.length > 0,
    core && some('refusing'),
    core && some('staying'),
    others.some((other) => other.core),
    core && next('refusing'),
    core && next('staying'),
    core && next('regretting'),
    core && next('denying'),
    core && next('denying') && readings[at]?.hints.asked === true,
    core && readings[at - 1]?.hints.denying === true,
    core && some('reporting'),
    others.some((other) => other.refused),
    core && plea,
    !core && plea,
  ]
}
