// Accountable sessions for programs: bring a task, tools and minds, watch every intent, approval and claim as it is
// signed, get what was proven. A program is the operator: what it hands in is what may be touched.

import { resolve } from 'node:path'
import {
  decideAs,
  logOf,
  type Pending,
  pendingIn,
  type SessionLog,
  type Verdict,
} from '../../app/agents/decide.ts'
import { mindsOf, openSession, type SpokenTask, signersOf } from '../../app/agents/open-session.ts'
import { policyInForce, verifierOf } from '../../app/agents/session-equipment.ts'
import { sessionValue } from '../../app/agents/session-result.ts'
import { hearersOf } from '../../app/agents/tool-consent.ts'
import { homeDirectory } from '../../app/home/home.ts'
import { type House, inVault } from '../../app/home/house.ts'
import { type Begun, driveTrace, RESUME_HERE, type Run, runOf, stoppedEarly } from '../../app/run.ts'
import { agentsPerformer } from '../../clerk/performers/agents/performer.ts'
import type { AskableSeat } from '../../clerk/seat.ts'
import { canonicalize } from '../../ledger/canonical.ts'
import { WitanError } from '../../ledger/errors.ts'
import {
  forbiddenHere,
  LIMITS,
  loadPolicy,
  openTools,
  type PolicyFile,
  type Profile,
  profileFile,
  type Toolset,
} from '../../tools/index.ts'

export type { Evidence } from '../../agents/events.ts'
export type { Confidence } from '../../agents/task.ts'
export type { Pending, Verdict } from '../../app/agents/decide.ts'
export type { SpokenTask } from '../../app/agents/open-session.ts'
export type { WrittenTask } from '../../app/agents/task-schema.ts'
export { type House, inHome, inVault } from '../../app/home/house.ts'
export type { Signer } from '../../app/home/signers.ts'
export type { Run } from '../../app/run.ts'
export type { AskableSeat, SeatAsked, SeatAsking } from '../../clerk/seat.ts'
export type { ToolCall, ToolDefinition, ToolOutcome, Toolset } from '../../tools/index.ts'

/** A task as `task.yaml` says it, without what only a file needs: `spec/agents.md` has every key. */
export type TaskGiven = Omit<
  SpokenTask,
  'workspace' | 'policy' | 'hosts' | 'commands' | 'roots' | 'unconfined' | 'mcp_servers'
>

/** What a session is run with. */
export interface AgentsOptions {
  readonly task: TaskGiven
  /** The folder in which `files.*` may read and write, where no hands are given. */
  readonly workspace?: string
  /** Tools of one's own; they are closed by whoever opened them. Without `task.tools` all of them are offered. */
  readonly toolsets?: Toolset
  /** Which calls need whose consent; by default the profile `default`. */
  readonly policy?: Profile | PolicyFile
  /** Whoever plans, executes or criticises, by the names that the task uses. */
  readonly minds?: Readonly<Record<string, AskableSeat>>
  /**
   * Whether what the tools read may be shown to a provider: `true`, or an answer for each folder and provider. Needed
   * where minds think and tools are offered; there is no terminal here at which anyone could be asked.
   */
  readonly consent?: true | ((folder: string, provider: string) => boolean | Promise<boolean>)
  /**
   * A person's word on what waits for one; null leaves it waiting. Signed with that person's own key, and recorded as
   * given through a host, since no one can see from here who was really asked.
   */
  readonly decide?: (pending: Pending) => Promise<Verdict | null>
  /** Whose word `decide` gives, as a name that can own a key. */
  readonly person?: string
  /** Who runs the session, as a name that can own a key. */
  readonly operator?: string
  /** Where the minutes are kept; by default in memory. */
  readonly house?: House
  /** Stops the session; it can be gone on with where its house outlives it. */
  readonly signal?: AbortSignal
  /** Goes on with this trace of the house instead of beginning a new one. */
  readonly trace?: string
}

/** What a session came to. */
export interface AgentsResult extends ReturnType<typeof sessionValue> {
  /** What waits for a person; empty when it is over. */
  readonly waiting: readonly Pending[]
}

async function filesIn(folder: string): Promise<Toolset> {
  const { withoutSecrets } = await import('../../context/clean.ts')
  const bounds = {
    roots: [{ name: 'workspace', path: folder, write: true }],
    hosts: [],
    commands: [],
    tools: ['files.*'],
    scripts: false,
    network: false,
    unconfined: false,
    limits: LIMITS,
  }
  const clean = async (text: string) => {
    const cleaned = await withoutSecrets(text)
    return { text: cleaned.text, removed: cleaned.removed.length }
  }
  return openTools({ bounds, forbidden: forbiddenHere(homeDirectory(null)), clean })
}

type Minds = ReadonlyMap<string, AskableSeat>

function mindsGiven({ task, minds = {} }: AgentsOptions): Minds {
  const missing = mindsOf(task).find((name) => !Object.hasOwn(minds, name))
  if (missing === undefined) return new Map(Object.entries(minds))
  const next = 'Give it a seat under minds, or write the plan into the task.'
  throw new WitanError(
    'CONFIG_INVALID',
    `the task wants ${missing} to think, and no such mind is given`,
    next,
  )
}

/** Refused before anything is recorded. */
async function refuseUnallowed(
  { task, consent }: AgentsOptions,
  folder: string,
  minds: Minds,
): Promise<void> {
  if (consent === true) return
  const used = mindsOf(task).flatMap((name) => minds.get(name) ?? [])
  for (const provider of hearersOf(used, null)) {
    if (await consent?.(folder, provider)) continue
    const next = 'Give consent: true, or a function that says which folder may be shown to which provider.'
    throw new WitanError('USAGE', `nothing says that ${folder} may be shown to ${provider}`, next)
  }
}

async function begin(options: AgentsOptions): Promise<Begun<AgentsResult>> {
  const { policy: named = 'default', operator = 'operator', person = 'person', signal, decide } = options
  const minds = mindsGiven(options)
  const house = options.house ?? (await inVault())
  const { ports } = house
  const workspace = options.workspace ?? process.cwd()
  const toolsets = options.toolsets ?? (await filesIn(workspace))
  const offered = await toolsets.tools(signal ?? AbortSignal.timeout(60_000))
  const task = { ...options.task, tools: options.task.tools ?? offered.map(({ name }) => name) }
  if (task.tools.length > 0) await refuseUnallowed(options, resolve(workspace), minds)
  const files = { operator: [typeof named === 'string' ? await profileFile(named) : named], task: [] }
  const policy = await loadPolicy(files)
  const registrar = await house.employ([
    ...signersOf(operator, task),
    ...(decide ? [{ agent: person, roles: ['critic'] }] : []),
  ])
  const inForce = {
    hash: policy.hash,
    text: canonicalize(files),
    viaHost: decide !== undefined,
    fallback: true,
  }
  const log: SessionLog =
    options.trace === undefined
      ? await openSession({ ports }, registrar, { task, operator, offered, policy: inForce })
      : await logOf(ports, options.trace)
  const { registrars } = registrar.log.state
  const perform = agentsPerformer({
    ports,
    registrar,
    log,
    toolsets,
    minds,
    policy: policyInForce(policy, offered, workspace),
    verify: verifierOf({ ports }, registrars),
  })

  /** True when a word was given that may let the session go on. */
  async function decided(): Promise<boolean> {
    for (const pending of decide ? pendingIn(log) : []) {
      const verdict = await decide?.(pending)
      if (!verdict) continue
      const actor = registrar.actor(person, 'critic')
      await decideAs({ actor, via: 'host', ports }, log.trace, pending.subject, verdict)
      await log.refresh()
      return true
    }
    return false
  }

  const work = async (): Promise<AgentsResult> => {
    try {
      for (;;) {
        const end = await driveTrace({ ports, registrar, log, perform, signal })
        if (end.status === 'interrupted') throw stoppedEarly(log.trace, RESUME_HERE)
        if (end.status === 'finished' || !(await decided())) break
      }
      const waiting = log.protocol.finished(log.state) ? [] : pendingIn(log)
      return { ...sessionValue(log.trace, log.state.inner), waiting }
    } finally {
      if (!options.toolsets) await toolsets.close()
    }
  }
  return { ports, trace: log.trace, work }
}

/**
 * Carries out a task: plan, consent, act, claim, audit, each a signed event.
 *
 * @example
 * ```ts
 * const session = agents({
 *   workspace: '.',
 *   task: {
 *     objective: 'Say which licence this is',
 *     proposals: [{
 *       objective: 'Read it',
 *       steps: [{ id: 'read', tool: 'files.read', input: { path: 'LICENSE' }, justification: 'it is written there' }],
 *       claims: [{ text: 'It is Apache 2.0', confidence: 'high', evidence: [{ step: 'read', quote: 'Apache License' }] }],
 *     }],
 *   },
 * })
 * for await (const event of session) console.log(event.type)
 * console.log((await session.result).proven)
 * ```
 */
export const agents = (options: AgentsOptions): Run<AgentsResult> => runOf(begin(options))
