// Maps that are never changed and grow with a session: what is set makes another map, which shares the entries that were there
// before. A copy for each event would make the thousandth call of a session cost more than the first. Entries are iterated in
// the order in which their keys were first set, as those of a Map are.

/** So many entries are copied for each that is set; the shared ones once in so many sets. */
const MOST_OWN = 32

class SharedMap<Key, Value> implements ReadonlyMap<Key, Value> {
  readonly size: number
  readonly #shared: ReadonlyMap<Key, Value>
  readonly #own: ReadonlyMap<Key, Value>

  constructor(shared: ReadonlyMap<Key, Value>, own: ReadonlyMap<Key, Value>, size: number) {
    this.#shared = shared
    this.#own = own
    this.size = size
  }

  with(key: Key, value: Value): SharedMap<Key, Value> {
    const size = this.has(key) ? this.size : this.size + 1
    const own = new Map(this.#own).set(key, value)
    if (own.size <= MOST_OWN) return new SharedMap(this.#shared, own, size)
    const all = new Map(this.#shared)
    for (const [one, its] of own) all.set(one, its)
    return new SharedMap(all, new Map(), size)
  }

  get(key: Key): Value | undefined {
    return this.#own.has(key) ? this.#own.get(key) : this.#shared.get(key)
  }

  has(key: Key): boolean {
    return this.#own.has(key) || this.#shared.has(key)
  }

  *entries(): MapIterator<[Key, Value]> {
    for (const [key, value] of this.#shared)
      yield [key, this.#own.has(key) ? (this.#own.get(key) as Value) : value]
    for (const entry of this.#own) if (!this.#shared.has(entry[0])) yield entry
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

/** The map with this entry; the given one stays as it is. */
export function withEntry<Key, Value>(
  map: ReadonlyMap<Key, Value>,
  key: Key,
  value: Value,
): ReadonlyMap<Key, Value> {
  const shared = map instanceof SharedMap ? map : new SharedMap(map, new Map(), map.size)
  return shared.with(key, value)
}
