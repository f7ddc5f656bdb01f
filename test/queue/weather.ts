// What befalls workers and their database in the long tests: one disturbance at a time, written down with its moment and with
// the asks that were under way in the traces of who was lost.

import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Network } from '../support/networks.ts'
import type { PostgresServer } from '../support/postgres.ts'
import { withClient } from '../support/postgres-store.ts'
import type { Loss } from './taken-up.ts'
import type { WorkerProcess } from './workers.ts'

const EVERY_MS = Number(process.env.WITAN_CHAOS_EVERY_MS ?? 3_000)
const ASLEEP_MS = 12_000
const NEVER = Number.POSITIVE_INFINITY
const DATABASE = ['crash', 'restart', 'killed'] as const

export interface Place {
  readonly network: Network | null
  name: string
  process: WorkerProcess
  busy: boolean
}

interface World {
  readonly url: string
  readonly server: PostgresServer
  readonly places: readonly Place[]
  begin(network: Network | null): Pick<Place, 'name' | 'process'>
  /** The traces that a model is thinking about now, each as often as one is. */
  underWay(): readonly string[]
}

export class Weather {
  readonly happened: Record<string, number> = { kill: 0, stop: 0, cut: 0, crash: 0, restart: 0, killed: 0 }
  readonly losses: Loss[] = []
  /** Asks that were under way, when it was lost, in traces of a worker, or in all of them when the database was. */
  underWay = 0
  /** Workers that ended though nobody had ended them. */
  died: string[] = []
  readonly #world: World
  readonly #healing = new Set<Promise<unknown>>()

  constructor(world: World) {
    this.#world = world
  }

  #heal(place: Place, loss: Loss, work: () => Promise<unknown> | undefined): void {
    place.busy = true
    const healed = pause(ASLEEP_MS)
      .then(work)
      .finally(() => {
        loss.until = Date.now()
        place.busy = false
        this.#healing.delete(healed)
      })
    this.#healing.add(healed)
  }

  async #database(as: (typeof DATABASE)[number]): Promise<void> {
    const { server, underWay } = this.#world
    this.happened[as] = (this.happened[as] ?? 0) + 1
    this.underWay += underWay().length
    if (as === 'restart') return server.restart()
    await (as === 'crash' ? server.crash() : server.kill())
    // Its children hold its memory until they notice that it is gone.
    for (let turn = 0; ; turn++) {
      try {
        return await server.start()
      } catch (error) {
        if (turn > 40) throw error
        await pause(250)
      }
    }
  }

  /** What its jobs say that it had in hand; the server believes in it a while longer. */
  #held(worker: string): Promise<readonly string[]> {
    return withClient(this.#world.url, async (client) => {
      const { rows } = await client.query<{ key: string }>(
        `SELECT j.key FROM witan_jobs._private_jobs j JOIN witan_queue.workers w ON w.pool = j.locked_by
        WHERE w.name = $1`,
        [worker],
      )
      return rows.map(({ key }) => key)
    })
  }

  async #worker(turn: number): Promise<void> {
    const { places, begin, underWay } = this.#world
    const free = places.filter(({ busy }) => !busy)
    const place = free[randomInt(Math.max(1, free.length))]
    if (!place) return
    // Of those that come back late, two at most are away at once; one that is killed is followed by another at once.
    const slow = ['stop', ...(place.network ? ['cut'] : [])]
    const kinds = free.length < places.length - 1 ? ['kill'] : ['kill', ...slow]
    const kind = kinds[turn % kinds.length] ?? 'kill'
    this.happened[kind] = (this.happened[kind] ?? 0) + 1
    const { process: lost, name } = place
    const loss: Loss = { at: Date.now(), worker: name, as: kind, until: NEVER }
    const asks = underWay()
    if (kind === 'kill') lost.process.kill('SIGKILL')
    else if (kind === 'stop') lost.process.kill('SIGSTOP')
    else await place.network?.cut()
    this.losses.push(loss)
    if (kind === 'stop') this.#heal(place, loss, async () => lost.process.kill('SIGCONT'))
    else if (kind === 'cut') this.#heal(place, loss, () => place.network?.join())
    const held = new Set(await this.#held(name))
    this.underWay += asks.filter((trace) => held.has(trace)).length
    if (kind === 'kill') Object.assign(place, begin(place.network))
  }

  /** One that ended by itself is told of, and followed by another. */
  #look(): void {
    for (const place of this.#world.places) {
      const { exitCode, signalCode } = place.process.process
      if (exitCode === null && signalCode === null) continue
      this.died.push(
        `${place.name} ended with ${exitCode ?? signalCode}: ${JSON.stringify(place.process.log.slice(-5))}`,
      )
      this.losses.push({ at: Date.now(), worker: place.name, as: 'died', until: NEVER })
      Object.assign(place, this.#world.begin(place.network))
    }
  }

  async blow(signal: AbortSignal): Promise<void> {
    for (let turn = 1; !signal.aborted; turn++) {
      await pause(EVERY_MS, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) break
      this.#look()
      if (turn % 6 === 0) await this.#database(DATABASE[(turn / 6) % DATABASE.length] ?? 'crash')
      else await this.#worker(turn)
    }
    await Promise.all(this.#healing)
  }
}
