// The clerk performs what a protocol decided and takes the minutes. A call is on record before it is made; its
// outcome is on record the moment it arrives, whatever the other calls do. Two clerks on one trace never make the
// same call: the record of the first is what the second sees. A call whose clerk is gone is closed visibly.

import {
  CALL_INDETERMINATE,
  CALL_LOST,
  CALL_STARTED,
  type Called,
  CLERK,
  type OpenCall,
} from '../ledger/calls.ts'
import { isWitanError } from '../ledger/errors.ts'
import type { Draft } from '../ledger/seal.ts'
import type { Action } from '../protocol.ts'
import type { Book } from './book.ts'
import type { Office } from './office.ts'
import type { Registrar } from './registrar.ts'

/** Performs one action and says what is to be recorded of it; every draft's payload names the action. */
export type Perform = (action: Action, signal: AbortSignal) => Promise<readonly Draft[]>

export interface Discarded {
  readonly action: string
  readonly why: string
}

export interface RunEnd {
  readonly status: 'finished' | 'waiting' | 'interrupted'
  /** Whom the trace waits for. */
  readonly parked: readonly Action[]
  /** Outcomes that arrived when the trace no longer took them. */
  readonly discarded: readonly Discarded[]
  /** The checkpoint that seals a finished trace. */
  readonly checkpoint: string | null
}

export interface RunOptions {
  readonly signal?: AbortSignal
  /** Wait for parked actions instead of returning. */
  readonly wait?: boolean
  readonly checkpointEvery?: number
}

/** How soon a waiting clerk looks whether a colleague is still there. */
const LOOK_AGAIN_MS = 500

export class Clerk<State> {
  readonly id: string
  readonly #office: Office
  readonly #registrar: Registrar
  readonly #book: Book<Called<State>>
  readonly #perform: Perform
  readonly #options: RunOptions
  readonly #signal: AbortSignal
  readonly #underWay = new Map<string, Promise<void>>()
  readonly #discarded: Discarded[] = []
  #sealedAt: number

  constructor(
    office: Office,
    registrar: Registrar,
    book: Book<Called<State>>,
    perform: Perform,
    options: RunOptions = {},
  ) {
    this.id = office.newTrace()
    this.#office = office
    this.#registrar = registrar
    this.#book = book
    this.#perform = perform
    this.#options = options
    this.#signal = options.signal ?? new AbortController().signal
    this.#sealedAt = 0
  }

  /** Runs until the trace is finished, waits for someone, or the signal is given. */
  async run(): Promise<RunEnd> {
    const leave = await this.#office.vault.attend(this.id)
    try {
      await this.#book.refresh()
      this.#sealedAt = this.#book.size
      return await this.#loop()
    } finally {
      await Promise.allSettled(this.#underWay.values())
      await leave()
    }
  }

  async #loop(): Promise<RunEnd> {
    for (;;) {
      await this.#book.refresh()
      const { protocol, state } = this.#book
      if (protocol.finished(state)) return this.#end('finished')
      if (this.#signal.aborted) return await this.#interrupted()
      await this.#sealIfDue()
      if (await this.#settleOrphans()) continue
      const actions = protocol.decide(state).filter((action) => !this.#underWay.has(action.id))
      if (await this.#begin(actions.filter((action) => action.call !== 'park'))) continue
      if (this.#underWay.size > 0) {
        await Promise.race(this.#underWay.values())
      } else if (state.open.size > 0 || this.#options.wait) {
        await this.#watch()
      } else {
        return this.#end('waiting', actions)
      }
    }
  }

  /** Starts calls and makes plain records. True when something was done, or when a colleague did it first. */
  async #begin(actions: readonly Action[]): Promise<boolean> {
    if (actions.length === 0) return false
    const calls = actions.filter((action) => action.call !== 'record')
    const actor = this.#registrar.actor(CLERK, CLERK)
    const started = calls.map((action): Draft => {
      return { type: CALL_STARTED, actor, payload: { action: action.id, call: action.call, clerk: this.id } }
    })
    if (started.length > 0 && (await this.#refused(started))) return true
    for (const action of actions) {
      const done = this.#carryOut(action).finally(() => this.#underWay.delete(action.id))
      this.#underWay.set(action.id, done)
      // Awaited through race and allSettled; this keeps an early failure from being reported as unhandled.
      done.catch(() => undefined)
    }
    return true
  }

  async #carryOut(action: Action): Promise<void> {
    try {
      const drafts = await this.#perform(action, this.#signal)
      const why = await this.#refused(drafts)
      if (why !== null) this.#discarded.push({ action: action.id, why })
    } catch (error) {
      if (!this.#signal.aborted) throw error
      if (action.call === 'ask' || action.call === 'tool')
        await this.#close(action.id, action.call, 'interrupted')
    }
  }

  /** Closes the calls of clerks that are gone. True when there were any. */
  async #settleOrphans(): Promise<boolean> {
    const foreign = [...this.#book.state.open.values()].filter((call) => call.clerk !== this.id)
    const gone: OpenCall[] = []
    for (const call of foreign) if (!(await this.#office.vault.attends(call.clerk))) gone.push(call)
    for (const call of gone) await this.#close(call.action, call.call, 'its clerk is gone')
    return gone.length > 0
  }

  async #close(action: string, call: 'ask' | 'tool', reason: string): Promise<void> {
    const type = call === 'ask' ? CALL_LOST : CALL_INDETERMINATE
    // A refusal means that a colleague closed it first, or that the outcome arrived after all.
    await this.#refused([{ type, actor: this.#registrar.actor(CLERK, CLERK), payload: { action, reason } }])
  }

  /** Appends; null when appended, else why the trace no longer takes it. */
  async #refused(drafts: readonly Draft[]): Promise<string | null> {
    try {
      await this.#book.append(drafts)
      return null
    } catch (error) {
      if (isWitanError(error, 'EVENT_REFUSED')) return error.message
      throw error
    }
  }

  async #watch(): Promise<void> {
    const timer = AbortSignal.timeout(LOOK_AGAIN_MS)
    await this.#office.vault.watch(this.#book.trace, this.#book.size, AbortSignal.any([this.#signal, timer]))
  }

  async #sealIfDue(): Promise<void> {
    if (this.#book.size - this.#sealedAt < (this.#options.checkpointEvery ?? 1000)) return
    await this.#registrar.checkpoint(this.#book.trace)
    this.#sealedAt = this.#book.size
  }

  async #interrupted(): Promise<RunEnd> {
    await Promise.allSettled(this.#underWay.values())
    return this.#end('interrupted')
  }

  async #end(status: RunEnd['status'], parked: readonly Action[] = []): Promise<RunEnd> {
    await Promise.all(this.#underWay.values())
    const checkpoint = status === 'finished' ? await this.#registrar.checkpoint(this.#book.trace) : null
    return { status, parked, discarded: this.#discarded, checkpoint }
  }
}
