// What befalls workers and their database in the long tests: one disturbance at a time, written down with its moment.

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
}

export class Weather {
  readonly happened: Record<string, number> = { kill: 0, stop: 0, cut: 0, crash: 0, restart: 0, killed: 0 }
  readonly losses: Loss[] = []
  /** Workers that ended though no one had ended them. */
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

  async #start(): Promise<void> {
    // Its children hold its memory until they notice that it is gone.
    for (let turn = 0; ; turn++) {
      try {
        return await this.#world.server.start()
      } catch (error) {
        if (turn > 40) throw error
        await pause(250)
      }
    }
  }

  /** All that was written down before it was started again is what it held when it went. */
  async #database(as: (typeof DATABASE)[number]): Promise<void> {
    const { server, url } = this.#world
    const at = Date.now()
    this.happened[as] = (this.happened[as] ?? 0) + 1
    if (as === 'restart') await server.restart()
    else {
      await (as === 'crash' ? server.crash() : server.kill())
      await this.#start()
    }
    const struck = await withClient(url, async (client) => {
      const { rows } = await client.query<{ at: Date }>('SELECT pg_postmaster_start_time() AS at')
      return rows[0]?.at.getTime() ?? at
    })
    this.losses.push({ at, struck, worker: null, as, until: struck })
  }

  async #worker(turn: number): Promise<void> {
    const { places, begin } = this.#world
    const free = places.filter(({ busy }) => !busy)
    const place = free[randomInt(Math.max(1, free.length))]
    if (!place) return
    // Of those that come back late, two at most are away at once; one that is killed is followed by another at once.
    const slow = ['stop', ...(place.network ? ['cut'] : [])]
    const kinds = free.length < places.length - 1 ? ['kill'] : ['kill', ...slow]
    const kind = kinds[turn % kinds.length] ?? 'kill'
    this.happened[kind] = (this.happened[kind] ?? 0) + 1
    const { process: lost, name } = place
    const at = Date.now()
    if (kind === 'kill') lost.process.kill('SIGKILL')
    else if (kind === 'stop') lost.process.kill('SIGSTOP')
    else await place.network?.cut()
    const loss: Loss = { at, struck: Date.now(), worker: name, as: kind, until: NEVER }
    this.losses.push(loss)
    if (kind === 'stop') this.#heal(place, loss, async () => lost.process.kill('SIGCONT'))
    else if (kind === 'cut') this.#heal(place, loss, () => place.network?.join())
    else Object.assign(place, begin(place.network))
  }

  /** One that ended by itself is told of, and followed by another. */
  #look(): void {
    for (const place of this.#world.places) {
      const { exitCode, signalCode } = place.process.process
      if (exitCode === null && signalCode === null) continue
      this.died.push(
        `${place.name} ended with ${exitCode ?? signalCode}: ${JSON.stringify(place.process.log.slice(-5))}`,
      )
      const at = Date.now()
      this.losses.push({ at, struck: at, worker: place.name, as: 'died', until: NEVER })
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
