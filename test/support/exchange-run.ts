// Drives an exchange without clerk, keys or store: what is decided is answered by a script, and every event is judged
// as a verifier would judge it before it is folded. Refused events throw; nothing else differs from a real trace.

import { branchPayload } from '../../src/exchange/branch.ts'
import { namedIn } from '../../src/exchange/editions.ts'
import type { BranchOrder } from '../../src/exchange/events.ts'
import { exchangeProtocol } from '../../src/exchange/exchange.ts'
import { markOf } from '../../src/exchange/means.ts'
import type { ExchangeState } from '../../src/exchange/state.ts'
import type { Terms } from '../../src/exchange/terms.ts'
import { toHex, utf8 } from '../../src/ledger/bytes.ts'
import type { WithOpenCalls } from '../../src/ledger/calls.ts'
import type { Payload } from '../../src/ledger/event.ts'
import { FORKED } from '../../src/ledger/fork.ts'
import type { Action, Occurrence, Refusal } from '../../src/protocol.ts'
import { sha256 } from '../../src/stores/digest.ts'
import { answerTo, keeper, opening, plainScript, type Said, type Script } from './exchange-script.ts'

export const protocol = exchangeProtocol(sha256)

let traces = 0
export const newTrace = (): string => `01KE000000${String(traces++).padStart(16, '0')}`

const ask = (type: string, payload: Payload): Said => ({ type, agent: 'clerk', role: 'clerk', payload })

export class Refused extends Error {
  readonly refusal: Refusal
  constructor(type: string, refusal: Refusal) {
    super(`${type}: ${refusal.code} ${refusal.message}`)
    this.refusal = refusal
  }
}

export class ExchangeRun {
  readonly trace: string
  readonly events: Occurrence[] = []
  /** Traces that were named as branches and made by a policy. */
  readonly children = new Map<string, ExchangeRun>()
  readonly kept = keeper()
  readonly script: Script
  state: WithOpenCalls<ExchangeState> = protocol.initial
  /** The parent's events up to the fork point. */
  readonly prefix: readonly Occurrence[]

  constructor(script: Script = plainScript, trace = newTrace(), prefix: readonly Occurrence[] = []) {
    this.trace = trace
    this.script = script
    this.prefix = prefix
    for (const event of prefix) this.state = protocol.evolve(this.state, event)
  }

  static open(under: Terms, script: Script = plainScript): ExchangeRun {
    const run = new ExchangeRun(script)
    run.person('exchange_opened', opening(under), under.observer.name)
    return run
  }

  get inner(): ExchangeState {
    return this.state.inner
  }

  occurrence({ type, agent, role, payload }: Said): Occurrence {
    const seq = this.events.length
    const hash = toHex(sha256(utf8(`${this.trace}/${seq}`)))
    const actor = { agent, role, key: toHex(sha256(utf8(`${agent} ${role}`))) }
    const said = { ...payload, ...this.means(type, role, payload) }
    return { trace: this.trace, seq, at: '2026-01-01T00:00:00.000Z', type, actor, hash, payload: said }
  }

  /** An observer acts at a terminal here, unless it is said otherwise. */
  private means(type: string, role: string, { via, ...payload }: Payload): object {
    if (role !== 'observer' || type === FORKED || via !== undefined) return {}
    const edition = type === 'exchange_opened' ? Number(namedIn(payload)) : this.inner.edition
    return edition === 1 || edition === 2 ? markOf({ edition }, 'terminal') : {}
  }

  judge(said: Said): Refusal | null {
    const event = this.occurrence(said)
    const refusal = protocol.refuse(this.state, event)
    const content = (hash: string) => this.kept.content.get(hash) ?? null
    return refusal ?? protocol.examine?.(this.state, event, content) ?? null
  }

  say(said: Said): Occurrence {
    const refusal = this.judge(said)
    if (refusal) throw new Refused(said.type, refusal)
    return this.fold(said)
  }

  /** Without asking the protocol. */
  fold(said: Said): Occurrence {
    const event = this.occurrence(said)
    this.events.push(event)
    this.state = protocol.evolve(this.state, event)
    return event
  }

  person(type: string, payload: object, agent = 'ana', role = 'observer'): Occurrence {
    return this.say({ type, agent, role, payload: payload as Payload })
  }

  actions(): readonly Action[] {
    return protocol.decide(this.state)
  }

  start(action: Action): void {
    if (action.call !== 'ask' && action.call !== 'tool') return
    this.say(ask('call_started', { action: action.id, call: action.call, clerk: 'C', input: '' }))
  }

  lose(action: Action): void {
    this.say(ask('call_lost', { action: action.id, reason: 'its clerk is gone' }))
  }

  answer(action: Action): void {
    if (action.id.startsWith('fork/')) {
      this.children.set(String(action.input.into), this.fork(String(action.input.into), 'policy', 'policy'))
      return
    }
    const said = answerTo(action, this.inner, this.script, this.kept.keep, newTrace)
    if (said) this.say(said)
  }

  /** Performs what is decided until only people are waited for; in this order where several are decided. */
  run(pick: (actions: readonly Action[]) => Action | undefined = ([first]) => first): this {
    for (let steps = 0; steps < 100_000; steps++) {
      const action = pick(this.actions().filter(({ call }) => call !== 'park'))
      if (!action) return this
      this.start(action)
      this.answer(action)
    }
    throw new Error('this never ends')
  }

  rounds(until: number, mode: 'run' | 'chat' = 'run'): this {
    this.person('continued', { until, mode })
    return this.run()
  }

  /** Carries out an order: the new trace, with its first event. */
  fork(into: string, agent = 'ana', role = 'observer', script = this.script): ExchangeRun {
    const pending = this.inner.forks.find(({ order }) => order.into === into)
    if (!pending) throw new Error('nobody ordered that')
    const { trace, seq } = pending.at
    const known = [...this.prefix, ...this.events]
    const at = known.findIndex((event) => event.trace === trace && event.seq === seq)
    const point = known[at] as Occurrence
    const child = new ExchangeRun(script, into, known.slice(0, at + 1))
    for (const [hash, bytes] of this.kept.content) child.kept.content.set(hash, bytes)
    const payload = { ...branchPayload(this.inner, pending), parent: { trace, seq, hash: point.hash } }
    child.say({ type: FORKED, agent, role, payload: payload as unknown as Payload })
    this.say({ type: 'branched', agent, role, payload: { into } })
    return child
  }

  branch(given: Partial<BranchOrder> & { readonly round: number }, script = this.script): ExchangeRun {
    const order: BranchOrder = { into: newTrace(), carry: 'window', terms: null, current: false, ...given }
    this.person('branch_ordered', { branch: order, reason: null })
    return this.fork(order.into, 'ana', 'observer', script)
  }

  texts(): readonly string[] {
    return this.inner.pool.map(({ id, text }) => `${id} ${text}`)
  }

  types(): readonly string[] {
    return this.events.map(({ type }) => type)
  }
}
