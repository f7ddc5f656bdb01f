// A call is announced before it runs: signed as an intent, judged, and started only when everything that it needs is there. What
// can be said of it without a person is said in one commit, which is on disk before the host is told to go on: signatures
// and the wait for the disk are paid for once a call, and not once an event.

import { QUOTED } from '../../agents/attached/shapes.ts'
import type { Payloads } from '../../agents/events.ts'
import { openIntents } from '../../agents/evolve/intent-index.ts'
import type { Intent, SessionState } from '../../agents/state.ts'
import { agentsPerformer } from '../../clerk/performers/agents/performer.ts'
import type { NextDrafts } from '../../clerk/trace-log.ts'
import type { WithOpenCalls } from '../../ledger/calls.ts'
import type { Json } from '../../ledger/canonical.ts'
import type { Artifact } from '../../ledger/event.ts'
import type { Draft } from '../../ledger/signing.ts'
import type { Action } from '../../protocol.ts'
import { definitionHash, definitionText, normalisedInput, type ToolDefinition } from '../../tools/toolset.ts'
import { withoutTypedSecrets } from '../person.ts'
import { type AttachedKit, agentsKitOf, draftBy, storeText } from './attached-kit.ts'
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

/** Without the secrets that were in its input. */
interface CleanedCall extends HostCall {
  /** Its input as it is hashed and stored. */
  readonly text: string
  readonly artifact: Artifact
  /** How many secrets were in it. */
  readonly removed: number
}

const PROPOSAL = 'p1'

/** What stands of a call once all was said that needs no one else. */
interface Attempt {
  readonly intent: string
  readonly isStarted: boolean
}

export class CallAnnouncer {
  readonly #log: AttachedLog
  readonly #kit: AttachedKit
  /** By the intent of each call that was started here and has not ended. */
  readonly #inputs = new Map<string, Artifact>()
  readonly #definitionHashes = new WeakMap<ToolDefinition, string>()

  /** Everything else that is to be done now. */
  readonly #drive: () => Promise<unknown>

  constructor(log: AttachedLog, kit: AttachedKit, runUntilIdle: () => Promise<unknown>) {
    this.#log = log
    this.#kit = kit
    this.#drive = runUntilIdle
  }

  /** Holds the call until it may run, for as long as `patience` lasts. */
  async announce(hostCall: HostCall, patience: AbortSignal): Promise<Announced> {
    const { value: input, removed } = await withoutTypedSecrets(hostCall.input)
    const text = normalisedInput(input)
    const artifact = await storeText(this.#kit.ports, 'input.json', text)
    const call: CleanedCall = { ...hostCall, input, text, artifact, removed }
    for (;;) {
      const { intent, isStarted } = await this.#attempt(call)
      if (isStarted) {
        this.#inputs.set(intent, artifact)
        return { kind: 'go', intent }
      }
      await this.#drive()
      await this.#kit.ports.store.settled()
      for (;;) {
        const { size } = this.#log
        const { status, reason } = this.#intent(intent) ?? { status: 'void', reason: null }
        if (status === 'blocked') return { kind: 'blocked', intent, reason: reason ?? 'blocked' }
        // Somebody else's call took it up, or somebody's approval came.
        if (status !== 'signed' || this.#isApproved(intent)) break
        if (patience.aborted) return { kind: 'waiting', intent }
        await this.#kit.ports.store.watch(this.#log.trace, size, patience).catch(() => undefined)
        await this.#log.refresh()
      }
    }
  }

  /** The input of a call that has ended; undefined when another process has started it. */
  takeInput(intent: string): Artifact | undefined {
    const input = this.#inputs.get(intent)
    this.#inputs.delete(intent)
    return input
  }

  #intent(id: string): Intent | undefined {
    return this.#log.state.inner.intents.get(id)
  }

  #isApproved(id: string): boolean {
    return this.#log.protocol.decide(this.#log.state).some((action) => isStartOf(action, id))
  }

  /** Says what can be said now, in one commit. Where judging fails, what was said before is kept, and the fault is told. */
  async #attempt(call: CleanedCall): Promise<Attempt> {
    let attempt: Attempt = { intent: '', isStarted: false }
    let fault: { readonly error: unknown } | null = null
    const begin = (): NextDrafts<WithOpenCalls<SessionState>> => {
      attempt = { intent: '', isStarted: false }
      fault = null
      return async (state) => {
        if (attempt.isStarted) return []
        if (attempt.intent === '') {
          const known = unstartedIntent(state.inner, call)
          attempt = { intent: known?.id ?? nextId(state.inner), isStarted: false }
          if (!known) return [await this.#intend(state.inner, attempt.intent, call)]
        }
        const wanted = this.#log.protocol.decide(state)
        const due = wanted.find((action) => isJudging(action, attempt.intent))
        if (due) {
          try {
            return await this.#perform(due, call.input, state)
          } catch (error) {
            fault = { error }
            return []
          }
        }
        const start = wanted.find((action) => isStartOf(action, attempt.intent))
        const intent = state.inner.intents.get(attempt.intent)
        if (!start || !intent) return []
        const late = intent.approvals.find(({ expires }) => this.#kit.ports.now() >= expires)
        if (late) return [this.#void(start, intent, late.expires)]
        attempt = { intent: intent.id, isStarted: true }
        return [this.#start(start, intent, call)]
      }
    }
    await this.#log.appendInSteps(begin)
    if (fault) throw (fault as { readonly error: unknown }).error
    return attempt
  }

  /** The input is at hand, by whose hash the action names it. */
  #perform(due: Action, input: Json, state: WithOpenCalls<SessionState>): Promise<readonly Draft[]> {
    const action = { ...due, input: { ...due.input, input } }
    return agentsPerformer(agentsKitOf(this.#kit, { state }))(action, NEVER_ABORTED)
  }

  #hashOf(defined: ToolDefinition): string {
    const known = this.#definitionHashes.get(defined)
    if (known !== undefined) return known
    const hash = definitionHash(defined)
    this.#definitionHashes.set(defined, hash)
    return hash
  }

  async #intend(
    state: SessionState,
    id: string,
    { tool, text, artifact, removed, call, agent }: CleanedCall,
  ): Promise<Draft> {
    const { ports, define } = this.#kit
    const defined = define(tool)
    const definition = this.#hashOf(defined)
    const isKnown = state.learned.get(tool) === definition
    const definitionArtifacts = isKnown
      ? []
      : [await storeText(ports, `${tool}.json`, definitionText(defined))]
    return this.#say('tool_intent_signed', {
      ...{ action: `intent/${id}/1`, intent: id, proposal: PROPOSAL, step: null, tool },
      ...{ definition, input_hash: artifact.hash, risk: 'high', revises: null },
      ...{ justification: 'the host is about to make this call', call: call ?? `${id}-call` },
      quote: beginningOf(text),
      ...(agent && { agent_id: shortName(agent) }),
      ...(removed > 0 && { secrets_removed: removed }),
      artifacts: [artifact, ...definitionArtifacts],
    })
  }

  #void({ id: action }: Action, { id }: Intent, expires: string): Draft {
    const invalidated = { why: 'expired', reason: `an approval ended at ${expires}` }
    return this.#say('approval_voided', { action, intent: id, ...invalidated })
  }

  #start({ id: action }: Action, intent: Intent, { call }: HostCall): Draft {
    const { id, approvals, inputHash: input_hash, definition } = intent
    return this.#say('tool_execution_started', {
      ...{ action, intent: id, approvals: approvals.map(({ hash }) => hash) },
      ...{ input_hash, definition, call: call ?? `${id}-call` },
    })
  }

  #say(type: keyof Payloads, payload: object): Draft {
    return draftBy(this.#kit.registrar, type, 'executor', 'executor', payload)
  }
}

const NEVER_ABORTED = new AbortController().signal

/** In characters; one may be two code units long. */
const beginningOf = (text: string): string => [...text.slice(0, 2 * QUOTED)].slice(0, QUOTED).join('')

const nextId = ({ intents }: SessionState): string => `${PROPOSAL}-i${intents.size + 1}`

/** Nothing else is said along: what closes a session needs all of it on record. */
const isJudging = ({ id, call }: Action, intent: string): boolean =>
  call === 'record' && (id.startsWith(`assess/${intent}/`) || id.startsWith(`judge/${intent}/`))

const isStartOf = ({ id }: Action, intent: string): boolean => id.startsWith(`start/${intent}/`)

/** An intent of the same call that was not started: denied for want of an answer, perhaps approved since. */
function unstartedIntent(state: SessionState, { tool, artifact }: CleanedCall): Intent | undefined {
  return openIntents(state).find(
    (intent) => intent.status === 'signed' && intent.tool === tool && intent.inputHash === artifact.hash,
  )
}
