// A host at work in an attached session. A call is announced before it runs: signed as an intent, judged, and started only
// when everything that it needs is there; nothing is told to go on before that is on disk. How it ended is told
// afterwards, by the host's own id of the call. What is told of a call that was never announced is a gap, not an execution.

import { QUOTED } from '../../agents/attached/shapes.ts'
import type { Payloads } from '../../agents/events.ts'
import type { Intent, SessionState } from '../../agents/state.ts'
import { agentsPerformer } from '../../clerk/performers/agents/performer.ts'
import type { AgentsKit } from '../../clerk/performers/agents/ports.ts'
import { RefusedError } from '../../clerk/refused-events.ts'
import { utf8 } from '../../ledger/bytes.ts'
import { CLERK } from '../../ledger/calls.ts'
import type { Json } from '../../ledger/canonical.ts'
import type { Artifact, Payload } from '../../ledger/event.ts'
import type { Draft } from '../../ledger/signing.ts'
import { definitionHash, definitionText, inputHash, normalisedInput } from '../../tools/toolset.ts'
import { withoutTypedSecrets } from '../person.ts'
import { driveTrace, type RunEnd } from '../run.ts'
import type { AttachedPolicy, Define } from './attached-policy.ts'
import { shortName } from './attachments.ts'
import type { AttachedLog } from './open-attached.ts'

/** A call as a host makes it. */
export interface HostCall {
  readonly tool: string
  readonly input: Json
  /** The host's own id of it; null where it has none. */
  readonly call: string | null
  /** Of a sub-agent of the host. */
  readonly agent?: string | null
}

/** How a call ended, as its host says. */
export interface HostOutcome extends HostCall {
  readonly ok: boolean
  readonly output: Json
  /** Of one that failed. */
  readonly error?: string | null
  readonly durationMs?: number | null
  readonly from?: 'transcript'
}

export type Announced =
  | { readonly kind: 'go'; readonly intent: string }
  | { readonly kind: 'blocked'; readonly intent: string; readonly reason: string }
  /** A person has not answered in time; the intent is kept. */
  | { readonly kind: 'waiting'; readonly intent: string }

/** What the host is told of a call that may not run; null when it may. */
export function deniedWords(trace: string, announced: Announced): string | null {
  if (announced.kind === 'go') return null
  const { intent } = announced
  if (announced.kind === 'blocked') return `Witan blocked ${intent} in ${trace}: ${announced.reason}`
  return (
    `Witan: ${intent} needs a person's approval and has no answer yet. A person types: ` +
    `witan agents approve ${trace} ${intent} --reason "…" (witan agents pending shows it). Then make the same call again.`
  )
}

export interface AttachedKit extends Omit<AgentsKit, 'log' | 'policy' | 'toolsets' | 'minds'> {
  readonly policy: AttachedPolicy
  readonly define: Define
}

/** What is longer is cut, and said to be. */
const MOST_OUTPUT = 4_000_000
const [PROPOSAL, SNAPSHOT_EVERY] = ['p1', 48] as const

type Gap = Omit<Payloads['gap_recorded'], 'artifacts'>

export class AttachedSession {
  readonly log: AttachedLog
  readonly #kit: AttachedKit

  constructor(log: AttachedLog, kit: AttachedKit) {
    this.log = log
    this.#kit = kit
  }

  get state(): SessionState {
    return this.log.state.inner
  }

  get ports(): AttachedKit['ports'] {
    return this.#kit.ports
  }

  /** Of the policy that is in force now. */
  get policyHash(): string {
    return this.#kit.policy.hash
  }

  get isOver(): boolean {
    return this.state.hostEnded !== null || this.log.protocol.finished(this.log.state)
  }

  /** Everything that can be done now without the host and without a person; durable once the store has settled. */
  async #drive(): Promise<RunEnd> {
    const { policy, ports, registrar, verify } = this.#kit
    const none = { tools: async () => [], call: unoffered, close: async () => undefined }
    const kit = { ports, registrar, verify, policy, toolsets: none, minds: new Map(), log: this.log }
    // A hook that is started for one call folds what came since. States grow with their sessions, and so do the steps.
    const snapshotEvery = Math.max(SNAPSHOT_EVERY, Math.ceil(this.log.size / 16))
    const perform = agentsPerformer(kit)
    return driveTrace({ ports, registrar, log: this.log, perform, snapshotEvery, settles: false })
  }

  #say(type: keyof Payloads, agent: string, role: string, payload: object): Draft {
    return { type, actor: this.#kit.registrar.actor(agent, role), payload: payload as Payload }
  }

  async #keep(name: string, text: string, media_type = 'application/json'): Promise<Artifact> {
    return { ...(await this.#kit.ports.store.putArtifact(utf8(text))), name, media_type }
  }

  /** Holds the call until it may run, for as long as `patience` lasts. */
  async announce(given: HostCall, patience: AbortSignal): Promise<Announced> {
    const { value: input, removed } = await withoutTypedSecrets(given.input)
    const call = { ...given, input }
    if (this.state.phase !== 'executing') await this.#drive()
    for (;;) {
      const id = this.#takeable(call)?.id ?? (await this.#sign(call, removed))
      const announced = await this.#await(id, call, patience)
      if (!announced) continue
      await this.ports.store.settled()
      return announced
    }
  }

  /** An intent of the same call that was not started: denied for want of an answer, perhaps approved since. */
  #takeable({ tool, input }: HostCall): Intent | undefined {
    const hash = inputHash(input)
    return [...this.state.intents.values()].find(
      (intent) => intent.status === 'signed' && intent.tool === tool && intent.inputHash === hash,
    )
  }

  async #sign({ tool, input, call, agent }: HostCall, removed: number): Promise<string> {
    const defined = this.#kit.define(tool)
    const definition = definitionHash(defined)
    const text = normalisedInput(input)
    const kept = await this.#keep('input.json', text)
    let id = ''
    await this.log.append(async () => {
      id = `${PROPOSAL}-i${this.state.intents.size + 1}`
      const isKnown = this.state.learned.get(tool) === definition
      const learned = isKnown ? [] : [await this.#keep(`${tool}.json`, definitionText(defined))]
      return [
        this.#say('tool_intent_signed', 'executor', 'executor', {
          ...{ action: `intent/${id}/1`, intent: id, proposal: PROPOSAL, step: null, tool },
          ...{ definition, input_hash: kept.hash, risk: 'high', revises: null },
          ...{ justification: 'the host is about to make this call', call: call ?? `${id}-call` },
          quote: [...text].slice(0, QUOTED).join(''),
          ...(agent && { agent_id: shortName(agent) }),
          ...(removed > 0 && { secrets_removed: removed }),
          artifacts: [kept, ...learned],
        }),
      ]
    }, true)
    return id
  }

  /** Null when somebody else's call took this intent up. */
  async #await(id: string, call: HostCall, patience: AbortSignal): Promise<Announced | null> {
    const { store } = this.#kit.ports
    for (;;) {
      const { size } = this.log
      await this.#drive()
      const intent = this.state.intents.get(id)
      if (intent?.status === 'blocked')
        return { kind: 'blocked', intent: id, reason: intent.reason ?? 'blocked' }
      if (intent?.status !== 'signed') return null
      if (this.#isApproved(id)) {
        if (await this.#start(id, call)) return { kind: 'go', intent: id }
        continue
      }
      if (patience.aborted) return { kind: 'waiting', intent: id }
      // What was appended meanwhile is looked at before anything is waited for.
      if (this.log.size === size) await store.watch(this.log.trace, size, patience).catch(() => undefined)
      await this.log.refresh()
    }
  }

  #isApproved(id: string): boolean {
    return this.log.protocol
      .decide(this.log.state)
      .some(({ id: action }) => action.startsWith(`start/${id}/`))
  }

  /** False when approvals had expired or another call was faster. Durable when this resolves. */
  async #start(id: string, { call }: HostCall): Promise<boolean> {
    const { ports } = this.#kit
    let started = false
    try {
      await this.log.append(async () => {
        const intent = this.state.intents.get(id)
        const wanted = this.log.protocol.decide(this.log.state)
        const action = wanted.find(({ id: one }) => one.startsWith(`start/${id}/`))?.id
        if (!intent || !action) return []
        const late = intent.approvals.find(({ expires }) => ports.now() >= expires)
        started = late === undefined
        if (late) {
          const voided = { why: 'expired', reason: `an approval ended at ${late.expires}` }
          return [this.#say('approval_voided', 'executor', 'executor', { action, intent: id, ...voided })]
        }
        return [
          this.#say('tool_execution_started', 'executor', 'executor', {
            ...{ action, intent: id, approvals: intent.approvals.map(({ hash }) => hash) },
            ...{ input_hash: intent.inputHash, definition: intent.definition, call: call ?? `${id}-call` },
          }),
        ]
      })
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error
      return false
    }
    return started && this.state.intents.get(id)?.call === (call ?? `${id}-call`)
  }

  #running({ call, tool, input }: HostCall): Intent | undefined {
    const running = [...this.state.intents.values()].filter(({ status }) => status === 'started')
    if (call !== null) return running.find((intent) => intent.call === call)
    const hash = inputHash(input)
    return running.find((intent) => intent.tool === tool && intent.inputHash === hash)
  }

  /** True when an execution ended by this; false when it is a gap. */
  async finish(given: HostOutcome): Promise<boolean> {
    const { value: said, removed } = await withoutTypedSecrets({
      input: given.input,
      output: given.output,
      error: given.error ?? null,
    })
    const text = typeof said.output === 'string' ? said.output : JSON.stringify(said.output ?? null)
    const isCut = text.length > MOST_OUTPUT
    const type = typeof said.output === 'string' ? 'text/plain' : 'application/json'
    const output = await this.#keep('output', isCut ? text.slice(0, MOST_OUTPUT) : text, type)
    const intent = this.#running({ ...given, input: said.input })
    if (!intent) {
      const input = await this.#keep('input.json', normalisedInput(said.input))
      const reason = 'the host says that it ended, and no start of it is on record'
      await this.gap({ why: 'unannounced', tool: given.tool, call: given.call, reason }, [input, output])
      return false
    }
    const kept = await this.#kit.ports.store.statArtifact(intent.inputHash)
    const input = {
      hash: intent.inputHash,
      size: kept?.size ?? 0,
      name: 'input.json',
      media_type: 'application/json',
    }
    const about = {
      ...{ action: `tool/${intent.id}/1`, intent: intent.id },
      duration_ms: Math.max(0, Math.round(given.durationMs ?? 0)),
      artifacts: [input, output],
      ...(given.from && { from: given.from }),
    }
    const failed = { error_type: 'error', error_message: (said.error ?? text).slice(0, 2_000).toWellFormed() }
    const draft = given.ok
      ? this.#say('tool_execution_completed', 'executor', 'executor', {
          ...about,
          ...{ truncated: isCut, secrets_removed: removed },
        })
      : this.#say('tool_execution_failed', 'executor', 'executor', { ...about, ...failed })
    await this.log.append([draft])
    return true
  }

  async gap(gap: Gap, artifacts: readonly Artifact[] = []): Promise<void> {
    if (this.state.phase !== 'executing') await this.#drive()
    const named = { ...gap, tool: shortName(gap.tool), call: shortName(gap.call) }
    await this.log.append([this.#say('gap_recorded', CLERK, CLERK, { ...named, artifacts })], true)
    await this.#kit.ports.store.settled()
  }

  /** The host's session is over. Nothing more of it is taken. */
  async end(why: Payloads['host_session_ended']['why'], reason: string): Promise<void> {
    await this.log.refresh()
    if (this.state.phase === 'planning' || this.state.phase === 'reviewing') await this.#drive()
    if (this.isOver || this.state.phase !== 'executing') return
    await this.log.append([this.#say('host_session_ended', CLERK, CLERK, { why, reason })], true)
    await this.#kit.ports.store.settled()
  }

  /** To its audit and checkpoint, once it has ended. One in which nothing can be claimed is given up. */
  async conclude(operator: string): Promise<RunEnd> {
    const end = await this.#drive()
    if (!end.parked.some(({ id }) => id.startsWith('nothing/'))) return end
    const payload = { reason: 'no call of the host was recorded: nothing can be claimed', via: 'none' }
    await this.log.append([this.#say('session_aborted', operator, 'operator', payload)])
    return this.#drive()
  }
}

const unoffered = async () => {
  throw new Error('the host runs its tools itself')
}
