// The keys of a registry, each state with a table of its own. A new table shares all but one small part with the one
// before it: a registry of very many keys, which a stranger's bundle may hold, is folded without copying all of them at
// each. Key ids are hashes, so the parts fill evenly.

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

  /** A table that holds this key too, or as it is now. */
  with(key: Key): KeyTable<Key> {
    const name = key.id.slice(0, 2)
    const part = new Map(this.#parts.get(name)).set(key.id, key)
    return new KeyTable(new Map(this.#parts).set(name, part))
  }
}
