// What the servers offer, under the names by which the host knows it. Names and definitions are those of the servers; only
// where two servers offer the same name, the later one's carries the name of its server before it.

import { confinementWords } from '../../tools/mcp/mcp.ts'
import type { Enclosure } from '../../tools/mcp/sandboxed-server.ts'
import { type Fields, isFields, textIn } from './messages.ts'
import type { Offered } from './recorder.ts'
import { recordedDefinition } from './tool-definitions.ts'
import type { Upstream } from './upstream.ts'

export interface Entry extends Offered {
  readonly upstream: Upstream
  /** As its own server calls it. */
  readonly name: string
}

export interface CatalogueOptions {
  readonly believesHints: boolean
  readonly enclosure: Enclosure | null
}

const MOST_PAGES = 200
/** A server may say with each list that it has changed. */
const MOST_TRIES = 3

/** All pages of a list. */
export async function listAllPages(
  upstream: Upstream,
  method: string,
  key: string,
  meta: Fields,
): Promise<Fields[]> {
  const entries: Fields[] = []
  let cursor: string | null = null
  for (let page = 0; page < MOST_PAGES; page++) {
    const params: Fields = {
      ...(Object.keys(meta).length > 0 && { _meta: meta }),
      ...(cursor !== null && { cursor }),
    }
    const result = await upstream.ask(method, params)
    const items = result[key]
    if (Array.isArray(items)) entries.push(...items.filter(isFields))
    cursor = textIn(result, 'nextCursor')
    if (cursor === null) return entries
  }
  throw new Error(`the server ${upstream.name} lists more than ${MOST_PAGES} pages`)
}

/** With the name of its server before it where another server has the name already. */
export function visibleNames(
  lists: readonly (readonly [Upstream, readonly Fields[]])[],
): readonly { readonly visible: string; readonly upstream: Upstream; readonly item: Fields }[] {
  const taken = new Set<string>()
  return lists.flatMap(([upstream, items]) =>
    items.map((item) => {
      const name = textIn(item, 'name') ?? ''
      const visible = taken.has(name) ? `${upstream.name}_${name}` : name
      taken.add(visible)
      return { visible, upstream, item }
    }),
  )
}

export class Catalogue {
  readonly tools = new Map<string, Entry>()
  readonly #upstreams: readonly Upstream[]
  readonly #believed: CatalogueOptions
  readonly #fresh = new Set<Upstream>()
  /** How often each has said that its tools are others now. */
  readonly #changes = new Map<Upstream, number>()

  constructor(upstreams: readonly Upstream[], options: CatalogueOptions) {
    this.#upstreams = upstreams
    this.#believed = options
  }

  #put(visible: string, upstream: Upstream, definition: Fields): void {
    const { believesHints, enclosure } = this.#believed
    const name = textIn(definition, 'name') ?? ''
    const where = upstream.isRemote ? null : confinementWords(enclosure)
    const recorded = recordedDefinition(upstream.name, visible, definition, { believesHints, where })
    this.tools.set(visible, { upstream, name, definition, recorded })
  }

  changesOf(upstream: Upstream): number {
    return this.#changes.get(upstream) ?? 0
  }

  /** A page of tools that its server told the host of, which was asked for after so many changes. */
  observe(upstream: Upstream, result: Fields, requestedAt: number): void {
    if (!Array.isArray(result.tools)) return
    for (const item of result.tools.filter(isFields)) this.#put(textIn(item, 'name') ?? '', upstream, item)
    if (textIn(result, 'nextCursor') === null) this.#told(upstream, requestedAt)
  }

  /** Of a list that changed while it was under way nothing says whether it is from before or after. */
  #told(upstream: Upstream, requestedAt: number): void {
    if (this.changesOf(upstream) === requestedAt) this.#fresh.add(upstream)
  }

  /** Its tools are asked for anew before the next call. */
  forget(upstream: Upstream): void {
    this.#changes.set(upstream, this.changesOf(upstream) + 1)
    this.#fresh.delete(upstream)
  }

  /** Asks each server that has not told, and gives all tools of all. */
  async list(meta: Fields): Promise<readonly Fields[]> {
    const lists = await Promise.all(
      this.#upstreams
        .filter(({ isGone }) => !isGone)
        .map(async (upstream) => {
          const requestedAt = this.changesOf(upstream)
          const items = await listAllPages(upstream, 'tools/list', 'tools', meta)
          this.#told(upstream, requestedAt)
          return [upstream, items] as const
        }),
    )
    this.tools.clear()
    return visibleNames(lists).map(({ visible, upstream, item }) => {
      this.#put(visible, upstream, item)
      return { ...item, name: visible }
    })
  }

  /** By the name that the host uses. A tool that no list names may still be there: its server says. */
  async find(visible: string, meta: Fields): Promise<Entry | null> {
    const isOld = (one: Upstream): boolean => !one.isGone && !this.#fresh.has(one)
    for (let tries = 0; tries < MOST_TRIES && this.#upstreams.some(isOld); tries++) await this.list(meta)
    return this.tools.get(visible) ?? null
  }
}
