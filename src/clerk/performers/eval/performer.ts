// Performs what an evaluation decides: runs councils, asks seats alone, has answers compared, and records the
// resulting grades. It draws no conclusions.

import { setMaxListeners } from 'node:events'
import { MAIN } from '../../../eval/arms.ts'
import { councilId } from '../../../eval/council-ids.ts'
import * as is from '../../../eval/events.ts'
import { answersOf, distinctTexts, gradeUnit } from '../../../eval/grade-item.ts'
import { type EvalRequest, judgeRequest, sampleRequest } from '../../../eval/prompts/prompts.ts'
import { readJudgement, sampleText } from '../../../eval/read-reply.ts'
import { closingOf } from '../../../eval/result.ts'
import type { Item } from '../../../eval/sets/item.ts'
import { type EvalState, isOpened, NO_UNIT, type Opened, unitOf } from '../../../eval/state.ts'
import { CLERK, type WithOpenCalls } from '../../../ledger/calls.ts'
import { momentMs } from '../../../ledger/clock.ts'
import { WitanError } from '../../../ledger/errors.ts'
import type { Payload } from '../../../ledger/event.ts'
import { renderPrompt } from '../../../ledger/prompt.ts'
import type { Draft } from '../../../ledger/signing.ts'
import type { Action } from '../../../protocol.ts'
import { inputOf } from '../../../protocol.ts'
import { recordAsking } from '../../call-records.ts'
import type { Perform } from '../../clerk.ts'
import type { Ports } from '../../ports.ts'
import type { Registrar } from '../../registrar.ts'
import { type AskableSeat, askSeatSafely, emptySeatAnswer } from '../../seat.ts'
import type { TraceLog } from '../../trace-log.ts'

/** One council to run or resume, under its derived name. */
export interface CouncilOrder {
  readonly item: Item
  readonly variant: string
  readonly trace: string
  /** The council that a fork continues from. */
  readonly main: is.Held | null
}

/** What is recorded of it. */
export type CouncilValues = Omit<is.Held, 'action' | 'item' | 'rep' | 'variant' | 'grader'>

export interface EvalKit {
  readonly ports: Ports
  readonly registrar: Registrar
  readonly log: TraceLog<WithOpenCalls<EvalState>>
  /** The current set, as recorded. */
  readonly items: readonly Item[]
  readonly seats: ReadonlyMap<string, AskableSeat>
  readonly hold: (order: CouncilOrder, signal: AbortSignal) => Promise<CouncilValues>
}

const MAX_REPLY_BYTES = 262_144

interface Unit {
  readonly item: number
  readonly rep: number
}

export function evalPerformer(kit: EvalKit): Perform {
  const { ports, registrar, log, items, seats } = kit

  function opened(): Opened {
    const { inner } = log.state
    if (isOpened(inner)) return inner
    throw new WitanError(
      'VAULT_CORRUPT',
      `the opening event of ${log.trace} cannot be read`,
      'See `witan verify`.',
    )
  }

  function itemAt(nth: number): Item {
    const item = items[nth]
    if (item) return item
    throw new WitanError('VAULT_CORRUPT', `${log.trace} has no item ${nth}`, 'See `witan verify`.')
  }

  const say = (type: string, agent: string, role: string, payload: object): readonly Draft[] => [
    { type, actor: registrar.actor(agent, role), payload: payload as Payload },
  ]

  const unitAt = (state: Opened, { item, rep }: Unit) =>
    state.units.get(unitOf(state.opened, item, rep)) ?? NO_UNIT

  async function runCouncil(action: Action, signal: AbortSignal): Promise<readonly Draft[]> {
    const state = opened()
    const { item: nth, rep, variant } = inputOf<Unit & { readonly variant: string }>(action)
    const item = itemAt(nth)
    const of = { root: state.root, seed: state.opened.seed, ms: momentMs(state.began) }
    const trace = councilId(ports.sha256, of, nth, rep, variant)
    const main = unitAt(state, { item: nth, rep }).held.get(MAIN) ?? null
    const values = await kit.hold({ item, variant, trace, main }, signal)
    return say(is.ITEM_HELD, CLERK, CLERK, {
      action: action.id,
      item: nth,
      rep,
      variant,
      grader: item.grader,
      ...values,
    })
  }

  async function ask(name: string, request: EvalRequest, signal: AbortSignal) {
    const limits = { maxOutputTokens: null, maxReplyBytes: MAX_REPLY_BYTES }
    const seat = seats.get(name)
    const asking = { round: 'R1', ...request, limits, signal }
    const { outcome, attempts } = seat ? await askSeatSafely(seat, asking) : emptySeatAnswer(name)
    if (signal.aborted) throw signal.reason
    return { outcome, record: await recordAsking(ports.store, request, outcome, attempts) }
  }

  const settingOf = (state: Opened, action: string) => ({
    sha256: ports.sha256,
    seed: state.opened.seed,
    trace: log.trace,
    action,
    set: state.set ?? '',
  })

  async function sample(action: Action, signal: AbortSignal): Promise<readonly Draft[]> {
    const state = opened()
    const about = inputOf<Unit & { readonly seat: string; readonly n: number }>(action)
    const request = sampleRequest(settingOf(state, action.id), itemAt(about.item))
    const { outcome, record } = await ask(about.seat, request, signal)
    const fields = { action: action.id, ...about, ...record }
    if (!outcome.ok) {
      const fault = { error_type: outcome.type, message: outcome.message }
      return say(is.SAMPLE_FAILED, about.seat, is.SAMPLED, { ...fields, ...fault })
    }
    return say(is.SAMPLE_GIVEN, about.seat, is.SAMPLED, { ...fields, text: sampleText(outcome) })
  }

  async function judge(action: Action, signal: AbortSignal): Promise<readonly Draft[]> {
    const state = opened()
    const about = inputOf<
      Unit & { readonly seat: string; readonly answer: number; readonly order: 'first' | 'second' }
    >(action)
    const text = distinctTexts(answersOf(state.opened, unitAt(state, about)))[about.answer] ?? ''
    const item = itemAt(about.item)
    const request = judgeRequest(settingOf(state, action.id), item, text, about.order)
    const { outcome, record } = await ask(about.seat, request, signal)
    const fields = { action: action.id, ...about, ...record }
    const failed = (reading: object | null, error_type: string, message: string): readonly Draft[] =>
      say(is.JUDGEMENT_FAILED, about.seat, is.GRADER, { ...fields, reading, error_type, message })
    if (!outcome.ok) return failed(null, outcome.type, outcome.message)
    const shown = renderPrompt(request.parts.filter(({ template }) => template === null))
    const { reading, verdict } = readJudgement(outcome, shown)
    if (verdict === null) return failed(reading, 'parse_error', 'no verdict could be read')
    return say(is.JUDGEMENT_GIVEN, about.seat, is.GRADER, { ...fields, reading, verdict })
  }

  function grade(action: Action): readonly Draft[] {
    const state = opened()
    const place = inputOf<Unit>(action)
    const item = itemAt(place.item)
    const grades = gradeUnit(ports.sha256, state, unitAt(state, place), item, place)
    const { id, cluster } = item
    return say(is.ITEM_GRADED, CLERK, CLERK, { action: action.id, ...place, id, cluster, grades })
  }

  return async (action, signal) => {
    // Every running call listens to it, and there are as many as the opening allows.
    setMaxListeners(0, signal)
    switch (action.id.slice(0, action.id.indexOf('/'))) {
      case 'hold':
        return runCouncil(action, signal)
      case 'sample':
        return sample(action, signal)
      case 'judge':
        return judge(action, signal)
      case 'grade':
        return grade(action)
      case 'close':
        return say(is.CLOSED, CLERK, CLERK, { action: action.id, ...closingOf(opened()) })
      default:
        throw new Error(`an evaluation has no action ${action.id}`)
    }
  }
}
