// The content of a map of the pool, as data: the place of each message, its theme, its time, what it was
// shown and the signal beside it. Places are passed in; this combines them, on the unit square, and draws
// nothing.

import type { SignalState } from '../signal/dominance.ts'

interface MapMessage {
  readonly id: string
  readonly round: number
  /** Who wrote it, or the kind of a message that no mind wrote. */
  readonly author: string
  readonly text: string
  readonly asks: boolean
  /** The messages that its author was shown. */
  readonly sampled: readonly string[]
}

export interface Spot {
  readonly x: number
  readonly y: number
}

export interface MapTheme {
  readonly id: string
  readonly label: string
  readonly excerpt: string
  readonly members: readonly string[]
}

export type MapPoint = Omit<MapMessage, 'sampled'> &
  Spot & { readonly theme: string | null; readonly from: readonly string[] }

export interface MapData {
  readonly title: string
  /** True when no language model took part: then the map says so in its title. */
  readonly demo: boolean
  readonly encoder: string
  readonly points: readonly MapPoint[]
  readonly themes: readonly (Omit<MapTheme, 'members'> & { readonly size: number })[]
  readonly series: readonly Pick<SignalState, 'round' | 'share' | 'level' | 'raised'>[]
  readonly raise: number
  readonly clear: number
}

export interface MapSource
  extends Pick<MapData, 'title' | 'demo' | 'encoder' | 'series' | 'raise' | 'clear'> {
  readonly messages: readonly MapMessage[]
  /** One for each message, in order. */
  readonly spots: readonly Spot[]
  readonly themes: readonly MapTheme[]
}

const rounded = (value: number): number => Math.round(value * 1e4) / 1e4

/** Onto 0…1 in each direction; what has no extent lies in the middle. */
function scaled(values: readonly number[]): number[] {
  const finite = values.map((value) => (Number.isFinite(value) ? value : 0))
  const [low, high] = [Math.min(...finite), Math.max(...finite)]
  return finite.map((value) => rounded(high > low ? (value - low) / (high - low) : 0.5))
}

export function mapData({ messages, spots, themes, ...rest }: MapSource): MapData {
  const [xs, ys] = [scaled(spots.map(({ x }) => x)), scaled(spots.map(({ y }) => y))]
  const known = new Set(messages.map(({ id }) => id))
  const themeOf = new Map(themes.flatMap(({ id, members }) => members.map((member) => [member, id] as const)))
  const points = messages.map(({ sampled, ...message }, i): MapPoint => {
    const from = sampled.filter((id) => known.has(id))
    return { ...message, x: xs[i] ?? 0.5, y: ys[i] ?? 0.5, theme: themeOf.get(message.id) ?? null, from }
  })
  const shown = themes.map(({ members, ...theme }) => {
    const size = members.filter((id) => known.has(id)).length
    return { ...theme, size }
  })
  return { ...rest, points, themes: shown.filter(({ size }) => size > 0).sort((a, b) => b.size - a.size) }
}
