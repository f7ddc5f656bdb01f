// The reader's choices on the map: how messages are coloured, up to which round, which group is highlighted,
// and which message is selected. Every change draws again; nothing is kept between visits.

import type { MapData, MapPoint } from '../../../exchange/map/map.ts'
import { type Group, type Grouping, groupOf, groupsOf } from '../../../render/map/groups.ts'

export class MapState {
  readonly data: MapData
  readonly byId: ReadonlyMap<string, MapPoint>
  /** Message → those whose authors were shown it. */
  readonly heardBy = new Map<string, string[]>()
  readonly rounds: number
  by: Grouping = 'theme'
  until: number
  only: string | null = null
  /** Under the pointer. */
  pointed: MapPoint | null = null
  /** Chosen by a click or a key; stays. */
  chosen: MapPoint | null = null
  #groups: readonly Group[]
  readonly #watchers: (() => void)[] = []

  constructor(data: MapData) {
    this.data = data
    this.byId = new Map(data.points.map((point) => [point.id, point]))
    for (const { id, from } of data.points)
      for (const source of from) {
        const listeners = this.heardBy.get(source)
        if (listeners) listeners.push(id)
        else this.heardBy.set(source, [id])
      }
    this.rounds = data.points.reduce((most, { round }) => Math.max(most, round), 0)
    this.until = this.rounds
    this.#groups = groupsOf(data, this.by)
  }

  get groups(): readonly Group[] {
    return this.#groups
  }

  get read(): MapPoint | null {
    return this.pointed ?? this.chosen
  }

  get seen(): readonly MapPoint[] {
    return this.data.points.filter(({ round }) => round <= this.until)
  }

  isOut(point: MapPoint): boolean {
    return this.only !== null && groupOf(point, this.by) !== this.only
  }

  groupBy(by: Grouping): void {
    this.by = by
    this.only = null
    this.#groups = groupsOf(this.data, by)
    this.changed()
  }

  choose(point: MapPoint | null): void {
    this.chosen = point
    this.pointed = null
    if (point && point.round > this.until) this.until = point.round
    this.changed()
  }

  /** The next or the last message in time, of those that stand out. */
  step(by: 1 | -1): void {
    const among = this.seen.filter((point) => !this.isOut(point))
    const at = this.chosen ? among.indexOf(this.chosen) : by === 1 ? -1 : among.length
    this.choose(among[Math.min(among.length - 1, Math.max(0, at + by))] ?? null)
  }

  watch(watcher: () => void): void {
    this.#watchers.push(watcher)
  }

  changed(): void {
    for (const watcher of this.#watchers) watcher()
  }
}
