// The clerk performs what a protocol decided and keeps the trace. A call is recorded before it is made; its
// outcome is recorded the moment it arrives, independently of other calls. Two clerks on one trace never make
// the same call: the second sees the record of the first. A call that will have no outcome is closed visibly.
// Recorded events are visible at once; the clerk waits for the disk before it makes a call, and before the
// run is over.

import {
  CALL_INDETERMINATE,
  CALL_LOST,
  CALL_STARTED,
  CLERK,
  type OpenCall,
  type WithOpenCalls,
} from '../ledger/calls.ts'
import type { Draft } from '../ledger/signing.ts'
import type { Action } from '../protocol.ts'
import type { Ports } from './ports.ts'
import { neverAnswered, RefusedError } from './refused-events.ts'
import type { Registrar } from './registrar.ts'
import { inputDigest } from './replay.ts'
import { settleWithin, waitForFirst, waitForTurn, within } from './take-turns.ts'
import type { TraceLog } from './trace-log.ts'

/**
 * Performs one action and returns what is to be recorded, in one commit; exactly one of the drafts names the
 * action in its payload. A failure of the other side (a timeout, a refusal, a failed tool) is an outcome and is
 * returned; a performer that throws ends the run.
 */
export type Perform = (action: Action, signal: AbortSignal) => Promise<readonly Draft[]>

/** An outcome that came too late to count. */
export interface Discarded {
  readonly action: string
  readonly why: string
}

/** How a run ended, and what it still waits for. */
export interface RunEnd {
  readonly status: 'finished' | 'waiting' | 'interrupted'
  /** Who has to answer before the trace continues. */
  readonly parked: readonly Action[]
  /** Outcomes that arrived when the trace no longer accepted them. */
  readonly discarded: readonly Discarded[]
  /** The checkpoint that seals a finished trace. */
  readonly checkpoint: string | null
  /** How many events the trace had then. */
  readonly size: number
}

type RunStop = Pick<RunEnd, 'status' | 'parked' | 'size'>

/** How a run is stopped, and whether it waits for others. */
export interface RunOptions {
  /** Interrupts the run. Running calls are told, and closed visibly when they do not end by themselves. */
  readonly signal?: AbortSignal
  /** Wait for parked actions instead of returning. */
  readonly wait?: boolean
  /** A checkpoint is recorded whenever the trace passes a multiple of this. */
  readonly checkpointEvery?: number
  /** The folded state is saved whenever the trace has grown by this much. */
  readonly snapshotEvery?: number
  /** False when the caller itself waits for the disk before it acts on a run that now waits for others. */
  readonly settles?: boolean
  /** For how many milliseconds a call may continue after it was told to stop. */
  readonly grace?: number
}

/** How soon a clerk that waits for another clerk's call checks whether that clerk still runs. */
const LOOK_AGAIN_MS = 500
const GRACE_MS = 2_000
const CHECKPOINT_EVERY = 1_000
/** A reader of the trace folds at most about this many events. */
const SNAPSHOT_EVERY = 256

/** Performs what a protocol decided until nothing is left to do, or only others can continue. */
export class Clerk<State> {
  readonly id: string
  readonly #ports: Ports
  readonly #registrar: Registrar
  readonly #log: TraceLog<WithOpenCalls<State>>
  readonly #perform: Perform
  readonly #options: RunOptions
  readonly #stopping = new AbortController()
  /** None of these promises ever rejects: errors are kept in `#failures`. */
  readonly #underWay = new Map<string, Promise<void>>()
  readonly #discarded: Discarded[] = []
  readonly #failures: unknown[] = []
  #over = false

  constructor(
    ports: Ports,
    registrar: Registrar,
    log: TraceLog<WithOpenCalls<State>>,
    perform: Perform,
    options: RunOptions = {},
  ) {
    this.id = ports.newTrace()
    this.#ports = ports
    this.#registrar = registrar
    this.#log = log
    this.#perform = perform
    this.#options = options
  }

  /** Runs until the trace is finished, waits for someone, or the signal is aborted. A clerk runs once. */
  async run(): Promise<RunEnd> {
    const { signal } = this.#options
    const stop = (): void => this.#stopping.abort(signal?.reason)
    if (signal?.aborted) stop()
    signal?.addEventListener('abort', stop)
    try {
      const leave = await this.#ports.store.attend(this.id)
      try {
        return await this.#work()
      } finally {
        await leave()
      }
    } finally {
      signal?.removeEventListener('abort', stop)
    }
  }

  async #work(): Promise<RunEnd> {
    let end: RunStop = { status: 'interrupted', parked: [], size: 0 }
    try {
      end = await this.#loop()
    } catch (error) {
      this.#failures.push(error)
    }
    // Calls that still run when the trace is finished are no longer needed.
    if (end.status === 'finished') this.#stopping.abort()
    await this.#settle(end.status === 'finished' ? 'no longer needed' : 'interrupted')
    if (this.#options.settles !== false || end.status !== 'waiting') await this.#durable()
    if (this.#failures.length > 0) throw this.#failures[0]
    const { trace, begun } = this.#log
    const seals = end.status === 'finished' && this.#registrar.holdsKey
    const checkpoint = seals ? await this.#registrar.checkpoint(trace, begun) : null
    return { ...end, discarded: this.#discarded, checkpoint }
  }

  async #loop(): Promise<RunStop> {
    for (;;) {
      await waitForTurn()
      await this.#log.refresh()
      const { protocol } = this.#log
      if (await this.#settleOrphans()) continue
      if (protocol.finished(this.#log.state)) return { status: 'finished', parked: [], size: this.#log.size }
      if (this.#stopping.signal.aborted || this.#failures.length > 0)
        return { status: 'interrupted', parked: [], size: this.#log.size }
      await this.#sealIfDue()
      // Calls continue while this waits. The decision and the position from which new events count are taken at the
      // same moment.
      const { state, size } = this.#log
      const calls = [...this.#underWay.values()]
      const isIdle = calls.length === 0 && state.open.size === 0
      const actions = protocol.decide(state).filter((action) => !this.#underWay.has(action.id))
      const due = actions.filter((action) => action.call !== 'park')
      if (await this.#begin(due)) {
        // Plain records are quick, and further actions follow from them.
        if (due.every((action) => action.call === 'record')) await waitForFirst(this.#underWay.values())
        continue
      }
      if (isIdle && !this.#options.wait) return { status: 'waiting', parked: actions, size }
      await this.#untilNews(size, calls)
    }
  }

  /** Starts calls and makes plain records. True when something was done, or when another clerk did it first. */
  async #begin(actions: readonly Action[]): Promise<boolean> {
    if (actions.length === 0) return false
    const calls = actions.filter((action) => action.call !== 'record')
    const started = calls.map(({ id, call, input }) => {
      const digest = inputDigest(this.#ports.sha256, input)
      return this.#draft(CALL_STARTED, { action: id, call, clerk: this.id, input: digest })
    })
    const refused = started.length > 0 ? await this.#append(started) : null
    if (refused) {
      // Unless another clerk was faster, the protocol refuses its own decision, and retrying would never end.
      if (calls.every((action) => this.#isPending(action.id))) throw refused
      return true
    }
    // Waits for the disk, which includes everything that this depends on, and what others recorded meanwhile.
    if (calls.length > 0) await this.#ports.store.settled()
    // Nothing is paid for after the signal; what was started is closed with the rest.
    if (this.#stopping.signal.aborted) return true
    for (const action of actions) {
      const done = this.#carryOut(action).finally(() => this.#underWay.delete(action.id))
      this.#underWay.set(action.id, done)
    }
    return true
  }

  async #carryOut(action: Action): Promise<void> {
    try {
      await waitForTurn()
      if (this.#stopping.signal.aborted) return
      const drafts = await this.#perform(action, this.#stopping.signal)
      await waitForTurn()
      // The run has ended without this outcome, and recorded that in the trace.
      if (this.#over) return
      const refused = await this.#append(drafts)
      // Performing it again would be refused again: a fault of the performer or the protocol.
      if (this.#isPending(action.id)) throw refused ?? neverAnswered(action.id)
      if (refused) this.#discarded.push({ action: action.id, why: refused.message })
    } catch (error) {
      if (this.#stopping.signal.aborted) return
      this.#failures.push(error)
      await this.#closeOwn(action.id, 'failed')
    }
  }

  /** Whether the trace still needs this very action, or waits for its outcome from this clerk. */
  #isPending(action: string): boolean {
    const { protocol, state } = this.#log
    const call = state.open.get(action)
    if (call) return call.clerk === this.id
    return protocol.decide(state).some((candidate) => candidate.id === action)
  }

  /** Closes the calls of clerks that are gone. True when there were any. */
  async #settleOrphans(): Promise<boolean> {
    let settled = false
    for (const call of this.#log.state.open.values()) {
      const isGone = call.clerk !== this.id && !(await this.#ports.store.attends(call.clerk))
      if (isGone && (await this.#close(call, 'its clerk is gone'))) settled = true
    }
    return settled
  }

  /** Waits for running calls, then closes what is left of them. */
  async #settle(reason: string): Promise<void> {
    const grace = this.#options.grace ?? GRACE_MS
    await settleWithin(Promise.all(this.#underWay.values()), this.#stopping.signal, grace)
    this.#over = true
    for (const { action, clerk } of [...this.#log.state.open.values()]) {
      if (clerk === this.id) await this.#closeOwn(action, reason)
    }
  }

  async #durable(): Promise<void> {
    try {
      await this.#ports.store.settled()
    } catch (error) {
      this.#failures.push(error)
    }
  }

  async #closeOwn(action: string, reason: string): Promise<void> {
    try {
      const call = this.#log.state.open.get(action)
      if (call?.clerk === this.id) await this.#close(call, reason)
    } catch (error) {
      this.#failures.push(error)
    }
  }

  /** False when the trace did not change: it accepts no such record once it is finished. */
  async #close({ action, call }: OpenCall, reason: string): Promise<boolean> {
    const type = call === 'ask' ? CALL_LOST : CALL_INDETERMINATE
    const refused = await this.#append([this.#draft(type, { action, reason })])
    // Otherwise another clerk closed it first, or the outcome arrived after all.
    const isOpen = this.#log.state.open.has(action)
    if (refused && isOpen && !this.#log.protocol.finished(this.#log.state)) throw refused
    return !isOpen
  }

  #draft(type: string, payload: Draft['payload']): Draft {
    return { type, actor: this.#registrar.actor(CLERK, CLERK), payload }
  }

  /** Appends; null when appended, else why the trace does not accept it. */
  async #append(drafts: readonly Draft[]): Promise<RefusedError | null> {
    try {
      await this.#log.append(drafts, true)
      return null
    } catch (error) {
      if (error instanceof RefusedError) return error
      throw error
    }
  }

  /** Until a call ends, the trace grows, the signal is aborted, or another clerk may have gone. */
  async #untilNews(size: number, calls: readonly Promise<void>[]): Promise<void> {
    const { trace, state } = this.#log
    const hasColleagues = [...state.open.values()].some((call) => call.clerk !== this.id)
    await within(this.#stopping.signal, hasColleagues ? LOOK_AGAIN_MS : null, (signal) =>
      Promise.race([this.#ports.store.watch(trace, size, signal), ...calls]),
    )
  }

  async #sealIfDue(): Promise<void> {
    if (!this.#registrar.holdsKey) return
    const every = this.#options.checkpointEvery ?? CHECKPOINT_EVERY
    const { trace, size, begun } = this.#log
    await this.#registrar.checkpointIfDue(trace, size, every, begun)
    if (!this.#log.isLongUnkept(this.#options.snapshotEvery ?? SNAPSHOT_EVERY)) return
    await this.#log.keep(await this.#registrar.counted(trace, begun))
  }
}
