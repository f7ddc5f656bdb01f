// Two things that an observer should be told. Convergence: more than half of the window is one theme, and tightly so.
// A loop: a mind, or the pool, says over several rounds what was nearly word for word said before.

import { similarity } from '../../ledger/vector.ts'
import { coherenceOf, type Placed, type Themes } from './clusters.ts'

export type Alarm =
  | {
      readonly kind: 'convergence'
      readonly theme: string
      readonly coherence: number
      readonly share: number
    }
  /** `mind` is null when the pool as a whole goes round. */
  | {
      readonly kind: 'loop'
      readonly mind: string | null
      readonly share: number
      readonly messages: readonly string[]
    }

const COHERENT = 0.75
const MOST = 0.5
/** Two messages that are as alike as this say the same thing. */
const SAME = 0.92
/** A loop is judged over so many of the latest messages, from at least so many rounds. */
const LATEST = { mind: 6, pool: 20 }
const ROUNDS = 3
const REPEATING = 0.6
/** Below this a window is too small to say anything. */
const ENOUGH = 10

const fixed = (value: number): number => Math.round(value * 1e4) / 1e4

function convergences({ encoder, themes }: Themes, window: readonly Placed[]): Alarm[] {
  if (encoder === null || window.length < ENOUGH) return []
  const byId = new Map(window.map((message) => [message.id, message]))
  return themes.flatMap((theme): Alarm[] => {
    const members = theme.members.flatMap((id) => byId.get(id) ?? [])
    const [coherence, share] = [coherenceOf(encoder, theme, members), members.length / window.length]
    const alarmed = coherence > COHERENT && share > MOST
    return alarmed
      ? [{ kind: 'convergence', theme: theme.id, coherence: fixed(coherence), share: fixed(share) }]
      : []
  })
}

/** Of the latest messages, those that say again what one of an earlier round said. */
function loopOf(messages: readonly Placed[], latest: number, mind: string | null): Alarm[] {
  const recent = messages.slice(-latest)
  const rounds = new Set(recent.map(({ round }) => round))
  if (recent.length < latest || rounds.size < ROUNDS) return []
  const repeated = recent.filter((message) =>
    messages.some((other) => other.round < message.round && similarity(other.vector, message.vector) >= SAME),
  )
  const share = repeated.length / recent.length
  return share >= REPEATING
    ? [{ kind: 'loop', mind, share: fixed(share), messages: repeated.map(({ id }) => id) }]
    : []
}

function loops(window: readonly Placed[]): Alarm[] {
  const minds = [...new Set(window.map(({ mind }) => mind))].sort()
  const own = (mind: string): Placed[] => window.filter((message) => message.mind === mind)
  const single = minds.length > 1 ? minds.flatMap((mind) => loopOf(own(mind), LATEST.mind, mind)) : []
  return [...single, ...loopOf(window, LATEST.pool, null)]
}

/** What stands out in the window, oldest first, with the themes it was grouped into. */
export const alarmsOf = (themes: Themes, window: readonly Placed[]): readonly Alarm[] => [
  ...convergences(themes, window),
  ...loops(window),
]
