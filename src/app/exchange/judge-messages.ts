// How the messages of a pool are judged here: a scorer of requests to restart, and themes that keep their
// names over time. It continues from the record: the fold knows each message's theme, and a theme's centre is
// computed again from its recorded messages in the window.

import type { EmbeddedMessage, Judge } from '../../clerk/performers/exchange/judge-messages.ts'
import { scoreTexts } from '../../clerk/performers/exchange/scoring.ts'
import type { Embedder } from '../../embeddings/embedder.ts'
import { alarmsOf, type Alarm as Found } from '../../exchange/clusters/alarms.ts'
import {
  labelThemes,
  NO_THEMES,
  type Placed,
  placesOf,
  regroup,
  type Theme,
  type Themes,
} from '../../exchange/clusters/clusters.ts'
import type { Alarm, ClusterNote } from '../../exchange/events.ts'
import { rounded } from '../../exchange/signal/dominance.ts'
import type { Scorer } from '../../exchange/signal/scorer.ts'
import type { ExchangeState } from '../../exchange/state.ts'
import { scorerFor } from './scorer.ts'

const placed = ({ message, vector }: EmbeddedMessage): Placed => {
  const { id, round, author: mind, text } = message
  return { id, round, mind, text, vector }
}

/** Recorded themes, for a run that begins in the middle. */
function recalled({ clusters }: ExchangeState, window: readonly EmbeddedMessage[]): Themes {
  const encoder = window[0]?.vector.encoder ?? null
  const notes = clusters?.notes ?? []
  if (encoder === null || notes.length === 0) return NO_THEMES
  const themes = notes.flatMap(({ id, size }): Theme[] => {
    const own = window.filter(({ message }) => message.cluster === id)
    const [first] = own
    if (!first) return []
    const sum = new Float64Array(first.vector.values.length)
    for (const { vector } of own)
      for (const [i, value] of vector.values.entries()) sum[i] = (sum[i] ?? 0) + value
    return [{ id, born: first.message.round, size, sum, members: own.map(({ message }) => message.id) }]
  })
  const named = Math.max(0, ...notes.map(({ id }) => Number(/\d+$/.exec(id)?.[0] ?? 0)))
  return { encoder, named, themes }
}

function alarmOf(sighting: Found): Alarm {
  if (sighting.kind === 'convergence') {
    const share = Math.round(sighting.share * 100)
    return { kind: sighting.kind, cluster: sighting.theme, text: `${share} % of the window is one theme` }
  }
  const who = sighting.mind === null ? 'the pool' : sighting.mind
  return { kind: sighting.kind, cluster: null, text: `${who} goes round in circles` }
}

/** The messages of an alarm: those before the latest are not reported again. */
const keyOf = (sighting: Found): string =>
  sighting.kind === 'convergence'
    ? `${sighting.kind} ${sighting.theme}`
    : `${sighting.kind} ${sighting.mind ?? ''}`

/** `learned` gives the scorer for this embedder, requested once and only when there is something to score. */
export function judgeWith(
  embedder: Embedder,
  learned: () => Promise<Scorer> = () => scorerFor(embedder),
): Judge {
  let known: Themes | null = null
  let scorer: Promise<Scorer> | null = null
  return async (state, window, fresh) => {
    const byMinds = window.filter(({ message }) => message.kind === 'mind')
    const all = byMinds.map(placed)
    const earlier = known ?? recalled(state, byMinds)
    const before = placesOf(earlier)
    known = regroup(earlier, all)
    const now = placesOf(known)
    const labels = new Map(labelThemes(known, all).map(({ id, label }) => [id, label]))
    const clusters = known.themes
      .filter(({ members }) => members.length > 0)
      .map(
        ({ id, members }): ClusterNote => ({
          id,
          label: labels.get(id) ?? id,
          size: members.length,
          share: rounded(members.length / Math.max(1, all.length)),
        }),
      )
    const written = fresh.filter(({ message }) => message.kind === 'mind')
    scorer ??= learned()
    const scores = await scoreTexts(
      embedder,
      await scorer,
      written.map(({ message }) => message.text),
    )
    const isNew = new Set(fresh.map(({ message }) => message.id))
    const old = byMinds.filter(({ message }) => !isNew.has(message.id)).map(placed)
    const standing = new Set(alarmsOf(earlier, old).map(keyOf))
    return {
      scores: new Map(written.map(({ message }, i) => [message.id, scores[i]?.score ?? null])),
      assigned: byMinds
        .map(({ message: { id } }) => ({ id, cluster: now.get(id) ?? null }))
        .filter(({ id, cluster }) => isNew.has(id) || (before.get(id) ?? null) !== cluster),
      clusters,
      alarms: alarmsOf(known, all)
        .filter((alarm) => !standing.has(keyOf(alarm)))
        .map(alarmOf),
    }
  }
}
