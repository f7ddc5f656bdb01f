// Councils for programs: bring seats, put a question, watch the events, get the result. Minutes are signed and kept
// as the command keeps them, in memory unless a house is given.

import { type CouncilResult, resultOf } from '../../app/council/council-result.ts'
import { driveCouncil } from '../../app/council/drive-council.ts'
import { openCouncil, signersOf } from '../../app/council/open-council.ts'
import { type House, inVault } from '../../app/home/house.ts'
import { type Begun, RESUME_HERE, type Run, runOf, stoppedEarly } from '../../app/run.ts'
import { turn } from '../../clerk/turns.ts'
import { CLOSE_REQUESTED, CONVENER } from '../../council/events.ts'
import type { Embedder } from '../../embeddings/embedder.ts'
import { type CouncilGiven, seatingOf } from './convening.ts'

export type { CouncilResult, Third } from '../../app/council/council-result.ts'
export { type House, inHome, inVault } from '../../app/home/house.ts'
export type { Signer } from '../../app/home/signers.ts'
export type { Run } from '../../app/run.ts'
export type {
  ContextFile,
  ContextRecord,
  CouncilSessionMetrics,
  ProviderFailure,
  Round,
  RoundMetrics,
} from '../../council/events.ts'
export type {
  Budget,
  CouncilPolicy,
  CouncilTimeouts,
  PromptLimits,
  QuorumPolicy,
  ShortCircuitPolicy,
} from '../../council/policy.ts'
export type { Finding, FindingAnswer, LocationCheck } from '../../council/replies/finding.ts'
export type { Alternative, CallUsage, CouncilOpinion, OpinionRisk } from '../../council/replies/opinion.ts'
export type { CouncilReview, TargetReview } from '../../council/replies/review.ts'
export type {
  AnsweredCritique,
  CouncilFinalReport,
  Disagreement,
  Majority,
  NextAction,
  Participant,
  PositionChange,
  RationalePoint,
  ReportRisk,
  Synthesis,
  Uncertainty,
  Unresolved,
  Unsupported,
} from '../../council/report/report.ts'
export type { ProviderRecord, TransparencyRecord } from '../../council/report/transparency.ts'
export type { R1Result, R2Result, R3Result } from '../../council/result.ts'
export type { CouncilGiven, PolicyGiven, SeatGiven } from './convening.ts'
export { type CouncilContext, QuorumError, type RoundExecutor, roundExecutor } from './executor.ts'

/** What a council is held with. */
export interface CouncilOptions extends CouncilGiven {
  /** Where the minutes are kept; by default in memory, and closed with the council. */
  readonly house?: House
  /** Who convenes, as a name that can own a key. */
  readonly convener?: string
  /** Stops the council; it can be gone on with where its house outlives it. */
  readonly signal?: AbortSignal
  /** What compares recommendations where `policy.short_circuit.embeddings` is set; by default the embedded encoder. */
  readonly embedder?: Embedder
}

/** A council at work. */
export interface CouncilRun extends Run<CouncilResult> {
  /** Ends it early, with a report of what there is. */
  close(reason: string): Promise<void>
}

interface Opened extends Begun<CouncilResult> {
  readonly close: (reason: string) => Promise<void>
}

async function embedded(): Promise<Embedder> {
  const { openBuiltInEmbedder } = await import('../../embeddings/embedded.ts')
  return openBuiltInEmbedder()
}

async function begin(options: CouncilOptions): Promise<Opened> {
  const { signal, convener = 'convener' } = options
  const { ports, employ } = options.house ?? (await inVault())
  await turn()
  const { convening, seats } = seatingOf(options)
  const registrar = await employ(signersOf(convener, convening.seats))
  await turn()
  const log = await openCouncil(ports, registrar, convener, convening)
  return {
    ports,
    trace: log.trace,
    async work() {
      const { embeddings } = convening.policy.short_circuit
      const own = embeddings && !options.embedder ? await embedded() : null
      const embedder = options.embedder ?? own
      try {
        const end = await driveCouncil({ ports, registrar, log, seats, embedder, signal })
        if (end.status === 'interrupted') throw stoppedEarly(log.trace, RESUME_HERE)
        return resultOf(log.state.inner)
      } finally {
        await own?.close()
      }
    },
    async close(reason) {
      const actor = registrar.actor(convener, CONVENER)
      await log.append([{ type: CLOSE_REQUESTED, actor, payload: { reason } }])
    },
  }
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
  return { ...runOf(begun), close: async (reason) => (await begun).close(reason) }
}
