// How a detector did on what it never saw, and what becomes of a pool that a judge with known error rates reads: the
// rhythm, the levels and the confirmation are those of the protocol, only the judge is thrown dice.
import { type Scored, signalRules, windowOf } from '../../src/exchange/signal/dominance.ts'
import type { Score } from '../../src/exchange/signal/scorer.ts'
import {
  basisOf,
  confirmsFirst,
  follow,
  isKnown,
  NO_TRACKS,
  unconfirmed,
  withVerdicts,
} from '../../src/exchange/signal/signal-levels.ts'
import { chances, type Pool } from './pools.ts'

export interface JudgeRates {
  /** Of messages that ask, how many it cites; of others also. */
  readonly hits: number
  readonly amiss: number
}

export const PERFECT: JudgeRates = { hits: 1, amiss: 0 }
export const SCRIPTED: JudgeRates = { hits: 0.8, amiss: 0.05 }

export interface Followed {
  /** The round in which the signal was raised, and on what; null when it never was. */
  readonly raised: { readonly round: number; readonly basis: 'tags' | 'judged' } | null
  /** The scorer's level was raised at some time: an alarm, where there is no judge. */
  readonly alarm: boolean
  readonly askings: number
}

const [AUDIT, ROTATION, DECOYS] = [20, 4, 8]

/** The course of a pool up to its first signal. Without a judge only tags raise it. */
export function course(pool: Pool, scoreOf: (text: string) => Score, judge: JudgeRates | null): Followed {
  const rules = signalRules({ rotation: ROTATION, enough: 30 })
  const next = chances(Math.imul(pool.seed, 104729) + pool.kind.length)
  for (let i = 0; i < 8; i++) next()
  const truth = new Map(pool.rounds.flat().map(({ id, asks }) => [id, asks]))
  const cites = (ids: readonly string[]): Set<string> =>
    new Set(ids.filter((id) => next() < (truth.get(id) ? (judge?.hits ?? 0) : (judge?.amiss ?? 0))))
  let [tracks, window, judgedAt, askings, alarm] = [NO_TRACKS, [] as readonly Scored[], 0, 0, false]
  for (const [i, messages] of pool.rounds.entries()) {
    const round = i + 1
    const scored = messages.map(({ id, mind, text }): Scored => {
      const { score } = scoreOf(text)
      return { id, round, mind, counts: false, score, ...(text.startsWith('[RESTART]') && { tag: true }) }
    })
    window = windowOf([...window, ...scored], rules)
    tracks = follow(tracks, window, rules, { round, isJudged: judge !== null })
    alarm ||= tracks.scores.raised
    if (tracks.tags.raised) return { raised: { round, basis: 'tags' }, alarm, askings }
    if (judge === null) continue
    if (tracks.heard.raised) {
      const rests = window.filter(({ judged }) => judged === true).map(({ id }) => id)
      const decoys = window.filter((message) => message.judged === false).map(({ id }) => id)
      const shown = [...rests, ...decoys.slice(0, rests.length)]
      const foils = Array.from({ length: DECOYS }, (_, n) => `0.${n + 1}`)
      const cited = cites([...shown, ...foils])
      askings++
      if (confirmsFirst(window, { shown: new Set(shown), foils, cited }, rules))
        tracks = { ...tracks, confirmed: true }
      else {
        window = withVerdicts(window, new Set(shown), cited)
        tracks = unconfirmed(tracks, round, rules)
      }
      if (basisOf(tracks, true)) return { raised: { round, basis: 'judged' }, alarm, askings }
    }
    const open = window.filter((message) => !isKnown(message)).map(({ id }) => id)
    const isProposed = tracks.scores.level >= rules.clear && round - judgedAt >= ROTATION
    if (open.length > 0 && (round % AUDIT === 0 || isProposed)) {
      judgedAt = round
      askings++
      window = withVerdicts(window, new Set(open), cites(open))
    }
  }
  return { raised: null, alarm, askings }
}
