// Immutable maps that grow with a session: setting an entry gives another map, which shares the earlier
// entries. A copy for each event would make the thousandth call of a session cost more than the first.
// Entries are iterated in the order in which their keys were first set, as in a Map.

/**
 * The newest level holds this many entries, and each older level this many times more: a set copies a few entries of each.
 */
const GROWTH = 8

type Levels<Key, Value> = readonly ReadonlyMap<Key, Value>[]

/** A level that is too large is merged into the next older one. */
function settled<Key, Value>(newest: ReadonlyMap<Key, Value>, older: Levels<Key, Value>): Levels<Key, Value> {
  const levels = [newest, ...older]
  for (let i = 0, most = GROWTH; i < levels.length; i++, most *= GROWTH) {
    const level = levels[i]
    if (!level || level.size <= most) break
    const merged = new Map(levels[i + 1])
    for (const [key, value] of level) merged.set(key, value)
    levels[i] = new Map()
    levels[i + 1] = merged
  }
  return levels
}

/** Gives the same result as setting its entries one by one. */
function levelsOf<Key, Value>(map: ReadonlyMap<Key, Value>): Levels<Key, Value> {
  const levels = [map]
  for (let most = GROWTH; most < map.size; most *= GROWTH) levels.unshift(new Map())
  return levels
}

class SharedMap<Key, Value> implements ReadonlyMap<Key, Value> {
  readonly size: number
  /** Newest level first. */
  readonly #levels: Levels<Key, Value>

  constructor(levels: Levels<Key, Value>, size: number) {
    this.#levels = levels
    this.size = size
  }

  with(key: Key, value: Value): SharedMap<Key, Value> {
    const size = this.has(key) ? this.size : this.size + 1
    const [newest, ...older] = this.#levels
    return new SharedMap(settled(new Map(newest).set(key, value), older), size)
  }

  get(key: Key): Value | undefined {
    return this.#levels.find((level) => level.has(key))?.get(key)
  }

  has(key: Key): boolean {
    return this.#levels.some((level) => level.has(key))
  }

  *entries(): MapIterator<[Key, Value]> {
    for (let i = this.#levels.length - 1; i >= 0; i--) {
      const [newer, older] = [this.#levels.slice(0, i), this.#levels.slice(i + 1)]
      for (const entry of this.#levels[i] ?? []) {
        const [key] = entry
        if (older.some((level) => level.has(key))) continue
        const changed = newer.find((level) => level.has(key))
        yield changed ? [key, changed.get(key) as Value] : entry
      }
    }
  }

  *keys(): MapIterator<Key> {
    for (const [key] of this.entries()) yield key
  }

  *values(): MapIterator<Value> {
    for (const [, value] of this.entries()) yield value
  }

  [Symbol.iterator](): MapIterator<[Key, Value]> {
    return this.entries()
  }

  forEach(hear: (value: Value, key: Key, map: ReadonlyMap<Key, Value>) => void): void {
    for (const [key, value] of this.entries()) hear(value, key, this)
  }
}

/** The map with this entry; the given map is not changed. */
export function withEntry<Key, Value>(
  map: ReadonlyMap<Key, Value>,
  key: Key,
  value: Value,
): ReadonlyMap<Key, Value> {
  const shared = map instanceof SharedMap ? map : new SharedMap(levelsOf(map), map.size)
  return shared.with(key, value)
}
