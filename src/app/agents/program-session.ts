// Turns what a program passes into a running session. The program is the operator: it decides what may be
// accessed, and there is no terminal to ask at.

import { resolve } from 'node:path'
import { agentsProtocol } from '../../agents/agents.ts'
import type { Payloads } from '../../agents/events.ts'
import { type Pending, resultOf, type SessionResult } from '../../agents/result.ts'
import { forkTrace } from '../../clerk/fork.ts'
import type { Registrar } from '../../clerk/registrar.ts'
import type { AskableSeat } from '../../clerk/seat.ts'
import { canonicalize } from '../../ledger/canonical.ts'
import { WitanError } from '../../ledger/errors.ts'
import {
  forbiddenHere,
  LIMITS,
  openTools,
  type PolicyFile,
  type Profile,
  profileFile,
  type ToolDefinition,
  type Toolset,
} from '../../tools/index.ts'
import { openPolicy } from '../../tools/policy/parsed-policy.ts'
import { homeDirectory } from '../home/home.ts'
import { type ConsentGiven, requireConsent } from '../person.ts'
import { type EventIn, RESUME_HERE, type Run, runOf, stoppedEarly } from '../run.ts'
import { inStore, type Storage } from '../storage.ts'
import { decideAs, openLog, type SessionLog, type Verdict } from './decide.ts'
import {
  actingCritics,
  mindsOf,
  namedRoles,
  openSession,
  signersOf,
  type TaskOnRecord,
} from './open-session.ts'
import { verifierOf } from './own-audit.ts'
import { type PendingShown, showPending } from './pending-shown.ts'
import { proposeByHand } from './propose.ts'
import { type Session, sessionOf } from './session.ts'
import { policyInForce } from './session-equipment.ts'
import type { WrittenProposal } from './task-schema.ts'
import { recipientsOf } from './tool-consent.ts'

export type { AskableSeat, SeatAsked, SeatAsking } from '../../clerk/seat.ts'
export type { ToolCall, ToolDefinition, ToolOutcome, Toolset } from '../../tools/index.ts'

/** A task as in `task.yaml`, without what only a file needs: `spec/agents.md` has every key. */
export type TaskGiven = Omit<
  TaskOnRecord,
  'workspace' | 'policy' | 'hosts' | 'commands' | 'roots' | 'unconfined' | 'mcp_servers'
>

/** Options of a session. */
export interface AgentsOptions {
  readonly task: TaskGiven
  /** The folder in which `files.*` may read and write, where no tools are given. */
  readonly workspace?: string
  /** Tools of your own; the caller closes them. Without `task.tools` all of them are offered. */
  readonly toolsets?: Toolset
  /** Which calls need which approval; by default the profile `default`. */
  readonly policy?: Profile | PolicyFile
  /** The models that plan, execute or criticise, by the names that the task uses. */
  readonly minds?: Readonly<Record<string, AskableSeat>>
  /**
   * Whether output of tools may be shown to a provider: `true`, or an answer for each folder and provider.
   * Required where models think and tools are offered; there is no terminal to ask at.
   */
  readonly consent?: ConsentGiven
  /**
   * A person's decision on a pending item; null leaves it pending. Signed with that person's own key, and recorded
   * as given through a host, since it is unknown here who was really asked.
   */
  readonly decide?: (pending: PendingShown) => Promise<Verdict | Revision | null>
  /** Whose decision `decide` returns, as a name that can own a key. */
  readonly person?: string
  /** Who runs the session, as a name that can own a key. */
  readonly operator?: string
  /** Where traces are kept; by default in memory. */
  readonly storage?: Storage
  /** Stops the session; it can be resumed if its storage persists. */
  readonly signal?: AbortSignal
  /** Continues this trace of the storage instead of beginning a new one. */
  readonly trace?: string
}

/** A proposal by hand, where a session waits for one: all were rejected, or a step of a written plan was blocked. */
export interface Revision {
  readonly as: 'propose'
  readonly proposal: WrittenProposal
}

/** The outcome of a session. */
export interface AgentsResult extends SessionResult {
  /** Pending decisions; empty when it is over. */
  readonly waiting: readonly Pending[]
}

/** A running session: its typed events, and its result. */
export type SessionRun = Run<AgentsResult, EventIn<Payloads>>

const OPERATOR = 'operator'
const PERSON = 'person'

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
  const used = mindsOf(task).flatMap((name) => minds.get(name) ?? [])
  await requireConsent(consent, { name: folder, words: folder }, recipientsOf(used, null))
}

async function readPolicy({ policy: named = 'default' }: AgentsOptions) {
  const files = { operator: [typeof named === 'string' ? await profileFile(named) : named], task: [] }
  return { policy: await openPolicy(files), text: canonicalize(files) }
}

interface Opening {
  readonly storage: Storage
  readonly registrar: Registrar
  readonly task: TaskOnRecord
  readonly offered: readonly ToolDefinition[]
  readonly policy: { readonly hash: string; readonly text: string }
}

const opened = async (
  { operator = OPERATOR, decide, trace, minds = {} }: AgentsOptions,
  { storage, registrar, task, offered, policy: { hash, text } }: Opening,
): Promise<SessionLog> => {
  const { ports } = storage
  if (trace !== undefined) return openLog(ports, trace)
  const policy = { hash, text, viaHost: decide !== undefined, fallback: true }
  const { planner, executor, critics } = namedRoles(task)
  const acting = actingCritics(critics, [planner, executor], new Map(Object.entries(minds)))
  return (await openSession({ ports }, registrar, { task, operator, offered, policy, acting })).log
}

interface Worked {
  readonly storage: Storage
  readonly registrar: Registrar
  readonly session: Session
}

async function begin(
  options: AgentsOptions,
  open: (opening: Opening) => Promise<SessionLog>,
): Promise<Worked> {
  const { operator = OPERATOR, person = PERSON, decide, signal } = options
  const minds = mindsGiven(options)
  const storage = options.storage ?? (await inStore())
  const { ports } = storage
  const workspace = options.workspace ?? process.cwd()
  const toolsets = options.toolsets ?? (await filesIn(workspace))
  const close = async () => {
    if (!options.toolsets) await toolsets.close()
  }
  try {
    const offered = await toolsets.tools(signal ?? AbortSignal.timeout(60_000))
    const task = { ...options.task, tools: options.task.tools ?? offered.map(({ name }) => name) }
    if (task.tools.length > 0) await refuseUnallowed(options, resolve(workspace), minds)
    const { policy, text } = await readPolicy(options)
    const registrar = await storage.registerSigners([
      ...signersOf(operator, task),
      ...(decide ? [{ agent: person, roles: ['critic'] }] : []),
    ])
    const log = await open({ storage, registrar, task, offered, policy: { hash: policy.hash, text } })
    const verify = verifierOf({ ports }, registrar.log.state.registrars)
    const inForce = policyInForce(policy, { offered, toolsets }, workspace)
    const kit = { ports, registrar, minds, toolsets, policy: inForce, verify }
    return { storage, registrar, session: sessionOf({ log, kit, home: null, close }) }
  } catch (error) {
    await close()
    throw error
  }
}

/** True when a decision was made that may let the session continue. */
async function decided(
  { decide, person = PERSON, workspace = process.cwd(), toolsets }: AgentsOptions,
  { storage, registrar, session }: Worked,
): Promise<boolean> {
  // Where the tools are foreign, it is unknown here where they would write.
  const from = { workspace: toolsets ? null : workspace, store: storage.ports.store }
  for (const pending of decide ? session.pending() : []) {
    const verdict = await decide?.(await showPending(pending, session.state, from))
    if (!verdict) continue
    if (verdict.as === 'propose') {
      const byHand = { file: verdict.proposal, revises: null, means: async () => 'host' as const }
      await proposeByHand(storage, session.trace, byHand)
      return true
    }
    const actor = registrar.actor(person, 'critic')
    const decider = { actor, via: 'host', ports: storage.ports } as const
    await decideAs(decider, session.trace, pending.subject, verdict)
    return true
  }
  return false
}

/** Until it is over, or has a pending decision that `decide` leaves open; then it is closed. */
export async function workOn(
  session: Session,
  signal: AbortSignal | undefined,
  decides: () => Promise<boolean>,
): Promise<AgentsResult> {
  const { trace } = session
  try {
    for (;;) {
      const end = await session.drive({ signal })
      if (end.status === 'interrupted') throw stoppedEarly(trace, RESUME_HERE)
      const isOver = end.status === 'finished'
      if (!isOver && (await decides())) continue
      return { ...resultOf(trace, session.state), waiting: isOver ? [] : session.pending() }
    }
  } finally {
    await session.close()
  }
}

const running = (options: AgentsOptions, open: (opening: Opening) => Promise<SessionLog>): SessionRun =>
  runOf(
    begin(options, open).then((worked) => ({
      ports: worked.storage.ports,
      trace: worked.session.trace,
      work: () => workOn(worked.session, options.signal, () => decided(options, worked)),
    })),
  )

/** A new session, or one that is resumed where `trace` names it. */
export const runSession = (options: AgentsOptions): SessionRun =>
  running(options, (opening) => opened(options, opening))

/** A new session that begins in the state of another after one of its events. */
export const runFork = (
  parent: string,
  { after, ...options }: Omit<AgentsOptions, 'trace'> & { readonly after: number },
): SessionRun =>
  running(options, ({ storage: { ports }, registrar }) => {
    const actor = registrar.actor(options.operator ?? OPERATOR, 'operator')
    return forkTrace(ports, agentsProtocol(ports.sha256), { parent, seq: after }, actor)
  })

/** Ends a session of a storage early; recorded and permanent. */
export async function abortIn(
  { ports, registerSigners }: Storage,
  trace: string,
  { operator = OPERATOR, reason }: { readonly operator?: string; readonly reason: string },
): Promise<SessionResult> {
  const registrar = await registerSigners([{ agent: operator, roles: ['operator'] }])
  const log = await openLog(ports, trace)
  const actor = registrar.actor(operator, 'operator')
  await log.append([{ type: 'session_aborted', actor, payload: { reason, via: 'none' } }])
  return resultOf(trace, log.state.inner)
}
