// When a judge is asked which messages ask for a restart, and about which. After an audit about all unjudged
// messages; when the scorer's level suggests it, at most once a rotation; and once more, with decoys among
// them, about the messages behind a signal. Order and decoys are drawn from the seed.

import type { Sha256 } from '../ledger/bytes.ts'
import { editionOf } from './editions.ts'
import type { JudgingOpened } from './events.ts'
import { rulesOf } from './evolve/steps.ts'
import { draw, lastOf, shuffled } from './pool.ts'
import { DECOYS } from './prompts/words.ts'
import { asks, isKnown } from './signal/signal-levels.ts'
import { type ExchangeState, messageById } from './state.ts'
import { hearingOf, judgeOf, type Terms } from './terms.ts'

/** At most this many messages in one asking; the rest waits for the next. */
const MOST = 100

/** Minds of the pool that are the judge themselves, or that the opening assigns the same model. */
function sharing({ seats }: ExchangeState, { pool }: Terms, judge: string): readonly string[] {
  const modelOf = (name: string) => seats.find((seat) => seat.name === name)?.model ?? null
  const model = modelOf(judge)
  return pool.minds.filter((mind) => mind === judge || (model !== null && modelOf(mind) === model))
}

function isDue({ closed, lastAudit, judgings, tracks }: ExchangeState, terms: Terms): boolean {
  if (closed === lastAudit && judgings.round < closed) return true
  const { clear, rotation } = rulesOf(terms)
  return tracks.scores.level >= clear && closed - judgings.round >= rotation
}

/** What the judge is to be asked now, between rounds; null when nothing. */
export function judgingNow(
  sha256: Sha256,
  state: ExchangeState,
  terms: Terms,
): Omit<JudgingOpened, 'action'> | null {
  const mind = judgeOf(terms)
  if (mind === null || editionOf(state).signal === 'scores') return null
  const judging = state.judgings.count + 1
  const purpose = `judge/${judging}`
  const { seed } = terms.pool
  const about = { judging, round: state.closed, mind, shares: sharing(state, terms, mind) }
  const here = state.scored.filter(({ id }) => messageById(state, id) !== undefined)
  const { heard, tags, confirmed } = state.tracks
  if (heard.raised && !confirmed && !tags.raised && hearingOf(terms).confirm) {
    const rests = here.filter(({ judged }) => judged === true).map(({ id }) => id)
    const uncited = here.filter((message) => isKnown(message) && !asks(message)).map(({ id }) => id)
    const decoys = draw(sha256, seed, `${purpose}/decoys`, uncited, rests.length)
    const shown = shuffled(sha256, seed, purpose, [...rests, ...decoys, ...DECOYS.keys()])
    return { ...about, purpose: 'confirm', shown }
  }
  const open = here.filter((message) => !isKnown(message)).map(({ id }) => id)
  if (open.length === 0 || !isDue(state, terms)) return null
  return { ...about, purpose: 'judge', shown: shuffled(sha256, seed, purpose, lastOf(open, MOST)) }
}
