// Runs an evaluation without a clerk, models or stores: folds its events under the real protocol, answers what is decided
// by a script, and keeps every event and artifact. What the protocol refuses, or a verifier objects to, throws.

import { councilId } from '../../src/eval/council-ids.ts'
import { evalProtocol } from '../../src/eval/eval.ts'
import * as is from '../../src/eval/events.ts'
import { answersOf, distinctTexts, gradeUnit } from '../../src/eval/grade-item.ts'
import { type EvalRequest, judgeRequest, sampleRequest } from '../../src/eval/prompts/prompts.ts'
import { readJudgement, sampleText } from '../../src/eval/read-reply.ts'
import { closingOf } from '../../src/eval/result.ts'
import { SET_ARTIFACT, writeItems } from '../../src/eval/set-artifact.ts'
import type { Item } from '../../src/eval/sets/item.ts'
import { type EvalState, isOpened, NO_UNIT, type Opened, unitOf } from '../../src/eval/state.ts'
import { toHex } from '../../src/ledger/bytes.ts'
import { CALL_STARTED, CLERK, type WithOpenCalls } from '../../src/ledger/calls.ts'
import { canonicalize } from '../../src/ledger/canonical.ts'
import { momentMs } from '../../src/ledger/clock.ts'
import type { Artifact, Payload } from '../../src/ledger/event.ts'
import { renderPrompt } from '../../src/ledger/prompt.ts'
import { type RawReply, writeRaw } from '../../src/ledger/raw-reply.ts'
import type { Action, Occurrence, Refusal } from '../../src/protocol.ts'
import { sha256 } from '../../src/stores/digest.ts'
import { type CouncilValues, council, ITEM, opening } from './scripted-eval-parts.ts'

export const protocol = evalProtocol(sha256)

/** What came of asking: words, a failure, or words with what they took. */
export type Reply =
  | string
  | null
  | { readonly text: string | null; readonly usd?: number | null; readonly tokens?: number | null }

export interface Place {
  readonly item: number
  readonly rep: number
}

export interface Script {
  /** By default every member and the report say the first target. */
  readonly holds?: (place: Place & { readonly variant: string }) => CouncilValues
  readonly samples?: (place: Place & { readonly seat: string; readonly n: number }) => Reply
  /** What a grader replies to two answers in this order. */
  readonly judges?: (first: string, second: string) => Reply
  /** Which of the actions that may be done now is done next. */
  readonly picks?: (actions: readonly Action[]) => Action | undefined
}

export interface Draft {
  readonly type: string
  readonly agent: string
  readonly role: string
  readonly payload: Payload
}

const draft = (type: string, agent: string, role: string, payload: object): Draft => ({
  type,
  agent,
  role,
  payload: payload as Payload,
})

export class ScriptedEval {
  state: WithOpenCalls<EvalState> = protocol.initial
  readonly events: Occurrence[] = []
  readonly artifacts = new Map<string, Uint8Array>()
  readonly items: readonly Item[]
  readonly script: Script
  readonly trace: string

  constructor(items: readonly Item[] = [ITEM], script: Script = {}, trace = '01KEC0000000000000000000EV') {
    this.items = items
    this.script = script
    this.trace = trace
  }

  get inner(): Opened {
    if (!isOpened(this.state.inner)) throw new Error('not open')
    return this.state.inner
  }

  keep(name: string, bytes: Uint8Array): Artifact {
    const hash = toHex(sha256(bytes))
    this.artifacts.set(hash, bytes)
    return { hash, size: bytes.length, name, media_type: 'application/json' }
  }

  occurrence({ type, agent, role, payload }: Draft): Occurrence {
    const seq = this.events.length
    const at = new Date(Date.UTC(2026, 2, 1) + seq * 1000).toISOString()
    return {
      trace: this.trace,
      seq,
      at,
      type,
      actor: { agent, role, key: agent },
      hash: String(seq),
      payload,
    }
  }

  /** Why it may not be here: by the guards, else by what a verifier reads. */
  refusal(said: Draft): Refusal | null {
    const event = this.occurrence(said)
    const content = (hash: string) => this.artifacts.get(hash) ?? null
    return protocol.refuse(this.state, event) ?? protocol.examine?.(this.state, event, content) ?? null
  }

  take(event: Occurrence): void {
    this.state = protocol.evolve(this.state, event)
    this.events.push(event)
  }

  say(said: Draft): this {
    const refusal = this.refusal(said)
    if (refusal) throw new Error(`${said.type} refused: ${refusal.code} ${refusal.message}`)
    this.take(this.occurrence(said))
    return this
  }

  opens(more: Partial<is.EvalOpened> = {}): Draft {
    const artifacts = [this.keep(SET_ARTIFACT, writeItems(this.items))]
    return draft(is.OPENED, 'eve', is.EVALUATOR, { ...opening(this.items.length), artifacts, ...more })
  }

  open(more: Partial<is.EvalOpened> = {}): this {
    return this.say(this.opens(more))
  }

  #unit({ item, rep }: Place) {
    return this.inner.units.get(unitOf(this.inner.opened, item, rep)) ?? NO_UNIT
  }

  #item(nth: number): Item {
    const item = this.items[nth]
    if (!item) throw new Error(`no item ${nth}`)
    return item
  }

  #asked(request: EvalRequest, reply: Reply): { readonly raw: RawReply | null; readonly told: object } {
    const { text, usd = 0.01, tokens = 100 } = typeof reply === 'object' && reply ? reply : { text: reply }
    const raw = text === null ? null : { text, finish_reason: 'stop' }
    const told = {
      artifacts: [
        this.keep('request.json', Buffer.from(canonicalize(request))),
        ...(raw ? [this.keep('raw.json', writeRaw(raw))] : []),
      ],
      transport: 'api',
      model: 'm',
      input_tokens: tokens === null ? null : tokens - 40,
      output_tokens: tokens === null ? null : 40,
      cost: usd === null ? null : { usd, from: 'provider' },
      latency_ms: 1_500,
      attempts: [],
    }
    return { raw, told }
  }

  /** What answers an action, as the clerk would record it. */
  outcome(action: Action): Draft {
    const { inner, script } = this
    const place = action.input as never as Place & {
      readonly variant: string
      readonly seat: string
      readonly n: number
      readonly answer: number
      readonly order: 'first' | 'second'
    }
    const setting = {
      sha256,
      seed: inner.opened.seed,
      trace: this.trace,
      action: action.id,
      set: inner.set ?? '',
    }
    const told = { action: action.id, ...action.input }
    const failed = { error_type: 'timeout', message: 'no answer came' }
    switch (action.id.split('/')[0]) {
      case 'hold': {
        const { grader, target } = this.#item(place.item)
        const of = { root: inner.root, seed: inner.opened.seed, ms: momentMs(inner.began) }
        const trace = councilId(sha256, of, place.item, place.rep, place.variant)
        const { council: head, ...values } = script.holds?.(place) ?? council({ all: `ANSWER: ${target[0]}` })
        return draft(is.ITEM_HELD, CLERK, CLERK, { ...told, grader, council: { ...head, trace }, ...values })
      }
      case 'sample': {
        const request = sampleRequest(setting, this.#item(place.item))
        const reply = script.samples ? script.samples(place) : `ANSWER: ${this.#item(place.item).target[0]}`
        const asked = this.#asked(request, reply)
        const came = asked.raw ? { text: sampleText(asked.raw) } : failed
        const type = asked.raw ? is.SAMPLE_GIVEN : is.SAMPLE_FAILED
        return draft(type, place.seat, is.SAMPLED, { ...told, ...asked.told, ...came })
      }
      case 'judge': {
        const text = distinctTexts(answersOf(inner.opened, this.#unit(place)))[place.answer] ?? ''
        const item = this.#item(place.item)
        const request = judgeRequest(setting, item, text, place.order)
        const known = item.target.join('\n')
        const [one, two] = place.order === 'first' ? [known, text] : [text, known]
        const asked = this.#asked(request, script.judges?.(one, two) ?? null)
        const shown = renderPrompt(request.parts.filter(({ template }) => template === null))
        const read = asked.raw ? readJudgement(asked.raw, shown) : { reading: null, verdict: null }
        const came = read.verdict === null ? { reading: read.reading, ...failed } : read
        const type = read.verdict === null ? is.JUDGEMENT_FAILED : is.JUDGEMENT_GIVEN
        return draft(type, place.seat, is.GRADER, { ...told, ...asked.told, ...came })
      }
      case 'grade': {
        const item = this.#item(place.item)
        const grades = gradeUnit(sha256, inner, this.#unit(place), item, place)
        return draft(is.ITEM_GRADED, CLERK, CLERK, { ...told, id: item.id, cluster: item.cluster, grades })
      }
      default:
        return draft(is.CLOSED, CLERK, CLERK, { ...told, ...closingOf(inner) })
    }
  }

  /** The next action, started where it must be. */
  next(): Action | null {
    const actions = protocol.decide(this.state)
    const action = this.script.picks ? this.script.picks(actions) : actions[0]
    if (action?.call === 'ask')
      this.say(draft(CALL_STARTED, CLERK, CLERK, { action: action.id, call: 'ask', clerk: 'C', input: '' }))
    return action ?? null
  }

  /** Up to the first action whose id begins so, which is started and not answered. */
  until(begins: string): Action {
    for (let action = this.next(); action !== null; action = this.next()) {
      if (action.id.startsWith(begins)) return action
      this.say(this.outcome(action))
    }
    throw new Error(`nothing asks for ${begins}`)
  }

  drive(): this {
    for (let action = this.next(); action !== null; action = this.next()) this.say(this.outcome(action))
    return this
  }
}

/** A whole evaluation. */
export const play = (
  items: readonly Item[],
  opened: Partial<is.EvalOpened> = {},
  script: Script = {},
): ScriptedEval => new ScriptedEval(items, script).open(opened).drive()
