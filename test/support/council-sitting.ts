// Runs a council without a clerk: folds its events under the real protocol, performs what is decided with scripted
// minds, and keeps every event and artifact. What the protocol refuses throws. The same events can then be sealed
// and judged by the real verifier.

import { toHex } from '../../src/ledger/bytes.ts'
import { CALL_LOST, CALL_STARTED, CLERK, type WithOpenCalls } from '../../src/ledger/calls.ts'
import { canonicalize, type Json } from '../../src/ledger/canonical.ts'
import type { Payload } from '../../src/ledger/event.ts'
import { type AskingFields, type RawReply, readRaw, writeRaw } from '../../src/ledger/raw-reply.ts'
import type { Action, Occurrence } from '../../src/protocol.ts'
import { sha256 } from '../../src/stores/digest.ts'
import * as council from './all-of-council.ts'
import { opinionAnswer, reportAnswer, reviewAnswer } from './council-answers.ts'

export const protocol = council.councilProtocol(sha256)

/** An answer as JSON, exactly what came over the wire, or a failure. */
export type ScriptedReply =
  | Json
  | { readonly raw: RawReply }
  | {
      readonly fails: (typeof council.ERROR_TYPES)[number]
      readonly cause?: string
      readonly usd?: number
    }

export interface Question {
  readonly round: council.Round
  readonly seat: string
  readonly n: number
  readonly mend: boolean
  readonly action: string
  readonly prompt: council.CouncilPrompt
  /** What a reviewer was shown. */
  readonly labels: readonly string[]
  readonly state: council.OpenedCouncil
}

export interface Script {
  /** By default everyone says the usual. */
  readonly says?: (question: Question) => ScriptedReply | undefined
  readonly pack?: council.PackText
  readonly usd?: number | null
  /** Milliseconds from one event to the next. */
  readonly pace?: number
  readonly trace?: string
}

export const seat = (name: string, more: Partial<council.SeatRecord> = {}): council.SeatRecord => ({
  seat: name,
  provider: name,
  vendor: `${name} inc`,
  model: `${name}-1`,
  roles: name === 'ann' ? ['participant', 'chair'] : ['participant'],
  embedded: false,
  ...more,
})

export const SEED = 'ab'.repeat(32)

export const opening = (more: Partial<council.CouncilOpened> = {}): council.CouncilOpened => ({
  question: 'Shall we put a cache before the reader?',
  mode: 'ask',
  constraints: [],
  focus: [],
  seats: [seat('ann'), seat('ben'), seat('cat')],
  chairs: ['ann'],
  seed: SEED,
  labelled: false,
  policy: council.DEFAULT_POLICY,
  edition: council.NEWEST,
  context: { kind: 'none', files: [], excluded: {}, bytes: 0, tokens: null, diff: null },
  follow: null,
  artifacts: [],
  ...more,
})

const ATTEMPT = {
  transport: 'api',
  error_type: null,
  cause: null,
  error_message: null,
  latency_ms: 5,
  waited_ms: 0,
} as const

const isRaw = (said: ScriptedReply): said is { raw: RawReply } =>
  said !== null && typeof said === 'object' && 'raw' in said

const isFailure = (said: ScriptedReply): said is { fails: 'timeout'; cause?: string; usd?: number } =>
  said !== null && typeof said === 'object' && 'fails' in said

export interface RecordedEvent {
  readonly type: string
  readonly agent: string
  readonly role: string
  readonly payload: Payload
  /** When it was said; set when it is taken. */
  readonly at?: string
}

export class Sitting {
  state: WithOpenCalls<council.CouncilState> = protocol.initial
  readonly spoken: RecordedEvent[] = []
  /** Each event with the state that it was said in. */
  readonly steps: { readonly state: WithOpenCalls<council.CouncilState>; readonly event: Occurrence }[] = []
  readonly artifacts = new Map<string, Uint8Array>()
  readonly asked: Question[] = []
  readonly #script: Script
  readonly trace: string
  #at = Date.UTC(2026, 0, 1)

  constructor(script: Script = {}) {
    this.#script = script
    this.trace = script.trace ?? '01KEC000000000000000000000'
  }

  get inner(): council.OpenedCouncil {
    const { inner } = this.state
    if (!council.isOpenedCouncil(inner)) throw new Error('not open')
    return inner
  }

  get report(): council.CouncilFinalReport | null {
    return council.reportOf(this.inner)
  }

  get closed(): council.CouncilClosed | null {
    return this.inner.closed
  }

  occurrence({ type, agent, role, payload }: RecordedEvent): Occurrence {
    const seq = this.spoken.length
    const at = new Date(this.#at).toISOString()
    const actor = { agent, role, key: agent }
    return { trace: this.trace, seq, at, type, actor, hash: String(seq), payload }
  }

  /** Null when it was taken, else why not. */
  refusal(spoken: RecordedEvent): string | null {
    return protocol.refuse(this.state, this.occurrence(spoken))?.message ?? null
  }

  say(type: string, agent: string, role: string, payload: object): this {
    const spoken = { type, agent, role, payload: payload as Payload }
    const event = this.occurrence(spoken)
    const refusal = protocol.refuse(this.state, event)
    if (refusal) throw new Error(`${type} refused: ${refusal.code} ${refusal.message}`)
    this.take(spoken)
    return this
  }

  /** Folds without asking the protocol. */
  take(spoken: RecordedEvent): void {
    const event = this.occurrence(spoken)
    this.steps.push({ state: this.state, event })
    this.state = protocol.evolve(this.state, event)
    this.spoken.push({ ...spoken, at: event.at })
    this.#at += this.#script.pace ?? 1000
  }

  wait(ms: number): this {
    this.#at += ms
    return this
  }

  open(more: Partial<council.CouncilOpened> = {}): this {
    return this.say(council.OPENED, 'olga', council.CONVENER, opening(more))
  }

  keep(name: string, value: unknown): { hash: string; size: number; name: string; media_type: string } {
    return this.keepBytes(name, Buffer.from(canonicalize(value)))
  }

  keepBytes(name: string, bytes: Uint8Array) {
    const hash = toHex(sha256(bytes))
    this.artifacts.set(hash, bytes)
    return { hash, size: bytes.length, name, media_type: 'application/json' }
  }

  decide(): readonly Action[] {
    return protocol.decide(this.state)
  }

  start(action: Action): this {
    return this.say(CALL_STARTED, CLERK, CLERK, { action: action.id, call: 'ask', clerk: 'C', input: '' })
  }

  lose(action: Action): this {
    return this.say(CALL_LOST, CLERK, CLERK, { action: action.id, reason: 'its clerk is gone' })
  }

  #completes(round: council.Round, name: string): council.Completes | null {
    const pending = council.pendingOf(this.inner, round, name)
    if (!pending) return null
    const bytes = this.artifacts.get(pending.raw ?? '')
    const missing = pending.took.reading ? council.missingIn(pending.took.reading) : []
    return { event: pending.event, raw: pending.raw, missing, answer: bytes ? readRaw(bytes) : null }
  }

  question(action: Action): Question {
    const { round, seat: name } = action.input as { round: council.Round; seat: string }
    const n = Number(action.input.n ?? 0)
    const mend = action.input.mend === true
    const completes = this.#completes(round, name)
    const asking: council.Asking =
      round === 'R3'
        ? { action: action.id, seat: name, completes, round, n, mend }
        : { action: action.id, seat: name, completes, round }
    const prompt = council.promptFor(sha256, this.inner, asking, this.#script.pack ?? council.NO_PACK)
    const labels = round === 'R2' ? [...council.labelsFor(sha256, this.inner, name).keys()] : []
    return { round, seat: name, n, mend, action: action.id, prompt, labels, state: this.inner }
  }

  #usual({ round, labels, state }: Question): Json {
    const { mode } = state.opened
    if (round === 'R1') return opinionAnswer(mode)
    if (round === 'R2') return reviewAnswer(labels, mode)
    return reportAnswer(
      council.opinionsOf(state).map(({ id }) => id),
      mode,
    )
  }

  /** What a performer would record of this asking. */
  outcome(
    action: Action,
    change: (prompt: council.CouncilPrompt) => object = (prompt) => prompt,
  ): RecordedEvent {
    const question = this.question(action)
    this.asked.push(question)
    const { round, seat: name, state } = question
    const said = this.#script.says?.(question) ?? this.#usual(question)
    const kind = round === 'R1' ? 'opinion' : round === 'R2' ? 'review' : 'report'
    const role = round === 'R3' ? council.CHAIR : council.PARTICIPANT
    const usd = isFailure(said)
      ? (said.usd ?? null)
      : this.#script.usd === undefined
        ? 0.01
        : this.#script.usd
    const isFirst = council.editionOf(state).reader === 1
    const reply = isFailure(said)
      ? { ok: false, type: said.fails, cause: said.cause ?? null, message: 'scripted' }
      : isFirst
        ? { ok: true, object: said, text: '' }
        : { ok: true }
    const raw = isRaw(said) ? said.raw : { text: JSON.stringify(said) }
    const asking: AskingFields = {
      artifacts: [
        this.keep('request.json', change(question.prompt)),
        this.keep('reply.json', reply),
        ...(isFirst || isFailure(said) ? [] : [this.keepBytes('raw.json', writeRaw(raw))]),
      ],
      transport: 'api',
      model: `${name}-1`,
      input_tokens: 100,
      output_tokens: 10,
      cost: usd === null ? null : { usd, from: 'prices' },
      latency_ms: 5,
      attempts: isFirst ? [] : [{ ...ATTEMPT, ...(isFailure(said) ? { error_type: said.fails } : {}) }],
    }
    const base = { action: action.id, seat: name, ...asking }
    const speak = (type: string, payload: object): RecordedEvent => ({
      type,
      agent: name,
      role,
      payload: { ...base, ...payload } as unknown as Payload,
    })
    if (isFailure(said)) {
      const provider = council.seatOf(state, name)?.provider ?? name
      const cause = said.cause ?? null
      const told = { cause, error_message: 'scripted', retried: false, fallback_used: false }
      const reading = isFirst ? {} : { reading: null }
      return speak(`${kind}_failed`, {
        ...reading,
        failure: { provider, round, error_type: said.fails, ...told },
      })
    }
    if (!isFirst) return this.#concluded(question, raw, kind, speak)
    if (isRaw(said)) throw new Error('the first edition keeps values')
    const { mode } = state.opened
    const value = said as Json
    const read =
      round === 'R1'
        ? council.readOpinion(mode, value)
        : round === 'R2'
          ? council.readReview(mode, value, council.labelsFor(sha256, state, name))
          : council.readReport(mode, value)
    if (!read.ok) throw new Error(`the script says nothing readable: ${read.why}`)
    return speak(`${kind}_given`, { [kind]: read.answer, repaired: false })
  }

  #concluded(
    { round, seat: name, state, prompt }: Question,
    raw: RawReply,
    kind: string,
    speak: (type: string, payload: object) => RecordedEvent,
  ): RecordedEvent {
    const pending = council.pendingOf(state, round, name)
    const found = council.concludeReply({
      round,
      mode: state.opened.mode,
      raw,
      prompt: council.shownBefore(prompt.parts),
      labels: round === 'R2' ? council.labelsFor(sha256, state, name) : new Map(),
      completes: pending && { prose: pending.prose },
    })
    const { reading } = found
    if (found.is === 'given') return speak(`${kind}_given`, { reading, [kind]: found.answer })
    if (found.is === 'incomplete')
      return speak(`${kind}_incomplete`, { reading, ...(round === 'R1' && { prose: found.prose }) })
    const provider = council.seatOf(state, name)?.provider ?? name
    const why = { error_type: 'parse_error', cause: found.cause, error_message: found.message }
    const failure = { provider, round, ...why, retried: false, fallback_used: false }
    return speak(`${kind}_failed`, { reading, failure })
  }

  /** The bookkeeping that an action asks for. */
  bookkeeping(action: Action): RecordedEvent {
    const speak = (type: string, payload: object): RecordedEvent => ({
      type,
      agent: CLERK,
      role: CLERK,
      payload: { action: action.id, ...payload } as Payload,
    })
    const [kind, which] = action.id.split('/')
    if (kind === 'short_circuit')
      return speak(council.SHORT_CIRCUIT_DECIDED, council.decisionAfter(this.inner, which as 'R1' | 'R2'))
    if (kind === 'join') {
      const name = which ?? ''
      const joined = { action: action.id, ...council.joinedNow(this.inner, name) }
      const payload = joined as unknown as Payload
      return { type: council.OPINION_JOINED, agent: name, role: council.PARTICIPANT, payload }
    }
    if (kind === 'score') return speak(council.AGREEMENT_SCORED, { encoder: 'test', pairs: [] })
    if (kind === 'assemble')
      return speak(council.REPORT_ASSEMBLED, { report: council.assembledNow(this.inner) })
    return speak(council.CLOSED, council.closingNow(this.inner) ?? {})
  }

  speak({ type, agent, role, payload }: RecordedEvent): this {
    return this.say(type, agent, role, payload)
  }

  /** Performs everything that is decided now. */
  step(): boolean {
    const actions = this.decide()
    const asks = actions.filter(({ call }) => call === 'ask')
    for (const action of asks) this.start(action)
    for (const action of asks) this.speak(this.outcome(action))
    for (const action of actions.filter(({ call }) => call === 'record')) this.speak(this.bookkeeping(action))
    return actions.length > 0
  }

  /** To the end, or until the protocol is where a test wants it. */
  run(until: (sitting: Sitting) => boolean = () => false): this {
    for (let i = 0; i < 100 && !until(this); i++) if (!this.step()) break
    return this
  }
}

export const sit = (more: Partial<council.CouncilOpened> = {}, script: Script = {}): Sitting =>
  new Sitting(script).open(more).run()

export const policy = (more: {
  readonly quorum?: Partial<council.QuorumPolicy>
  readonly short_circuit?: Partial<council.ShortCircuitPolicy>
  readonly budget?: Partial<council.Budget>
  readonly limits?: Partial<council.PromptLimits>
}): council.CouncilPolicy => ({
  ...council.DEFAULT_POLICY,
  quorum: { ...council.DEFAULT_POLICY.quorum, ...more.quorum },
  short_circuit: { ...council.DEFAULT_POLICY.short_circuit, ...more.short_circuit },
  budget: { ...council.DEFAULT_POLICY.budget, ...more.budget },
  limits: { ...council.DEFAULT_POLICY.limits, ...more.limits },
})
