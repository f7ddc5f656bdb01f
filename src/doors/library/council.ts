// Councils for programs: bring seats, put a question, watch the events, get the result. Minutes are signed and kept
// as the command keeps them, in memory unless a house is given.

import { Clerk } from '../../clerk/clerk.ts'
import { councilPerformer } from '../../clerk/council/performer.ts'
import { followTrace } from '../../clerk/follow.ts'
import { CLOSE_REQUESTED, CONVENER } from '../../council/events.ts'
import { WitanError } from '../../ledger/errors.ts'
import type { Occurrence } from '../../protocol.ts'
import type { Sense } from '../../senses/sense.ts'
import { type CouncilBook, openCouncil, signersOf } from '../council/opening.ts'
import { type CouncilResult, resultOf } from '../council/result.ts'
import { type CouncilGiven, seatingOf } from './convening.ts'
import { type House, inVault } from './house.ts'

export type { CouncilFinalReport } from '../../council/report.ts'
export type { R1Result, R2Result, R3Result } from '../../council/results.ts'
export type { CouncilResult } from '../council/result.ts'
export type { CouncilGiven, PolicyGiven, SeatGiven } from './convening.ts'
export { type CouncilContext, QuorumError, type RoundExecutor, roundExecutor } from './executor.ts'
export { type House, inHome, inVault } from './house.ts'

/** What a council is held with. */
export interface CouncilOptions extends CouncilGiven {
  /** Where the minutes are kept; by default in memory, and closed with the council. */
  readonly house?: House
  /** Who convenes, as a name that can own a key. */
  readonly convener?: string
  /** Stops the council; it can be gone on with where its house outlives it. */
  readonly signal?: AbortSignal
  /** What measures how far opinions agree; without one, words are compared. */
  readonly sense?: Sense
}

/** A council at work. */
export interface CouncilRun extends AsyncIterable<Occurrence> {
  /** The id of the trace, once its first event stands. */
  readonly trace: Promise<string>
  /** Rejects with INTERRUPTED when the signal was given before the end. */
  readonly result: Promise<CouncilResult>
  /** Ends it early, with a report of what there is. */
  close(reason: string): Promise<void>
}

interface Begun {
  readonly house: House
  readonly book: CouncilBook
  readonly close: (reason: string) => Promise<void>
  readonly result: Promise<CouncilResult>
  readonly over: AbortSignal
}

async function begin(options: CouncilOptions): Promise<Begun> {
  const { signal, sense = null, convener = 'convener' } = options
  const house = options.house ?? (await inVault())
  const { convening, seats } = seatingOf(options)
  const registrar = await house.employ(signersOf(convener, convening.seats))
  const book = await openCouncil(house.office, registrar, convener, convening)
  const performer = councilPerformer({ office: house.office, registrar, book, seats, sense })
  const over = new AbortController()
  const run = async (): Promise<CouncilResult> => {
    const { office } = house
    const heard = (async () => {
      for await (const event of followTrace(office, book.trace, { signal: over.signal }))
        performer.hear(event)
    })()
    try {
      const end = await new Clerk(office, registrar, book, performer.perform, signal ? { signal } : {}).run()
      if (end.status === 'finished') return resultOf(book.state.inner)
      const next = 'Go on with its trace in the same house.'
      throw new WitanError('INTERRUPTED', `${book.trace} was stopped before its end`, next)
    } finally {
      over.abort()
      performer.dispose()
      await heard
    }
  }
  const close = async (reason: string): Promise<void> => {
    const actor = registrar.actor(convener, CONVENER)
    await book.append([{ type: CLOSE_REQUESTED, actor, payload: { reason } }])
  }
  return { house, book, close, result: run(), over: over.signal }
}

/**
 * Puts a question before a council. Begins at once; iterating tells every event from the first on, however late one
 * begins to listen.
 *
 * @example
 * ```ts
 * const run = council({
 *   question: 'Shall we move the minutes to SQLite?',
 *   files: [{ path: 'README.md', text }],
 *   seats: [{ seat: claude }, { seat: openai }, { seat: local }],
 *   policy: { budget: { cost: 0.5 } },
 * })
 * for await (const event of run) console.log(event.type)
 * console.log((await run.result).report?.decision)
 * ```
 */
export function council(options: CouncilOptions): CouncilRun {
  const begun = begin(options)
  const result = begun.then((one) => one.result)
  // Whoever only iterates meets the fault there.
  result.catch(() => undefined)
  const trace = begun.then(({ book }) => book.trace)
  trace.catch(() => undefined)
  return {
    trace,
    result,
    close: async (reason) => (await begun).close(reason),
    async *[Symbol.asyncIterator]() {
      const { house, book, over } = await begun
      yield* followTrace(house.office, book.trace, { signal: over })
      await result
    },
  }
}
