// The keys of a registry, with a table for each state. A new table shares all but one small part with the one
// before it: a registry with very many keys, which a stranger's bundle may contain, is folded without copying
// all of them each time. Key ids are hashes, so the parts fill evenly.

interface Registered {
  readonly id: string
  readonly registered: number
}

type Parts<Key> = ReadonlyMap<string, ReadonlyMap<string, Key>>

export class KeyTable<Key extends Registered> {
  readonly #parts: Parts<Key>

  private constructor(parts: Parts<Key>) {
    this.#parts = parts
  }

  static empty<Key extends Registered>(): KeyTable<Key> {
    return new KeyTable(new Map())
  }

  get(id: string): Key | undefined {
    return this.#parts.get(id.slice(0, 2))?.get(id)
  }

  has(id: string): boolean {
    return this.get(id) !== undefined
  }

  /** In the order in which they were registered. */
  values(): readonly Key[] {
    const all = [...this.#parts.values()].flatMap((part) => [...part.values()])
    return all.sort((a, b) => a.registered - b.registered)
  }

  /** A table that also contains this key, or its new state. */
  with(key: Key): KeyTable<Key> {
    const name = key.id.slice(0, 2)
    const part = new Map(this.#parts.get(name)).set(key.id, key)
    return new KeyTable(new Map(this.#parts).set(name, part))
  }
}
