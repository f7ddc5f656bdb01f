// Councils for programs: bring seats or name them, ask a question, watch the events, get the result; continue
// a council, fork it, end it, follow it up. Traces are signed and kept like the command's, in memory unless a
// storage is given.

import {
  abortCouncil as abort,
  beginCouncil,
  type CouncilRun,
  type GoingOn,
  resumeCouncil as resume,
  type SeatSpeaking,
  seatsFromSettings,
  startCouncil,
} from '../../app/council/council.ts'
import { forkCouncil as fork, makeAmendment } from '../../app/council/fork.ts'
import { amendPolicy, followUp, type PolicyGiven } from '../../app/council/plan.ts'
import { type CouncilEstimate, councilPreview } from '../../app/council/preview.ts'
import {
  areSeats,
  type CouncilGiven,
  prepareCouncil,
  type SeatGiven,
  type SettingsGiven,
  seatingOf,
  settingsGiven,
} from '../../app/council/program-council.ts'
import { retryCouncil as retry } from '../../app/council/retry.ts'
import { worldHere } from '../../app/council/seating.ts'
import type { Embedder } from '../../app/home/signers.ts'
import { type ConsentGiven, requireConsent } from '../../app/person.ts'
import { inStore, runKitIn, type Storage } from '../../app/storage.ts'

export type { CouncilResult, CouncilRun, SeatSpeaking as Speaking, Third } from '../../app/council/council.ts'
export type { PolicyGiven } from '../../app/council/plan.ts'
export type { CouncilEstimate } from '../../app/council/preview.ts'
export {
  type CouncilGiven,
  configuredSeats,
  type SeatGiven,
  type SettingsGiven,
} from '../../app/council/program-council.ts'
export {
  type CouncilContext,
  QuorumError,
  type RoundExecutor,
  roundExecutor,
} from '../../app/council/round-executor.ts'
export type { Signer } from '../../app/home/signers.ts'
export type { EventIn, Run } from '../../app/run.ts'
export { inHome, inStore, type Storage } from '../../app/storage.ts'
export type {
  ContextFile,
  ContextRecord,
  CouncilSessionMetrics,
  ProviderFailure,
  Round,
  RoundMetrics,
  ShortCircuitDecision,
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
export type { SeatFailure } from '../../council/stage.ts'

/** Options for the convener, stopping, and comparing recommendations. */
export interface Manner {
  /** Who convenes, as a name that can own a key. */
  readonly convener?: string
  /** Stops the council; it can be resumed if its storage persists. */
  readonly signal?: AbortSignal
  /** Called with text that seats write, while they write it; `words` is null where a seat begins again. Not recorded. */
  readonly speaks?: (speaking: SeatSpeaking) => void
  /** Compares recommendations where `policy.short_circuit.embeddings` is set; by default the embedded encoder. */
  readonly embedder?: Embedder
  /** The settings that choose the seats, where seats are named or left out. */
  readonly settings?: SettingsGiven
}

/** Options of a council. */
export interface CouncilOptions extends Omit<CouncilGiven, 'seats'>, Manner {
  /** Seats that the program brings, or their names as for `--seats`; left out, the settings choose. */
  readonly seats?: readonly SeatGiven[] | readonly string[]
  /** Where traces are kept; by default in memory, and closed with the council. */
  readonly storage?: Storage
  /** A finished council of the same storage, by its name, to follow up. */
  readonly follow?: string
}

/** Options for continuing a recorded council. */
export interface GoingOnOptions extends Manner {
  /** The storage that keeps its trace. */
  readonly storage: Storage
  /** Seats under the recorded names; left out, the settings say how they are asked. */
  readonly seats?: readonly SeatGiven[]
}

/** What a fork continues, and what it changes. */
export interface ForkOptions extends Omit<GoingOnOptions, 'seats'> {
  /** The end of a round, or the number of the last event that it takes over. */
  readonly after: 'R1' | 'R2' | number
  /** Seats that the program brings, or names; left out, the recorded ones. */
  readonly seats?: readonly SeatGiven[] | readonly string[]
  /** The seat that writes the report from there on. */
  readonly chair?: string
  readonly policy?: PolicyGiven
  /** Whether files that were shown to the council may be shown to a provider that had no seat there. */
  readonly consent?: ConsentGiven
}

const DEFAULT_CONVENER = 'convener'

const runKitFor = async ({ storage, embedder }: Pick<CouncilOptions, 'storage' | 'embedder'>) =>
  runKitIn(storage ?? (await inStore()), embedder)

const goingOn = ({
  convener = DEFAULT_CONVENER,
  seats,
  settings,
}: Manner & { readonly seats?: readonly SeatGiven[] | undefined }): GoingOn => ({
  convener,
  seatsFor: seats
    ? async () => seatingOf({ question: '', seats }).seats
    : seatsFromSettings(() => settingsGiven(settings), worldHere()),
})

/**
 * Puts a question before a council. Begins at once; iterating tells every event from the first on, however late one
 * begins to listen.
 *
 * @example
 * ```ts
 * const run = council({
 *   question: 'Shall we move the orders to SQLite?',
 *   files: [{ path: 'README.md', text }],
 *   seats: [{ seat: claude }, { seat: openai }, { seat: local }],
 *   policy: { budget: { cost: 0.5 } },
 * })
 * for await (const event of run) console.log(event.type)
 * console.log((await run.result).report?.decision)
 * ```
 */
export const council = (options: CouncilOptions): CouncilRun =>
  startCouncil(
    runKitFor(options),
    async (runKit) => {
      const { follow, convener = DEFAULT_CONVENER } = options
      const { convening, seats } = await prepareCouncil(options)
      const followed = follow === undefined ? null : await followUp(runKit, follow)
      return beginCouncil(runKit, { ...convening, follow: followed }, { convener, seats })
    },
    options,
  )

/** The estimate for a whole council: calls, tokens and cost, each as far as it can be known. Nothing is asked or recorded. */
export async function estimateCouncil(options: CouncilOptions): Promise<CouncilEstimate> {
  const { convening } = await prepareCouncil(options)
  const { context } = convening
  const loaded = context && { ...context, unseen: [], pack: null, folders: [] }
  return (await councilPreview(convening, loaded)).estimate
}

/** Continues a council. What was answered is not asked again. */
export const resumeCouncil = (trace: string, options: GoingOnOptions): CouncilRun =>
  startCouncil(runKitFor(options), (runKit) => resume(runKit, trace, goingOn(options)), options)

/** Ends a council early, with a report of what there is. */
export const abortCouncil = (
  trace: string,
  options: GoingOnOptions & { readonly reason?: string },
): CouncilRun => {
  const { reason = '' } = options
  return startCouncil(
    runKitFor(options),
    (runKit) => abort(runKit, trace, { ...goingOn(options), reason }),
    options,
  )
}

/**
 * Asks failed seats of a finished council again: all of them, or the named ones. Seats that answered are not asked
 * again; the report is written again. The old council does not change.
 */
export function retryCouncil(
  trace: string,
  options: GoingOnOptions & { readonly failed?: readonly string[]; readonly timeoutMs?: number },
): CouncilRun {
  const { failed = [], timeoutMs = null } = options
  return startCouncil(
    runKitFor(options),
    (runKit) => retry(runKit, trace, { ...goingOn(options), seats: failed, timeoutMs }),
    options,
  )
}

/**
 * A new council that begins in the state of another. The old one does not change, and none of its answers is paid for twice.
 */
export function forkCouncil(trace: string, options: ForkOptions): CouncilRun {
  const { seats = [], chair = null, policy, settings, after } = options
  const brought = areSeats(seats) ? seats : undefined
  const wish = {
    seats: seats.filter((seat) => typeof seat === 'string'),
    chair,
    shortCircuit: false,
    maxCost: null,
  }
  return startCouncil(
    runKitFor(options),
    (runKit) =>
      fork(runKit, trace, {
        ...goingOn({ ...options, seats: brought }),
        after,
        allow: ({ trace: forkedTrace, providers }) =>
          requireConsent(
            options.consent,
            { name: forkedTrace, words: `what was laid before ${forkedTrace}` },
            providers,
          ),
        async amend(opened) {
          const changed = policy ? { policy: amendPolicy(opened.policy, policy) } : {}
          if (!brought) {
            const amendment = await makeAmendment(opened, wish, () => settingsGiven(settings), worldHere())
            return { ...amendment, ...changed }
          }
          const names = seatingOf({ question: '', seats: brought }).convening.seats.map(({ seat }) => seat)
          const remaining = opened.chairs.filter((seat) => names.includes(seat))
          const chairs = chair === null ? remaining : [chair]
          const { convening } = seatingOf({ question: '', seats: brought, chairs })
          return { seats: convening.seats, chairs: convening.chairs, ...changed }
        },
      }),
    options,
  )
}
