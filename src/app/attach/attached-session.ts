// A host at work in an attached session. A call is announced before it runs, and nothing is told to go on before that is on
// disk (`announce-call.ts`). How it ended is told afterwards, by the host's own id of the call: on record at once, and on
// disk with the next call or a moment later. What is told of a call that was never announced is a gap, not an execution.

import { gapKey } from '../../agents/attached/attached.ts'
import type { Payloads } from '../../agents/events.ts'
import { openIntents } from '../../agents/evolve/intent-index.ts'
import type { Intent, SessionState } from '../../agents/state.ts'
import { agentsPerformer } from '../../clerk/performers/agents/performer.ts'
import { CLERK } from '../../ledger/calls.ts'
import type { Json } from '../../ledger/canonical.ts'
import type { Artifact } from '../../ledger/event.ts'
import type { Draft } from '../../ledger/signing.ts'
import { inputHash, normalisedInput } from '../../tools/toolset.ts'
import { withoutTypedSecrets } from '../person.ts'
import { driveTrace, type RunEnd } from '../run.ts'
import { type Announced, CallAnnouncer, type HostCall } from './announce-call.ts'
import { type AttachedKit, agentsKitOf, draftBy, storeText } from './attached-kit.ts'
import { shortName } from './attachments.ts'
import type { AttachedLog } from './open-attached.ts'

/** How a call ended, as its host says. */
export interface HostOutcome extends HostCall {
  readonly ok: boolean
  readonly output: Json
  /** Of one that failed. */
  readonly error?: string | null
  readonly durationMs?: number | null
  readonly from?: 'transcript'
}

/** What is longer is cut, and said to be. */
const MOST_OUTPUT = 4_000_000
/** A hook that is started for one call folds what came since. */
export const SNAPSHOT_EVERY = 48

type Gap = Omit<Payloads['gap_recorded'], 'artifacts'>

export class AttachedSession {
  readonly log: AttachedLog
  readonly #kit: AttachedKit
  readonly #announcer: CallAnnouncer
  /** How long it was when it was last driven here. */
  #tended: number

  constructor(log: AttachedLog, kit: AttachedKit) {
    this.log = log
    this.#kit = kit
    this.#announcer = new CallAnnouncer(log, kit, () => this.#drive())
    this.#tended = log.size
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

  /** States grow with their sessions, and so do the steps. */
  #snapshotEvery(minEvents: number): number {
    return Math.max(minEvents, Math.ceil(this.log.size / 16))
  }

  /** Everything that can be done now without the host and without a person; durable once the store has settled. */
  async #drive(minEvents = SNAPSHOT_EVERY): Promise<RunEnd> {
    const { ports, registrar } = this.#kit
    this.#tended = this.log.size
    const snapshotEvery = this.#snapshotEvery(minEvents)
    const perform = agentsPerformer(agentsKitOf(this.#kit, this.log))
    return driveTrace({ ports, registrar, log: this.log, perform, snapshotEvery, settles: false })
  }

  #say(type: keyof Payloads, agent: string, role: string, payload: object): Draft {
    return draftBy(this.#kit.registrar, type, agent, role, payload)
  }

  /** Holds the call until it may run, for as long as `patience` lasts; what is told to go on is on disk. */
  async announce(call: HostCall, patience: AbortSignal): Promise<Announced> {
    if (this.state.phase !== 'executing') await this.#drive()
    return this.#announcer.announce(call, patience)
  }

  async #running({ call, tool, input }: HostCall): Promise<Intent | undefined> {
    const started = (): readonly Intent[] =>
      openIntents(this.state).filter(({ status }) => status === 'started')
    if (call !== null) return started().find((intent) => intent.call === call)
    // As it was announced.
    const { value } = await withoutTypedSecrets(input)
    const hash = inputHash(value)
    return started().find((intent) => intent.tool === tool && intent.inputHash === hash)
  }

  async #inputOf({ inputHash: hash }: Intent): Promise<Artifact> {
    const stored = await this.ports.store.statArtifact(hash)
    return { hash, size: stored?.size ?? 0, name: 'input.json', media_type: 'application/json' }
  }

  /** True when an execution ended by this; false when it is a gap. */
  async finish(outcome: HostOutcome): Promise<boolean> {
    const { value: cleaned, removed } = await withoutTypedSecrets({
      output: outcome.output,
      error: outcome.error ?? null,
    })
    const text = typeof cleaned.output === 'string' ? cleaned.output : JSON.stringify(cleaned.output ?? null)
    const isCut = text.length > MOST_OUTPUT
    const type = typeof cleaned.output === 'string' ? 'text/plain' : 'application/json'
    const output = await storeText(this.ports, 'output', isCut ? text.slice(0, MOST_OUTPUT) : text, type)
    const intent = await this.#running(outcome)
    if (!intent) {
      const cleaned = await withoutTypedSecrets(outcome.input)
      const input = await storeText(this.ports, 'input.json', normalisedInput(cleaned.value))
      const reason = 'the host says that it ended, and no start of it is on record'
      await this.gap({ why: 'unannounced', tool: outcome.tool, call: outcome.call, reason }, [input, output])
      return false
    }
    const input = this.#announcer.takeInput(intent.id) ?? (await this.#inputOf(intent))
    const about = {
      ...{ action: `tool/${intent.id}/1`, intent: intent.id },
      duration_ms: Math.max(0, Math.round(outcome.durationMs ?? 0)),
      artifacts: [input, output],
      ...(outcome.from && { from: outcome.from }),
    }
    const failed = {
      error_type: 'error',
      error_message: (cleaned.error ?? text).slice(0, 2_000).toWellFormed(),
    }
    const draft = outcome.ok
      ? this.#say('tool_execution_completed', 'executor', 'executor', {
          ...about,
          ...{ truncated: isCut, secrets_removed: removed },
        })
      : this.#say('tool_execution_failed', 'executor', 'executor', { ...about, ...failed })
    await this.#recordUnless(({ intents }) => intents.get(intent.id)?.status !== 'started', draft)
    return true
  }

  /** Several may tell of the same, such as two that close the session: what another process has recorded is not recorded again. */
  async #recordUnless(isRecorded: (state: SessionState) => boolean, draft: Draft): Promise<void> {
    await this.log.appendInSteps(
      () =>
        async ({ inner }) =>
          isRecorded(inner) ? [] : [draft],
      true,
    )
  }

  /** Checkpoints the session and keeps its state, once it has grown by enough. */
  async tend(minEvents = SNAPSHOT_EVERY): Promise<void> {
    const grown = this.log.size - this.#tended
    const every = this.#snapshotEvery(minEvents)
    if (grown >= every || this.log.isLongUnkept(every)) await this.#drive(minEvents)
  }

  #gapDraft(gap: Gap, artifacts: readonly Artifact[]): Draft {
    const named = { ...gap, tool: shortName(gap.tool), call: shortName(gap.call) }
    return this.#say('gap_recorded', CLERK, CLERK, { ...named, artifacts })
  }

  async gap(gap: Gap, artifacts: readonly Artifact[] = []): Promise<void> {
    if (this.state.phase !== 'executing') await this.#drive()
    await this.log.append([this.#gapDraft(gap, artifacts)], true)
    await this.#kit.ports.store.settled()
  }

  /** A gap that is found when the session is closed. */
  async gapOnce(gap: Gap): Promise<void> {
    if (this.state.phase !== 'executing') await this.#drive()
    const key = gapKey(gap)
    await this.#recordUnless(
      ({ gaps, hostEnded, phase }) => hostEnded !== null || phase !== 'executing' || gaps.includes(key),
      this.#gapDraft(gap, []),
    )
    await this.#kit.ports.store.settled()
  }

  /** The host's session is over. Nothing more of it is taken. */
  async end(why: Payloads['host_session_ended']['why'], reason: string): Promise<void> {
    await this.log.refresh()
    if (this.state.phase === 'planning' || this.state.phase === 'reviewing') await this.#drive()
    if (this.isOver || this.state.phase !== 'executing') return
    await this.#recordUnless(
      ({ hostEnded, phase }) => hostEnded !== null || phase !== 'executing',
      this.#say('host_session_ended', CLERK, CLERK, { why, reason }),
    )
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
