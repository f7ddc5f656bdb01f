// Two alarms for an observer. Convergence: more than half of the window is one theme, and close together. A
// loop: a mind, or the pool, repeats over several rounds almost exactly what was said before.

import { similarity } from '../../ledger/vector.ts'
import { coherenceOf, type Placed, type Themes } from './clusters.ts'

export type Alarm =
  | {
      readonly kind: 'convergence'
      readonly theme: string
      readonly coherence: number
      readonly share: number
    }
  /** `mind` is null when the pool as a whole is in a loop. */
  | {
      readonly kind: 'loop'
      readonly mind: string | null
      readonly share: number
      readonly messages: readonly string[]
    }

const COHERENT = 0.75
const MOST = 0.5
/** Two messages that are this similar say the same thing. */
const SAME = 0.92
/** A loop is judged over this many of the latest messages, from at least this many rounds. */
const LATEST = { mind: 6, pool: 20 }
const ROUNDS = 3
const REPEATING = 0.6
/** A smaller window says nothing. */
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

/** Those of the latest messages that repeat one of an earlier round. */
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

/** The alarms of the window, oldest first, with its themes. */
export const alarmsOf = (themes: Themes, window: readonly Placed[]): readonly Alarm[] => [
  ...convergences(themes, window),
  ...loops(window),
]
