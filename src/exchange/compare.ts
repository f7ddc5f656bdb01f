// Compares two branches of one exchange: which themes are in both, which only in one, and which have moved. A
// theme that both inherited keeps its name; one that arose later is the same where the centres of both are
// within the encoder's radius of each other. Vectors of different encoders are refused.

import { similarity, toVector, type Vector } from '../ledger/vector.ts'
import { radiusOf } from './clusters/clusters.ts'
import type { ClusterNote } from './events.ts'

export interface Side {
  readonly themes: readonly ClusterNote[]
  /** Vectors of the messages in the window, by theme. */
  readonly vectors: ReadonlyMap<string, readonly Vector[]>
}

interface SharedTheme {
  readonly a: ClusterNote
  readonly b: ClusterNote
  /** Cosine distance of the centres; null where one has no vectors. */
  readonly distance: number | null
  /** Its share of the window or its centre differs noticeably. */
  readonly moved: boolean
}

export interface ThemeComparison {
  readonly gained: readonly ClusterNote[]
  readonly lost: readonly ClusterNote[]
  readonly shared: readonly SharedTheme[]
}

/** A change of this share of the window is a move. */
const SHARE = 0.1

function centreOf(vectors: readonly Vector[] | undefined): Vector | null {
  const [first] = vectors ?? []
  if (!vectors || !first) return null
  const sum = new Float64Array(first.values.length)
  for (const { values } of vectors) for (const [i, value] of values.entries()) sum[i] = (sum[i] ?? 0) + value
  return toVector(first.encoder, sum)
}

/** `inherited` contains the ids of the themes that both knew when they parted. */
export function compareThemes(a: Side, b: Side, inherited: ReadonlySet<string>): ThemeComparison {
  const centres = (side: Side) => new Map(side.themes.map(({ id }) => [id, centreOf(side.vectors.get(id))]))
  const [ofA, ofB] = [centres(a), centres(b)]
  /** The distance of the centres, also relative to the radius within which two are one theme; null without vectors. */
  const between = (x: string, y: string) => {
    const [one, other] = [ofA.get(x), ofB.get(y)]
    if (!one || !other) return null
    const distance = 1 - similarity(one, other)
    return { distance, part: distance / radiusOf(one.encoder) }
  }
  const taken = new Set<string>()
  const shared: SharedTheme[] = []
  const lost: ClusterNote[] = []
  const match = (theme: ClusterNote): ClusterNote | undefined => {
    if (inherited.has(theme.id)) return b.themes.find(({ id }) => id === theme.id)
    const near = b.themes
      .filter(({ id }) => !inherited.has(id) && !taken.has(id))
      .flatMap((other) => {
        const part = between(theme.id, other.id)?.part
        return part !== undefined && part <= 1 ? [{ other, part }] : []
      })
      .sort((x, y) => x.part - y.part)
    return near[0]?.other
  }
  for (const theme of a.themes) {
    const other = match(theme)
    if (!other) {
      lost.push(theme)
      continue
    }
    taken.add(other.id)
    const apart = between(theme.id, other.id)
    const moved = (apart?.part ?? 0) > 0.5 || Math.abs(theme.share - other.share) >= SHARE
    shared.push({ a: theme, b: other, distance: apart?.distance ?? null, moved })
  }
  return { gained: b.themes.filter(({ id }) => !taken.has(id)), lost, shared }
}
