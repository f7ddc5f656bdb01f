// A worker: graphile-worker hands it traces, one for each slot, and it says of each how far it came. It is known to the
// others by a lock and by being heard of every two seconds; when they were told that it is gone, it ends what it drives
// and comes back as another. Whatever becomes of the delivery (a server that restarts, a runner that gives up), the
// worker begins anew until it is told to stop.

import { EventEmitter, once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { Runner, WorkerEvents } from 'graphile-worker'
import { isWitanError, WitanError } from '../../../ledger/errors.ts'
import type { Drove, QueueItem, WorkerOptions, Working } from '../../queue.ts'
import { type Connections, withoutSecrets } from '../connection.ts'
import { jobsSchema } from './schema.ts'
import type { QueueStatements } from './statements.ts'

interface Desk {
  readonly connections: Connections
  readonly sql: QueueStatements
  readonly schema: string
  readonly url: string
  /** Null when there is nothing to drive. */
  claim(trace: string, pool: string): Promise<QueueItem | null>
}

const BEAT_MS = 2_000
const SWEEP_MS = 1_000
/** Within this time of a heartbeat nobody can have been told that the worker is gone. */
const SURE_MS = 6_000
const AGAIN_MS = 500
/** What is driven may take this long to end once others have it. */
const LINGER_MS = 5_000
/** Announcements can be lost with a connection; jobs are looked for this often in any case. */
const POLL_MS = 2_000
const MOST_FAILURES = 5
const MOST_ERROR = 500
const CONNECTIONS = 4

/** What was wrong and, where that is known, what to do. */
function wordsOf(error: unknown): string {
  const next = error instanceof WitanError ? `; next: ${error.next}` : ''
  const words = `${error instanceof Error ? error.message : String(error)}${next}`
  return withoutSecrets(words).slice(0, MOST_ERROR)
}

/** The server was away: no fault of the trace. */
const isAway = (error: unknown): boolean =>
  isWitanError(error, 'VAULT_UNREACHABLE') || isWitanError(error, 'VAULT_BUSY')

const fenced = (): WitanError =>
  new WitanError(
    'INTERRUPTED',
    'this worker was silent for too long, and others go on with what it drove',
    'Nothing is to be done: it comes back by itself.',
  )

class Worker implements Working {
  readonly #desk: Desk
  readonly #options: WorkerOptions
  readonly #driven = new Map<string, AbortController>()
  readonly #claiming = new Set<string>()
  readonly #ended = new AbortController()
  #pool: string | null = null
  #sureUntil = 0
  #leave: (() => Promise<void>) | null = null
  #runner: Runner | null = null
  /** Aborted when a drive of this runner did not end though it was told to: the worker begins anew without it. */
  #gone = new AbortController()
  #stopping = false
  readonly #loops: Promise<void>[]

  constructor(desk: Desk, options: WorkerOptions) {
    this.#desk = desk
    this.#options = options
    this.#loops = [
      this.#delivering(),
      this.#every(BEAT_MS, () => this.#beat()),
      this.#every(SWEEP_MS, () => this.#sweep()),
    ]
  }

  get isReady(): boolean {
    return this.#pool !== null && !this.#stopping && performance.now() < this.#sureUntil
  }

  get running(): number {
    return this.#driven.size
  }

  async #query<Row extends object>(
    name: keyof QueueStatements,
    values: readonly unknown[],
  ): Promise<readonly Row[]> {
    return this.#desk.connections.query<Row>(this.#desk.sql[name], values)
  }

  async #every(ms: number, work: () => Promise<void>): Promise<void> {
    while (!this.#ended.signal.aborted) {
      try {
        await work()
      } catch (error) {
        this.#options.tell({ type: 'trouble', error: wordsOf(error) })
      }
      await pause(ms, undefined, { signal: this.#ended.signal }).catch(() => undefined)
    }
  }

  /** Registers each pool that graphile-worker makes; one that ended is followed by another. */
  async #delivering(): Promise<void> {
    const { Logger, run } = await import('graphile-worker')
    const logger = new Logger(() => () => undefined)
    const { slots, tags } = this.#options
    const { schema, url } = this.#desk
    while (!this.#stopping) {
      const gone = new AbortController()
      this.#gone = gone
      try {
        const events: WorkerEvents = new EventEmitter()
        const registered = new Promise<string>((resolve, reject) => {
          events.on('pool:create', ({ workerPool }) => this.#register(workerPool.id).then(resolve, reject))
        })
        registered.catch(() => undefined)
        const task = async (payload: unknown): Promise<void> => this.#take(await registered, payload)
        const names = ['drive', ...tags.map((tag) => `drive:${tag}`)]
        this.#runner = await run({
          connectionString: url,
          maxPoolSize: CONNECTIONS,
          schema: jobsSchema(schema),
          concurrency: slots,
          pollInterval: POLL_MS,
          noHandleSignals: true,
          logger,
          events,
          taskList: Object.fromEntries(names.map((name) => [name, task])),
        })
        await registered
        if (this.#stopping) break
        await Promise.race([this.#runner.promise, once(gone.signal, 'abort')])
      } catch (error) {
        this.#options.tell({ type: 'trouble', error: wordsOf(error) })
      }
      if (this.#stopping) break
      await this.#lose()
      await pause(AGAIN_MS, undefined, { signal: this.#ended.signal }).catch(() => undefined)
    }
  }

  async #register(pool: string): Promise<string> {
    const { name, version, slots, tags, attend, tell } = this.#options
    this.#leave = await attend(pool)
    const began = performance.now()
    await this.#query('register', [pool, name, version, slots, [...tags]])
    this.#sureUntil = began + SURE_MS
    this.#pool = pool
    tell({ type: 'registered', pool })
    return pool
  }

  /**
   * Others were told that it is gone. The loop of delivery meets the end of the runner and begins anew. It is not waited
   * for here: the runner ends with its drives, and one of them may be asking this very question before its next call.
   */
  #fence(): void {
    this.#sureUntil = 0
    for (const driven of this.#driven.values()) driven.abort(fenced())
    this.#runner?.stop().catch(() => undefined)
    const gone = this.#gone
    setTimeout(() => gone.abort(), LINGER_MS).unref()
  }

  /** Others were told that it is gone, or delivery ended: nothing it drives is its own any more. */
  async #lose(): Promise<void> {
    const pool = this.#pool
    this.#pool = null
    this.#sureUntil = 0
    for (const driven of this.#driven.values()) driven.abort(fenced())
    const runner = this.#runner
    this.#runner = null
    await runner?.stop().catch(() => undefined)
    await this.#leave?.().catch(() => undefined)
    this.#leave = null
    if (pool === null) return
    this.#options.tell({ type: 'lost', pool })
    await this.#query('leave', [pool]).catch(() => undefined)
  }

  async #beat(): Promise<void> {
    const pool = this.#pool
    if (pool === null) return
    const began = performance.now()
    const [row] = await this.#query<{ done: readonly string[] | null }>('beat', [
      pool,
      [...this.#driven.keys()],
    ])
    if (this.#pool !== pool) return
    if (!row?.done) return this.#fence()
    this.#sureUntil = began + SURE_MS
    for (const trace of row.done) this.#driven.get(trace)?.abort(new Error('no longer wanted here'))
  }

  async #sweep(): Promise<void> {
    if (this.#pool === null) return
    const [row] = await this.#query<{ workers: readonly string[]; traces: number }>('sweep', [])
    if (row && (row.workers.length > 0 || row.traces > 0)) this.#options.tell({ type: 'swept', ...row })
  }

  async confirm(): Promise<void> {
    if (performance.now() < this.#sureUntil) return
    await this.#beat()
    if (performance.now() >= this.#sureUntil) throw fenced()
  }

  async #take(pool: string, payload: unknown): Promise<void> {
    const trace = String((payload as { trace?: unknown }).trace)
    // A second job of one trace finds it in hand and ends.
    if (this.#driven.has(trace) || this.#claiming.has(trace)) return
    this.#claiming.add(trace)
    const item = await this.#desk.claim(trace, pool).finally(() => this.#claiming.delete(trace))
    if (item !== null) await this.#drive(item, pool)
  }

  async #drive(item: QueueItem, pool: string): Promise<void> {
    const { trace } = item
    const { tell } = this.#options
    const stop = new AbortController()
    const began = Date.now()
    this.#driven.set(trace, stop)
    tell({ type: 'started', trace, waitedMs: Math.max(0, began - Date.parse(item.enqueued)) })
    try {
      const drove = await this.#options.drive(item, stop.signal)
      await this.#settle(trace, pool, drove)
      const { as, ...facts } = { usd: null, ...drove }
      tell({ type: 'ended', trace, as, ms: Date.now() - began, ...(as === 'finished' && facts) })
    } catch (error) {
      if (stop.signal.aborted) await this.#settle(trace, pool, { as: 'interrupted' })
      else await this.#fail(trace, pool, error)
    } finally {
      this.#driven.delete(trace)
    }
  }

  async #settle(trace: string, pool: string, drove: Drove): Promise<void> {
    if (drove.as === 'finished') await this.#query('finish', [trace, pool, drove.usd])
    else if (drove.as === 'parked') await this.#query('park', [trace, pool, drove.size])
    else await this.#query('handOver', [trace, pool])
  }

  async #fail(trace: string, pool: string, error: unknown): Promise<void> {
    if (isAway(error)) {
      await this.#query('handOver', [trace, pool])
      return
    }
    const words = wordsOf(error)
    const [row] = await this.#query<{ done: boolean }>('fail', [trace, pool, words, MOST_FAILURES])
    const setAside = row?.done === true
    this.#options.tell({ type: 'failed', trace, error: words, setAside })
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
    if (pool !== null) tell({ type: 'stopped', pool })
  }
}

export const startWorking = async (desk: Desk, options: WorkerOptions): Promise<Working> =>
  new Worker(desk, options)
