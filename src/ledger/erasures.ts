// Which payloads of a trace are erased, and what that explains: a guard that misses something names the
// events that could have contained it, and the result is uncertain only if such an event was erased.

import type { Lack, Refusal } from '../protocol.ts'

interface Passed {
  readonly type: string
  readonly agent: string
  readonly hash: string
}

export class Erasures {
  /** By type: the position and signer of each. Their headers stay. */
  readonly #erased = new Map<string, { readonly place: number; readonly agent: string }[]>()
  /** The hashes of all events, each at its place: in the parents of a fork first. */
  readonly #hashes: string[] = []
  /** The position of each hash, up to where it was last asked: usually it is not. */
  readonly #places = new Map<string, number>()
  #listed = 0

  /** Called with every event in order. */
  pass({ type, agent, hash }: Passed, isErased: boolean): void {
    const place = this.#hashes.length
    if (isErased) this.#erased.set(type, [...(this.#erased.get(type) ?? []), { place, agent }])
    this.#hashes.push(hash)
  }

  /** The part of a refusal that no erasure explains; null when all of it may be due to erasures. */
  unexplained(refusal: Refusal): Refusal | null {
    if (!refusal.lacks?.some((lack) => this.#holds(lack))) return refusal
    return refusal.besides ? this.unexplained(refusal.besides) : null
  }

  #placeOf(hash: string): number {
    for (; this.#listed < this.#hashes.length; this.#listed++)
      this.#places.set(this.#hashes[this.#listed] as string, this.#listed)
    return this.#places.get(hash) ?? -1
  }

  #holds(lack: Lack): boolean {
    if (typeof lack === 'string') return this.#erased.has(lack)
    const { types, since = '', by, least = 1 } = lack
    const erased = types.flatMap((type) => this.#erased.get(type) ?? [])
    if (erased.length === 0) return false
    const from = this.#placeOf(since)
    const could = erased.filter(({ place, agent }) => place > from && (!by || by.includes(agent)))
    return could.length >= Math.max(1, least)
  }
}
