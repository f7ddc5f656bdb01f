// What befalls workers and their database in the long tests, and how long each trace that lost its worker waited for
// another. A disturbance is told here when it happens; the queue is looked at several times a second.

import { setTimeout as pause } from 'node:timers/promises'
import type { Queue, QueueItem } from '../../src/stores/queue.ts'
import { withClient } from '../support/postgres-store.ts'

const LOOK_MS = 250
const OVER: readonly string[] = ['done', 'parked', 'set aside', 'cancelled']

interface Orphan {
  readonly trace: string
  readonly worker: string
  readonly losses: number
  readonly since: number
}

export class Waits {
  readonly #queue: Queue
  readonly #url: string
  #orphans: Orphan[] = []
  readonly waited: number[] = []

  constructor(queue: Queue, url: string) {
    this.#queue = queue
    this.#url = url
  }

  /** Traces whose jobs this worker has in hand, begun or about to be. */
  #held(worker: string): Promise<readonly string[]> {
    return withClient(this.#url, async (client) => {
      const { rows } = await client.query<{ key: string }>(
        `SELECT j.key FROM witan_jobs._private_jobs j JOIN witan_queue.workers w ON w.pool = j.locked_by
        WHERE w.name = $1`,
        [worker],
      )
      return rows.map(({ key }) => key)
    })
  }

  /** The worker of that name is about to be lost: what it drives will need another. */
  async losing(worker: string): Promise<number> {
    const since = Date.now()
    const held = new Set(await this.#held(worker))
    const own = (await this.#queue.list()).filter(({ trace }) => held.has(trace))
    // One that had just been taken over by this very worker waits anew.
    this.#orphans = this.#orphans.filter(({ trace }) => !held.has(trace))
    this.#orphans.push(...own.map(({ trace, losses }) => ({ trace, worker, losses, since })))
    return own.length
  }

  #look(items: readonly QueueItem[]): void {
    const found = new Map(items.map((item) => [item.trace, item]))
    this.#orphans = this.#orphans.filter(({ trace, worker, losses, since }) => {
      const item = found.get(trace)
      const isTaken = item?.state === 'running' && (item.worker !== worker || item.losses > losses)
      if (!item || (!isTaken && !OVER.includes(item.state))) return true
      if (isTaken) this.waited.push(Date.now() - since)
      return false
    })
  }

  async watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      // While the database is away nobody can take anything.
      const items = await this.#queue.list().catch(() => null)
      if (items) this.#look(items)
      await pause(LOOK_MS, undefined, { signal }).catch(() => undefined)
    }
  }

  get longest(): number {
    return Math.max(0, ...this.waited)
  }
}
