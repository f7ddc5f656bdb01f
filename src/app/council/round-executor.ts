// The rounds of a council one by one. Each runs the same clerk over the same protocol in its own store;
// results of earlier rounds that are passed in become events there and are not asked again. The prompts of
// such a round are unknown here, and its trace does not claim to know them.

import { randomBytes } from 'node:crypto'
import type { Perform } from '../../clerk/clerk.ts'
import { councilPerformer } from '../../clerk/performers/council/performer.ts'
import * as is from '../../council/events.ts'
import type { Provenance } from '../../council/replies/opinion.ts'
import { type R1Result, type R2Result, type R3Result, r1Result, r2Result } from '../../council/result.ts'
import { isOpenedCouncil, type OpenedCouncil } from '../../council/state.ts'
import { WitanError } from '../../ledger/errors.ts'
import type { Payload } from '../../ledger/event.ts'
import type { AskingFields } from '../../ledger/raw-reply.ts'
import type { Action } from '../../protocol.ts'
import { READER_VERSION } from '../../reply/read-reply.ts'
import type { ReadingRecord } from '../../reply/reading-record.ts'
import { driveTrace } from '../run.ts'
import { inStore } from '../storage.ts'
import { resultOf, signersOf } from './council.ts'
import { openCouncil } from './open-council.ts'
import { type CouncilGiven, seatingOf, withoutSecretsGiven } from './program-council.ts'

/** The input of each round. */
export type CouncilContext = Omit<CouncilGiven, 'seats' | 'chairs' | 'policy'>

/** The rounds one by one; each takes the results of those before it. */
export interface RoundExecutor {
  executeR1(context: CouncilContext): Promise<R1Result>
  executeR2(context: CouncilContext, r1: R1Result): Promise<R2Result>
  executeR3(context: CouncilContext, r1: R1Result, r2: R2Result): Promise<R3Result>
}

/** A round that did not reach its quorum, with what there is. */
export class QuorumError extends WitanError {
  readonly partial: { readonly r1: R1Result; readonly r2: R2Result }

  constructor(reason: string, partial: QuorumError['partial']) {
    super('QUORUM_NOT_MET', reason, 'See the partial results for who failed and why.')
    this.partial = partial
  }
}

interface Handed {
  readonly r1?: R1Result
  readonly r2?: R2Result
}

const AGREED: readonly string[] = ['score', 'short_circuit']

/** Which actions belong to a round or come before it. */
const UP_TO: Readonly<Record<is.Round, readonly string[]>> = {
  R1: ['opinion', 'join'],
  R2: ['opinion', ...AGREED, 'review'],
  R3: ['opinion', ...AGREED, 'review', 'report', 'assemble', 'close'],
}

const fieldsOf = ({ transport, model, usage, cost_usd, latency_ms }: Provenance): AskingFields => ({
  artifacts: [],
  transport,
  model,
  ...usage,
  cost: cost_usd === null ? null : { usd: cost_usd, from: 'imported' },
  latency_ms,
  attempts: [],
})

/** How it was read is unknown here. */
const AS_IT_WAS: ReadingRecord = { reader: READER_VERSION, outcome: 'kept', missing: [], repairs: [] }

const NOTHING: AskingFields = {
  artifacts: [],
  transport: 'imported',
  model: null,
  input_tokens: null,
  output_tokens: null,
  cost: null,
  latency_ms: 0,
  attempts: [],
}

const absent = (provider: string, round: is.Round): is.ProviderFailure => ({
  provider,
  round,
  error_type: 'network',
  cause: 'unavailable',
  error_message: 'not among the results that were handed in',
  retried: false,
  fallback_used: false,
})

/** The event that answers this action, from results that were passed in; null when it is still to be asked. */
function handedIn(
  action: Action,
  provider: string,
  { r1, r2 }: Handed,
): { type: string; payload: object } | null {
  const [kind] = action.id.split('/')
  const { seat } = action.input as { seat?: string }
  const asked = { action: action.id, seat }
  const failure = ({ failed_providers }: R1Result | R2Result, round: is.Round): is.ProviderFailure => {
    const failed = failed_providers.find((one) => one.seat === seat)
    if (!failed) return absent(provider, round)
    const { seat: _, ...recorded } = failed
    return recorded
  }
  if (kind === 'opinion' && r1) {
    const ownOpinion = r1.opinions.find((opinion) => opinion.seat === seat)
    if (!ownOpinion)
      return {
        type: is.OPINION_FAILED,
        payload: { ...asked, ...NOTHING, reading: null, failure: failure(r1, 'R1') },
      }
    const { id: _, round: __, mode: ___, embedded: ____, prose, ...rest } = ownOpinion
    const reading = prose ? ({ ...AS_IT_WAS, outcome: 'prose' } as const) : AS_IT_WAS
    const { answer, from } = split(rest)
    return {
      type: is.OPINION_GIVEN,
      payload: { ...asked, ...fieldsOf(from), opinion: answer, reading },
    }
  }
  if (kind === 'review' && r2) {
    const ownReview = r2.reviews.find((review) => review.seat === seat)
    if (!ownReview)
      return {
        type: is.REVIEW_FAILED,
        payload: { ...asked, ...NOTHING, reading: null, failure: failure(r2, 'R2') },
      }
    const { id: _, round: __, mode: ___, changed_position: ____, uncovered: _____, ...rest } = ownReview
    const { answer, from } = split(rest)
    return {
      type: is.REVIEW_GIVEN,
      payload: { ...asked, ...fieldsOf(from), review: answer, reading: AS_IT_WAS },
    }
  }
  return null
}

function split<Said extends Provenance>(
  contribution: Said,
): { answer: Omit<Said, keyof Provenance>; from: Provenance } {
  const { event, seat, provider, model, transport, timestamp, usage, cost_usd, latency_ms, ...answer } =
    contribution
  return { answer, from: { event, seat, provider, model, transport, timestamp, usage, cost_usd, latency_ms } }
}

/** Rounds for a program that moves from one to the next by itself. Each is signed in its own store. */
export function roundExecutor(
  options: Pick<CouncilGiven, 'seats' | 'chairs' | 'policy'> & { readonly signal?: AbortSignal },
): RoundExecutor {
  const { signal, ...sitting } = options
  // One seed for all rounds: labels and orders of a later round match those of an earlier one.
  const seed = randomBytes(32).toString('hex')

  async function run(context: CouncilContext, until: is.Round, handed: Handed): Promise<OpenedCouncil> {
    const storage = await inStore()
    const { convening, seats } = seatingOf({ ...(await withoutSecretsGiven(context)), ...sitting })
    const convener = 'convener'
    const registrar = await storage.registerSigners(signersOf(convener, convening.seats))
    // Opinions that are passed in cover all parts already.
    const inParts = handed.r1 === undefined
    const log = await openCouncil(storage.ports, registrar, convener, { ...convening, seed, inParts })
    const performer = councilPerformer({ ports: storage.ports, registrar, log, seats })
    const done = new AbortController()
    const perform: Perform = async (action, stop) => {
      const kind = action.id.slice(0, action.id.indexOf('/'))
      if (!UP_TO[until].includes(kind) || (kind === 'short_circuit' && action.input.after === until)) {
        done.abort()
        throw done.signal.reason
      }
      const { seat = '' } = action.input as { seat?: string }
      const provider = convening.seats.find((record) => record.seat === seat)?.provider ?? seat
      const known = handedIn(action, provider, handed)
      if (!known) return performer.perform(action, stop)
      const payload = known.payload as Payload
      return [{ type: known.type, actor: registrar.actor(seat, is.PARTICIPANT), payload }]
    }
    const either = signal ? AbortSignal.any([signal, done.signal]) : done.signal
    await driveTrace({ ports: storage.ports, registrar, log, perform, signal: either })
    performer.dispose()
    signal?.throwIfAborted()
    const { inner } = log.state
    if (isOpenedCouncil(inner)) return inner
    throw new WitanError('VAULT_CORRUPT', 'the council was not opened', 'Report this.')
  }

  function checked(state: OpenedCouncil, has: number, needs: number, round: string): void {
    const { allow_partial } = state.opened.policy.quorum
    const partial = { r1: r1Result(state), r2: r2Result(state) }
    if (has < needs) throw new QuorumError(`${has} of at least ${needs} answers in ${round}`, partial)
    const { failed_providers } = round === 'R1' ? partial.r1 : partial.r2
    const [failed] = failed_providers
    if (!allow_partial && failed) throw new QuorumError(`${failed.seat} failed in ${round}`, partial)
  }

  return {
    async executeR1(context) {
      const state = await run(context, 'R1', {})
      const result = r1Result(state)
      checked(state, result.opinions.length, state.opened.policy.quorum.r1_min, 'R1')
      return result
    },
    async executeR2(context, r1) {
      const state = await run(context, 'R2', { r1 })
      const result = r2Result(state)
      checked(state, result.reviews.length, state.opened.policy.quorum.r2_min, 'R2')
      return result
    },
    async executeR3(context, r1, r2) {
      const state = await run(context, 'R3', { r1, r2 })
      const { rounds, reason } = resultOf(state)
      const [first, second, third] = rounds
      if (!third) throw new QuorumError(reason, { r1: first, r2: second })
      const { final_report, chair_provider, round_duration_ms } = third
      return { final_report, chair_provider, round_duration_ms }
    },
  }
}
