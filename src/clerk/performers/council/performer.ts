// Performs what a council decides: asks its seats and records their answers, in a form that the protocol can
// compare with what it would have asked itself. It draws no conclusions; those that follow by rule are
// computed by the rules.

import { readAction } from '../../../council/actions.ts'
import { assembledNow, closingNow } from '../../../council/closing.ts'
import { NO_PACK, PACK, type PackText } from '../../../council/context.ts'
import { editionOf } from '../../../council/editions.ts'
import type { Round } from '../../../council/events.ts'
import * as is from '../../../council/events.ts'
import { type Completes, shownBefore } from '../../../council/prompts/completing.ts'
import { promptFor } from '../../../council/prompts/prompt.ts'
import { labelsFor } from '../../../council/prompts/shown-opinions.ts'
import { missingIn } from '../../../council/replies/conclude.ts'
import { seatOf, voicesOf } from '../../../council/seat-ids.ts'
import { decisionAfter } from '../../../council/short-circuit/short-circuit.ts'
import { joinedNow } from '../../../council/size/join.ts'
import { type CouncilState, isOpenedCouncil, type OpenedCouncil, pendingOf } from '../../../council/state.ts'
import type { Embedder } from '../../../embeddings/embedder.ts'
import { CLERK, type WithOpenCalls } from '../../../ledger/calls.ts'
import type { Json } from '../../../ledger/canonical.ts'
import { WitanError } from '../../../ledger/errors.ts'
import type { Payload } from '../../../ledger/event.ts'
import { readRaw } from '../../../ledger/raw-reply.ts'
import type { Draft } from '../../../ledger/signing.ts'
import type { Action, Occurrence } from '../../../protocol.ts'
import { artifactBytes } from '../../artifact-bytes.ts'
import { readJson } from '../../call-records.ts'
import type { Perform } from '../../clerk.ts'
import type { Ports } from '../../ports.ts'
import type { Registrar } from '../../registrar.ts'
import type { AskableSeat } from '../../seat.ts'
import { waitForTurn } from '../../take-turns.ts'
import type { TraceLog } from '../../trace-log.ts'
import { askSeat } from './ask-seat.ts'
import { RoundClock } from './round-clock.ts'
import { roundLimit } from './round-limit.ts'
import { scorePairs } from './score-pairs.ts'
import { outcomeOfObject, outcomeOfReply } from './tell-outcome.ts'

export interface CouncilKit {
  readonly ports: Ports
  readonly registrar: Registrar
  readonly log: TraceLog<WithOpenCalls<CouncilState>>
  /** The seats that can be asked here, by name. A missing one fails, visibly. */
  readonly seats: ReadonlyMap<string, AskableSeat>
  /** For comparing recommendations, where the policy requires that. */
  readonly embedder?: Embedder | null
  readonly speaks?: ((speaking: SeatSpeaking) => void) | undefined
}

/** Text of a seat while it writes it, for display; null where it begins again. Not recorded. */
export interface SeatSpeaking {
  readonly seat: string
  readonly round: Round
  readonly words: string | null
}

export interface CouncilPerformer {
  readonly perform: Perform
  /** Called with recorded events, so that calls which are no longer needed are stopped. */
  hear(event: Occurrence): void
  dispose(): void
}

const notOpened = (trace: string): WitanError =>
  new WitanError('VAULT_CORRUPT', `the opening event of ${trace} cannot be read`, 'See `witan verify`.')

export function councilPerformer(kit: CouncilKit): CouncilPerformer {
  const { ports, registrar, log, seats, embedder = null, speaks } = kit
  const { store, sha256 } = ports
  const clerk = () => registrar.actor(CLERK, CLERK)
  const clock = new RoundClock(async (round) => {
    await log.append([{ type: is.ROUND_CLOSED, actor: clerk(), payload: { round, reason: 'timeout' } }])
  })
  let pack: Promise<PackText> | null = null

  function convened(): OpenedCouncil {
    const { inner } = log.state
    if (isOpenedCouncil(inner)) return inner
    throw notOpened(log.trace)
  }

  async function loadPack(state: OpenedCouncil): Promise<PackText> {
    const artifact = state.opened.artifacts.find(({ name }) => name === PACK)
    return artifact ? ((await readJson(store, artifact)) as Json & PackText) : NO_PACK
  }

  const say = (type: string, actor: Draft['actor'], payload: object): readonly Draft[] => [
    { type, actor, payload: payload as Payload },
  ]

  /** What the action completes, with the raw reply where it still exists. */
  async function findCompletes(
    state: OpenedCouncil,
    round: is.Round,
    seat: string,
  ): Promise<Completes | null> {
    const pending = pendingOf(state, round, seat)
    if (!pending) return null
    const { event, raw, took } = pending
    const bytes = raw === null ? null : await artifactBytes(store, raw)
    const missing = took.reading ? missingIn(took.reading) : []
    return { event, raw, missing, answer: bytes && readRaw(bytes) }
  }

  async function ask(action: Action, round: is.Round, signal: AbortSignal): Promise<readonly Draft[]> {
    const state = convened()
    const { mode, policy } = state.opened
    pack ??= loadPack(state)
    const text = await pack
    // Many packs can arrive from the disk at once, and building a prompt takes a turn of its own.
    await waitForTurn()
    const { seat, n = 0, mend = false } = action.input as { seat: string; n?: number; mend?: boolean }
    const completes = await findCompletes(state, round, seat)
    const asking = {
      R1: { action: action.id, seat, completes, round: 'R1' },
      R2: { action: action.id, seat, completes, round: 'R2' },
      R3: { action: action.id, seat, completes, round: 'R3', n, mend },
    } as const
    const prompt = promptFor(sha256, state, asking[round], text)
    const outcome = await askSeat(store, seats.get(seat), {
      round,
      provider: seatOf(state, seat)?.provider ?? seat,
      prompt,
      maxReplyBytes: policy.limits.reply_bytes,
      signal,
      stop: clock.start(round, roundLimit(state, round, seats)),
      leftMs: () => clock.leftMs(round),
      ...(speaks && { hear: (words: string | null) => speaks({ seat, round, words }) }),
    })
    const about = {
      round,
      mode,
      prompt: shownBefore(prompt.parts),
      labels: round === 'R2' ? labelsFor(sha256, state, seat) : new Map<string, string>(),
      completes: completes && { prose: pendingOf(state, round, seat)?.prose ?? null },
    }
    const { type, payload } = await (editionOf(state).reader === 1
      ? outcomeOfObject(outcome, about)
      : outcomeOfReply(outcome, about))
    const actor = registrar.actor(seat, round === 'R3' ? is.CHAIR : is.PARTICIPANT)
    return say(type, actor, { action: action.id, seat, ...payload })
  }

  /** What follows from the trace by rule. */
  async function conclude({ id, input }: Action, signal: AbortSignal): Promise<readonly Draft[]> {
    const state = convened()
    const kind = id.slice(0, id.indexOf('/'))
    if (kind === 'join') {
      const seat = String(input.seat)
      const joined = { action: id, ...joinedNow(state, seat) }
      return say(is.OPINION_JOINED, registrar.actor(seat, is.PARTICIPANT), joined)
    }
    if (kind === 'score') {
      const scored = await scorePairs(embedder, voicesOf(state), signal)
      return say(is.AGREEMENT_SCORED, clerk(), { action: id, ...scored })
    }
    if (kind === 'short_circuit') {
      const decided = decisionAfter(state, input.after === 'R2' ? 'R2' : 'R1')
      return say(is.SHORT_CIRCUIT_DECIDED, clerk(), { action: id, ...decided })
    }
    if (kind === 'assemble') {
      return say(is.REPORT_ASSEMBLED, clerk(), { action: id, report: assembledNow(state) })
    }
    return say(is.CLOSED, clerk(), { action: id, ...closingNow(state) })
  }

  return {
    perform(action, signal) {
      const call = action.call === 'ask' ? readAction(action.id) : null
      return call ? ask(action, call.round, signal) : conclude(action, signal)
    },
    hear({ type, payload }) {
      if (type === is.CLOSE_REQUESTED) clock.stopAll('closed')
      if (type !== is.ROUND_CLOSED) return
      const { round } = (payload ?? {}) as { round?: is.Round }
      if (round) clock.stop(round, 'timeout')
    },
    dispose: () => clock.dispose(),
  }
}
