// A worker: graphile-worker hands it traces, one for each slot, and it says of each how far it came. It is known to the
// others by a lock and by being heard of every two seconds; when they were told that it is gone, it ends what it drives
// and comes back as another. No matter what becomes of the delivery (a server that restarts, a runner that gives up), the
// worker begins anew until it is told to stop.

import { EventEmitter, once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { Runner, WorkerEvents } from 'graphile-worker'
import type { DriveEnd, QueueItem, RecordedUse, WorkerOptions, Working } from '../../queue.ts'
import { waitsSince } from '../../queue.ts'
import type { Connections } from '../connection.ts'
import { Assurance, momentNow } from './assurance.ts'
import { hearLostStatements, openDeliveryPool } from './delivery-pool.ts'
import { jobsSchema } from './schema.ts'
import type { QueueStatements } from './statements.ts'
import { isAway, wordsOf, workerGivenUp } from './worker-faults.ts'

interface WorkerParts {
  readonly connections: Connections
  readonly sql: QueueStatements
  readonly schema: string
  readonly url: string
  /** Null when there is nothing to drive. */
  claim(trace: string, pool: string): Promise<QueueItem | null>
}

const BEAT_MS = 2_000
const SWEEP_MS = 1_000
/** Within this time of a heartbeat the worker cannot have been declared lost. */
const SURE_MS = 6_000
const AGAIN_MS = 500
/** What is driven may take this long to end once others have it. */
const LINGER_MS = 5_000
/** Announcements can be lost with a connection; jobs are looked for this often in any case. */
const POLL_MS = 2_000
const MOST_FAILURES = 5

class Worker implements Working {
  readonly #kit: WorkerParts
  readonly #options: WorkerOptions
  readonly #driven = new Map<string, AbortController>()
  readonly #claiming = new Set<string>()
  /** Traces of which the server could not be told what came of them; it is told with a heartbeat. */
  readonly #untold = new Set<string>()
  readonly #ended = new AbortController()
  #pool: string | null = null
  readonly #sure = new Assurance(SURE_MS)
  #leave: (() => Promise<void>) | null = null
  #runner: Runner | null = null
  readonly #unhear: () => void
  /** Aborted when a drive of this runner did not end though it was told to: the worker begins anew without it. */
  #gone = new AbortController()
  #stopping = false
  readonly #loops: Promise<void>[]

  constructor(kit: WorkerParts, options: WorkerOptions) {
    this.#kit = kit
    this.#options = options
    this.#unhear = hearLostStatements((error) => this.#trouble(error))
    this.#loops = [
      this.#delivering(),
      this.#every(BEAT_MS, () => this.#beat()),
      this.#every(SWEEP_MS, () => this.#sweep()),
    ]
  }

  get isReady(): boolean {
    return this.#pool !== null && !this.#stopping && this.#sure.holds
  }

  get running(): number {
    return this.#driven.size
  }

  #trouble(error: unknown): void {
    this.#options.tell({ type: 'trouble', error: wordsOf(error) })
  }

  async #query<Row extends object>(
    name: keyof QueueStatements,
    values: readonly unknown[],
  ): Promise<readonly Row[]> {
    return this.#kit.connections.query<Row>(this.#kit.sql[name], values)
  }

  async #every(ms: number, work: () => Promise<void>): Promise<void> {
    while (!this.#ended.signal.aborted) {
      try {
        await work()
      } catch (error) {
        this.#trouble(error)
      }
      await pause(ms, undefined, { signal: this.#ended.signal }).catch(() => undefined)
    }
  }

  /** Registers each pool that graphile-worker makes; one that ended is followed by another. */
  async #delivering(): Promise<void> {
    const { Logger, run } = await import('graphile-worker')
    const logger = new Logger(() => () => undefined)
    const { slots, tags } = this.#options
    const { schema, url } = this.#kit
    while (!this.#stopping) {
      const gone = new AbortController()
      this.#gone = gone
      try {
        const events: WorkerEvents = new EventEmitter()
        const registered = new Promise<string>((resolve, reject) => {
          events.on('pool:create', ({ workerPool }) => this.#register(workerPool.id).then(resolve, reject))
        })
        registered.catch(() => undefined)
        const task = (payload: unknown): Promise<void> => this.#take(registered, payload)
        const names = ['drive', ...tags.map((tag) => `drive:${tag}`)]
        const deliveries = await openDeliveryPool(url)
        const runner = await run({
          pgPool: deliveries,
          schema: jobsSchema(schema),
          concurrency: slots,
          pollInterval: POLL_MS,
          noHandleSignals: true,
          logger,
          events,
          taskList: Object.fromEntries(names.map((name) => [name, task])),
        }).catch((error: unknown) => deliveries.end().then(() => Promise.reject(error)))
        // A drive that does not end when it is told to still has its job deleted over them, whenever that is.
        void runner.promise.catch(() => undefined).then(() => deliveries.end())
        this.#runner = runner
        await registered
        if (this.#stopping) break
        await Promise.race([runner.promise, once(gone.signal, 'abort')])
      } catch (error) {
        this.#trouble(error)
      }
      if (this.#stopping) break
      await this.#lose()
      await pause(AGAIN_MS, undefined, { signal: this.#ended.signal }).catch(() => undefined)
    }
  }

  async #register(pool: string): Promise<string> {
    const { name, version, slots, tags, attend, tell } = this.#options
    this.#leave = await attend(pool)
    const began = momentNow()
    await this.#query('register', [pool, name, version, slots, [...tags]])
    this.#sure.renew(began)
    this.#pool = pool
    tell({ type: 'registered', pool })
    return pool
  }

  /**
   * Others were told that it is gone. The loop of delivery meets the end of the runner and begins anew. It is not waited
   * for here: the runner ends with its drives, and one of them may be asking this very question before its next call.
   */
  #fence(): void {
    this.#sure.withdraw()
    for (const driven of this.#driven.values()) driven.abort(workerGivenUp())
    this.#runner?.stop().catch(() => undefined)
    const gone = this.#gone
    setTimeout(() => gone.abort(), LINGER_MS).unref()
  }

  /** Others were told that it is gone, or delivery ended: nothing it drives is its own any more. */
  async #lose(): Promise<void> {
    const pool = this.#pool
    this.#pool = null
    this.#sure.withdraw()
    for (const driven of this.#driven.values()) driven.abort(workerGivenUp())
    const runner = this.#runner
    this.#runner = null
    await runner?.stop().catch(() => undefined)
    this.#untold.clear()
    await this.#leave?.().catch(() => undefined)
    this.#leave = null
    if (pool === null) return
    this.#options.tell({ type: 'lost', pool })
    await this.#query('leave', [pool]).catch(() => undefined)
  }

  async #beat(): Promise<void> {
    const pool = this.#pool
    if (pool === null) return
    const began = momentNow()
    const [row] = await this.#query<{ done: readonly string[] | null }>('beat', [
      pool,
      [...this.#driven.keys()],
    ])
    if (this.#pool !== pool) return
    if (!row?.done) return this.#fence()
    this.#sure.renew(began)
    for (const trace of row.done) this.#driven.get(trace)?.abort(new Error('no longer wanted here'))
    for (const trace of this.#untold) {
      if (!this.#driven.has(trace) && !this.#claiming.has(trace)) await this.#query('handOver', [trace, pool])
      this.#untold.delete(trace)
    }
  }

  async #sweep(): Promise<void> {
    if (this.#pool === null) return
    const [row] = await this.#query<{ workers: readonly string[]; traces: number }>('sweep', [])
    if (row && (row.workers.length > 0 || row.traces > 0)) this.#options.tell({ type: 'swept', ...row })
  }

  async confirm(): Promise<void> {
    if (this.#sure.holds) return
    await this.#beat()
    if (!this.#sure.holds) throw workerGivenUp()
  }

  /** Never fails: graphile-worker would keep the job back, longer each time, where others could go on with its trace. */
  async #take(registered: Promise<string>, payload: unknown): Promise<void> {
    const trace = String((payload as { trace?: unknown }).trace)
    // A second job of one trace finds it in hand and ends.
    if (this.#driven.has(trace) || this.#claiming.has(trace)) return
    this.#claiming.add(trace)
    try {
      const pool = await registered
      const item = await this.#kit.claim(trace, pool)
      if (item !== null) await this.#drive(item, pool)
    } catch (error) {
      this.#untold.add(trace)
      this.#trouble(error)
    } finally {
      this.#claiming.delete(trace)
    }
  }

  async #drive(item: QueueItem, pool: string): Promise<void> {
    const { trace } = item
    const [stop, began] = [new AbortController(), Date.now()]
    this.#driven.set(trace, stop)
    const { drive, tell } = this.#options
    tell({ type: 'started', trace, waitedMs: Math.max(0, began - waitsSince(item)) })
    try {
      const drove = await drive(item, stop.signal).catch((error: unknown) =>
        stop.signal.aborted || isAway(error) ? ({ as: 'interrupted' } as const) : { failed: error },
      )
      const counted = await this.#count(item)
      if ('failed' in drove) return await this.#fail(trace, pool, drove.failed, counted)
      await this.#settle(trace, pool, drove)
      tell({ type: 'ended', trace, as: drove.as, ms: Date.now() - began, ...counted })
    } finally {
      this.#driven.delete(trace)
    }
  }

  /** What was not counted now is counted with the next drive. */
  async #count(item: QueueItem): Promise<Partial<RecordedUse>> {
    try {
      const { size, ...counted } = await this.#options.count(item)
      if (size <= item.counted) return {}
      const values = [item.trace, item.counted, size, counted.usd]
      const [row] = await this.#query<{ done: boolean }>('spend', values)
      return row?.done ? counted : {}
    } catch (error) {
      this.#trouble(error)
      return {}
    }
  }

  async #settle(trace: string, pool: string, drove: DriveEnd): Promise<void> {
    if (drove.as === 'finished') await this.#query('finish', [trace, pool])
    else if (drove.as === 'parked') await this.#query('park', [trace, pool, drove.size])
    else await this.#query('handOver', [trace, pool])
  }

  async #fail(trace: string, pool: string, error: unknown, counted: Partial<RecordedUse>): Promise<void> {
    const words = wordsOf(error)
    const [row] = await this.#query<{ done: boolean }>('fail', [trace, pool, words, MOST_FAILURES])
    const setAside = row?.done === true
    this.#options.tell({ type: 'failed', trace, error: words, setAside, ...counted })
  }

  async stop(graceMs: number): Promise<void> {
    if (this.#stopping) return
    this.#stopping = true
    const pool = this.#pool
    const { tell } = this.#options
    if (pool !== null) {
      tell({ type: 'stopping', pool })
      await this.#query('stop', [pool]).catch(() => undefined)
    }
    const runner = this.#runner
    const stopped = runner?.stop().catch(() => undefined)
    const deadline = Date.now() + graceMs
    while (this.#driven.size > 0 && Date.now() < deadline) await pause(50)
    for (const driven of this.#driven.values()) driven.abort(new Error('the worker was told to stop'))
    await stopped
    await this.#leave?.().catch(() => undefined)
    if (pool !== null) await this.#query('leave', [pool]).catch(() => undefined)
    this.#pool = null
    this.#ended.abort()
    await Promise.all(this.#loops)
    this.#unhear()
    if (pool !== null) tell({ type: 'stopped', pool })
  }
}

export const startWorking = async (kit: WorkerParts, options: WorkerOptions): Promise<Working> =>
  new Worker(kit, options)
