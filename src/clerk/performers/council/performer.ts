// Performs what a council decides: asks its seats and records what they said, in words that the protocol can hold
// against what it would have asked itself. It concludes nothing; what is concluded by rule it has the rules compute.

import { assembledNow, closingNow } from '../../../council/closing.ts'
import { NO_PACK, PACK, type PackText } from '../../../council/context.ts'
import { editionOf } from '../../../council/editions.ts'
import * as is from '../../../council/events.ts'
import { readAction } from '../../../council/evolve.ts'
import { promptFor } from '../../../council/prompts/prompt.ts'
import { labelsFor } from '../../../council/prompts/shown.ts'
import { READERS } from '../../../council/replies/normalise.ts'
import { seatOf, voicesOf } from '../../../council/seat-ids.ts'
import { decisionAfter } from '../../../council/short-circuit/short-circuit.ts'
import { type Convened, type CouncilState, isConvened } from '../../../council/state.ts'
import type { Embedder } from '../../../embeddings/embedder.ts'
import { type Called, CLERK } from '../../../ledger/calls.ts'
import type { Json } from '../../../ledger/canonical.ts'
import { WitanError } from '../../../ledger/errors.ts'
import type { Payload } from '../../../ledger/event.ts'
import type { Draft } from '../../../ledger/seal.ts'
import type { Action, Occurrence } from '../../../protocol.ts'
import { readJson } from '../../call-records.ts'
import type { Perform } from '../../clerk.ts'
import type { Ports } from '../../ports.ts'
import type { Registrar } from '../../registrar.ts'
import type { AskableSeat } from '../../seat.ts'
import type { TraceLog } from '../../trace-log.ts'
import { turn } from '../../turns.ts'
import { askSeat, type Told } from './ask-seat.ts'
import { RoundClock, type RoundLimit } from './round-clock.ts'
import { scorePairs } from './scoring.ts'

export interface CouncilDesk {
  readonly ports: Ports
  readonly registrar: Registrar
  readonly log: TraceLog<Called<CouncilState>>
  /** Who can be asked here, by the name of the seat. Someone who is missing fails, visibly. */
  readonly seats: ReadonlyMap<string, AskableSeat>
  /** For comparing recommendations, where the policy wants that. */
  readonly embedder?: Embedder | null
}

export interface CouncilPerformer {
  readonly perform: Perform
  /** Told of what is recorded, by whomever, so that calls which nobody waits for any more are stopped. */
  hear(event: Occurrence): void
  dispose(): void
}

const unopened = (trace: string): WitanError =>
  new WitanError('VAULT_CORRUPT', `how ${trace} was opened cannot be read`, 'See `witan verify`.')

/** By default a round lasts as long as its providers may together; never beyond the council's minutes. */
function limitOf(state: Convened, round: is.Round): RoundLimit | null {
  const { timeouts, budget } = state.opened.policy
  const seats = state.opened.seats.filter(({ roles }) => roles.includes('participant')).length
  const each = { R1: timeouts.r1_per_provider, R2: timeouts.r2_per_provider, R3: timeouts.r3_chair }[round]
  // A vendor's own command may take longer than its round's figure: whoever has one must get that time.
  const longest = Math.max(each, timeouts.cli_per_call)
  const own = { R1: timeouts.r1_round, R2: timeouts.r2_round, R3: null }[round]
  const ms = round === 'R3' ? null : (own ?? longest * seats)
  const left = budget.minutes === null ? null : budget.minutes * 60_000 - state.thinkingMs + SLACK_MS
  if (left !== null && (ms === null || left < ms)) return { ms: Math.max(left, 0), why: 'budget' }
  return ms === null ? null : { ms, why: 'timeout' }
}

/** The recorded clock counts whole milliseconds; what is stopped for the budget must be seen to be over it. */
const SLACK_MS = 20

export function councilPerformer(desk: CouncilDesk): CouncilPerformer {
  const { ports, registrar, log, seats, embedder = null } = desk
  const { store, sha256 } = ports
  const clerk = () => registrar.actor(CLERK, CLERK)
  const clock = new RoundClock(async (round) => {
    await log.append([{ type: is.ROUND_CLOSED, actor: clerk(), payload: { round, reason: 'timeout' } }])
  })
  let pack: Promise<PackText> | null = null

  function convened(): Convened {
    const { inner } = log.state
    if (isConvened(inner)) return inner
    throw unopened(log.trace)
  }

  async function loadPack(state: Convened): Promise<PackText> {
    const artifact = state.opened.artifacts.find(({ name }) => name === PACK)
    return artifact ? ((await readJson(store, artifact)) as Json & PackText) : NO_PACK
  }

  const say = (type: string, actor: Draft['actor'], payload: object): readonly Draft[] => [
    { type, actor, payload: payload as Payload },
  ]

  async function ask(action: Action, round: is.Round, subject: string, signal: AbortSignal) {
    const state = convened()
    const { mode, policy } = state.opened
    pack ??= loadPack(state)
    const text = await pack
    // Many packs can arrive from the disk at once, and a prompt is worth a turn of its own.
    await turn()
    const { seat, n = 0, mend = false } = action.input as { seat: string; n?: number; mend?: boolean }
    const asking = {
      R1: { action: action.id, round: 'R1' },
      R2: { action: action.id, round: 'R2', seat: subject },
      R3: { action: action.id, round: 'R3', n, mend },
    } as const
    const prompt = promptFor(sha256, state, asking[round], text)
    const reader = READERS[editionOf(state).reader]
    const errand = {
      round,
      provider: seatOf(state, seat)?.provider ?? seat,
      prompt,
      maxReplyBytes: policy.limits.reply_bytes,
      signal,
      stop: clock.start(round, limitOf(state, round)),
    }
    const asked = { action: action.id, seat }
    const told = <Answer>(
      outcome: Told<Answer>,
      [given, failed]: readonly [string, string],
      role: string,
      member: string,
    ): readonly Draft[] => {
      const actor = registrar.actor(seat, role)
      if (!outcome.ok) return say(failed, actor, { ...asked, ...outcome.record, failure: outcome.failure })
      const { record, answer, repaired } = outcome
      return say(given, actor, { ...asked, ...record, [member]: answer, repaired })
    }
    const who = seats.get(seat)
    if (round === 'R1') {
      const outcome = await askSeat(store, who, errand, (object) => reader.opinion(mode, object))
      return told(outcome, [is.OPINION_GIVEN, is.OPINION_FAILED], is.PARTICIPANT, 'opinion')
    }
    if (round === 'R2') {
      const labels = labelsFor(sha256, state, seat)
      const outcome = await askSeat(store, who, errand, (object) => reader.review(mode, object, labels))
      return told(outcome, [is.REVIEW_GIVEN, is.REVIEW_FAILED], is.PARTICIPANT, 'review')
    }
    const outcome = await askSeat(store, who, errand, (object) => reader.report(mode, object))
    return told(outcome, [is.REPORT_GIVEN, is.REPORT_FAILED], is.CHAIR, 'report')
  }

  /** What follows from the minutes by rule. */
  async function conclude({ id, input }: Action, signal: AbortSignal): Promise<readonly Draft[]> {
    const state = convened()
    const kind = id.slice(0, id.indexOf('/'))
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
      return call ? ask(action, call.round, call.subject, signal) : conclude(action, signal)
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
