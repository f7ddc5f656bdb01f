// Folds judgements: verdicts are attached to messages, a second asking confirms or replaces the first, and a
// failed one counts as one.

import type { Asked, JudgingOpened } from '../events.ts'
import type { Message } from '../messages.ts'
import { DECOYS } from '../prompts/words.ts'
import { confirmsFirst, shownLevel, unconfirmed, withVerdicts } from '../signal/signal-levels.ts'
import { type ExchangeState, messageById } from '../state.ts'
import { hearingOf } from '../terms.ts'
import { rulesOf } from './steps.ts'

export function foldJudgingOpened(state: ExchangeState, payload: JudgingOpened): ExchangeState {
  const { action: _, ...order } = payload
  const material = new Map<string, Message>()
  for (const id of order.shown) {
    const message = messageById(state, id)
    if (message) material.set(id, message)
  }
  return {
    ...state,
    judging: { ...order, under: state.terms, hash: state.termsHash, material, incomplete: new Map() },
  }
}

/** The judge has answered, or failed: then nothing is known, and it is not asked again for a rotation. */
export function foldJudged(
  state: ExchangeState,
  cited: ReadonlySet<string> | null,
  asked: Partial<Asked>,
): ExchangeState {
  const { judging, judgings, terms } = state
  if (!judging || !terms) return state
  const { purpose, round, shown } = judging
  const foils = shown.filter((id) => DECOYS.has(id))
  const again = cited === null ? null : { shown: new Set(shown), foils, cited }
  const bore =
    purpose === 'judge' ? null : again !== null && confirmsFirst(state.scored, again, rulesOf(terms))
  const verdicts = cited === null || bore ? state.scored : withVerdicts(state.scored, new Set(shown), cited)
  const tracks = {
    judge: () => state.tracks,
    confirm: () =>
      bore ? { ...state.tracks, confirmed: true } : unconfirmed(state.tracks, round, rulesOf(terms)),
  }[purpose]()
  const { confirm, hear } = hearingOf(terms)
  const level = shownLevel(tracks, confirm)
  return {
    ...state,
    judging: null,
    judgings: {
      count: judging.judging,
      round,
      asked: judgings.asked + 1,
      usd: judgings.usd + (asked.cost?.usd ?? 0),
      last: { purpose, bore },
    },
    scored: verdicts,
    tracks,
    level: { ...level, raised: level.raised && hear === 'judge' },
  }
}
