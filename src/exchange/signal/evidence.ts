// Why a signal stands where it stands, for the person who must answer it: how the level moved, which rounds voted
// how, which messages ask most plainly, and in which clusters the asking lies. Nothing here decides anything.

import { rounded, type Scored, type SignalState } from './dominance.ts'

export interface SignalEvidence {
  readonly series: readonly Pick<SignalState, 'round' | 'share' | 'level' | 'raised'>[]
  readonly rounds: readonly { readonly round: number; readonly asking: number; readonly messages: number }[]
  /** Those that count, the highest scores first. */
  readonly top: readonly Scored[]
  readonly clusters: readonly ClusterShare[]
}

export interface ClusterShare {
  readonly id: string
  readonly label: string
  readonly asking: number
  readonly messages: number
  /** Of all messages in the window that ask, how many lie in this cluster. */
  readonly share: number
}

/** A cluster as far as evidence needs it. */
export interface ClusterNames {
  readonly id: string
  readonly label: string
  readonly members: readonly string[]
}

const TOP = 5

function roundsOf(window: readonly Scored[]): SignalEvidence['rounds'] {
  const rounds = new Map<number, { asking: number; messages: number }>()
  for (const { round, counts } of window) {
    const held = rounds.get(round) ?? { asking: 0, messages: 0 }
    rounds.set(round, { asking: held.asking + (counts ? 1 : 0), messages: held.messages + 1 })
  }
  return [...rounds].sort(([a], [b]) => a - b).map(([round, tally]) => ({ round, ...tally }))
}

function sharesOf(window: readonly Scored[], clusters: readonly ClusterNames[]): ClusterShare[] {
  const all = window.filter(({ counts }) => counts).length
  return clusters
    .map(({ id, label, members }) => {
      const own = new Set(members)
      const inside = window.filter((message) => own.has(message.id))
      const asking = inside.filter(({ counts }) => counts).length
      return { id, label, asking, messages: inside.length, share: rounded(asking / Math.max(1, all)) }
    })
    .filter(({ asking }) => asking > 0)
    .sort((a, b) => b.asking - a.asking || (a.id < b.id ? -1 : 1))
}

export function signalEvidence(
  series: readonly SignalState[],
  window: readonly Scored[],
  clusters: readonly ClusterNames[] = [],
): SignalEvidence {
  const score = (message: Scored): number => message.score ?? 0
  const asking = window.filter(({ counts }) => counts)
  return {
    series: series.map(({ round, share, level, raised }) => ({ round, share, level, raised })),
    rounds: roundsOf(window),
    top: asking.sort((a, b) => score(b) - score(a) || (a.id < b.id ? -1 : 1)).slice(0, TOP),
    clusters: sharesOf(window, clusters),
  }
}
