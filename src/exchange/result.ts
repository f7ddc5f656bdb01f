// The state of an exchange, as a plain value: its round, its themes, the level of the restart signal, its
// usage. Minds whose names begin with `demo-` or `scripted-` say prepared sentences, and every result of such
// a pool says so.

import { restartThemes } from './decide.ts'
import { editionOf } from './editions.ts'
import type { Answer } from './events.ts'
import type { ExchangeState } from './state.ts'
import { hearingOf, isScripted, judgeOf, type Terms } from './terms.ts'

export const DEMO = 'mechanics demo: no language model was asked'
export const DEMO_PREFIX = 'demo-'

const SCRIPTED = 'scripted demo: no language model was asked'

export const isDemoMind = (name: string): boolean => name.startsWith(DEMO_PREFIX)
export const isDemo = ({ pool }: Terms): boolean => pool.minds.every(isDemoMind)

export function noteOf({ terms }: ExchangeState): string | null {
  if (!terms) return null
  return isDemo(terms) ? DEMO : isScripted(terms) ? SCRIPTED : null
}

/** The effect of each answer to a signal, for a person who must choose. */
export const ANSWERS: Readonly<Record<Answer, string>> = {
  acknowledge: 'continues as it is; nothing changes, and no signal is raised for one rotation',
  amend: 'continues here, under the new terms that you give',
  branch:
    'continues in a new trace from this round, on new terms if you give them; this one stops and is kept',
  rollback:
    'continues in a new trace from an earlier round, by default the last audit; this one stops and is kept',
  halt: 'ends the exchange for good; it can still be read and verified',
}

/** The basis of the restart signal: levels by tags, judgements and scores, who judges and at what cost. */
function restartOf(state: ExchangeState) {
  const { tracks, judgings, alarms, terms } = state
  if (!terms || editionOf(state).signal === 'scores') return null
  return {
    hear: hearingOf(terms).hear,
    tags: tracks.tags.level,
    judged: tracks.heard.level,
    scores: tracks.scores.level,
    alarm: alarms.stands,
    judge: judgeOf(terms),
    judgings: { asked: judgings.asked, usd: judgings.usd, last: judgings.last },
    themes: restartThemes(state),
  }
}

/** The state of an exchange. */
export type ExchangeValue = ReturnType<typeof exchangeValue>

export function exchangeValue(state: ExchangeState) {
  const { trace, closed, until, phase, signal, level, clusters, totals, halted, movedTo, stopped, encoder } =
    state
  return {
    trace,
    status: halted ? 'halted' : movedTo !== null ? 'moved' : stopped !== null ? 'stopped' : 'open',
    round: closed,
    granted: until,
    moved_to: movedTo,
    stopped,
    phase: phase ? 'structured' : 'free-running',
    signal: signal
      ? { number: signal.number, round: signal.round, asked: signal.asked, answers: ANSWERS }
      : null,
    level: level.level,
    restart: restartOf(state),
    encoder,
    clusters: clusters?.notes ?? [],
    totals,
    note: noteOf(state),
  }
}
