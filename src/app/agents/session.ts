// A running session, the same for every entrance: opened, resumed, forked or aborted, and driven until it is
// over or waits for a person. Its tools and models are opened before its first event and closed with it.

import { agentsProtocol } from '../../agents/agents.ts'
import { awaitsRevision } from '../../agents/proposal-progress.ts'
import { type Pending, resultOf, type SessionOutcome } from '../../agents/result.ts'
import type { SessionState } from '../../agents/state.ts'
import { forkTrace } from '../../clerk/fork.ts'
import { agentsPerformer } from '../../clerk/performers/agents/performer.ts'
import type { AgentsKit } from '../../clerk/performers/agents/ports.ts'
import type { Registrar } from '../../clerk/registrar.ts'
import type { AskableSeat } from '../../clerk/seat.ts'
import type { Settings } from '../config/config.ts'
import type { CouncilTable } from '../council/council-table.ts'
import { keepTask } from '../home/files.ts'
import type { Home } from '../home/home.ts'
import { personName, registerSigners, type Signer } from '../home/signers.ts'
import { type Person, withoutTypedSecrets } from '../person.ts'
import { type Driven, driveTrace, type RunEnd } from '../run.ts'
import { openLog, pendingIn, type SessionLog } from './decide.ts'
import {
  actingCritics,
  isMachineCritic,
  mindsOf,
  namedRoles,
  openSession,
  signersOf,
} from './open-session.ts'
import { commandsFor, listDeciders, shownFrom } from './pending.ts'
import { showPending } from './pending-shown.ts'
import { mindsFor, openSessionEquipment, type SessionEquipment } from './session-equipment.ts'
import { findTask, refuseMisfits, type TaskFile } from './task-file.ts'
import { askToShow } from './tool-consent.ts'

export type { Pending, SessionOutcome } from '../../agents/result.ts'

interface SessionDriving extends Pick<Driven<unknown>, 'signal' | 'hear' | 'grace'> {
  /** Called with text that models write, while they write it. */
  readonly speaks?: AgentsKit['speaks']
}

export interface Session {
  readonly trace: string
  /** The current state. */
  readonly state: SessionState
  /** How many secrets were removed from the text of its task. */
  readonly removed: number
  /** Limits that are set but not enforced as set, as text; null when there are none. */
  readonly unheld: string | null
  /** All pending decisions of a person. */
  pending(): readonly Pending[]
  /** From its current state. Each event is delivered once, of a resumed session only new ones. */
  drive(options?: SessionDriving): Promise<RunEnd>
  /** How far it came. */
  outcome(end: RunEnd): Promise<SessionOutcome>
  close(): Promise<void>
}

/** How a session is run on this machine. */
export interface Manner {
  /** The settings that apply here. */
  readonly settings: () => Promise<Settings>
  readonly person: Person
  /** Consent to show output of tools to models was given with the request. */
  readonly consented: boolean
  /** In a demo: models that answer from a script; the opening says so. */
  readonly scripted?: () => Promise<ReadonlyMap<string, AskableSeat>>
}

/** What drives a session: everything except its current state. */
type SessionKit = Omit<AgentsKit, 'log'>

const finishedEnd = ({ size }: SessionLog): RunEnd => ({
  status: 'finished',
  parked: [],
  discarded: [],
  checkpoint: null,
  size,
})

async function makeOutcome(log: SessionLog, end: RunEnd, home: Home | null): Promise<SessionOutcome> {
  const { trace, flaw } = log
  const state = log.state.inner
  if (flaw) return { kind: 'unsound', trace, reason: flaw.message }
  if (end.status === 'finished') return { kind: 'over', trace, state, result: resultOf(trace, state) }
  const deciders = home ? await listDeciders(home) : undefined
  const from = home ? await shownFrom(home, trace) : { workspace: null, store: null }
  const pending = await Promise.all(pendingIn(log).map((one) => showPending(one, state, from)))
  const proof = state.task?.policy.approval_proof
  const commands = [...new Set(pending.flatMap((one) => commandsFor({ ...one, trace }, deciders, proof)))]
  return {
    kind: 'waiting',
    trace,
    state,
    pending,
    parked: end.parked,
    commands,
    rejected: awaitsRevision(state),
  }
}

export interface SessionParts {
  readonly log: SessionLog
  /** Null where it is over. */
  readonly kit: SessionKit | null
  /** Where deciders have their keys; null where a program keeps its own. */
  readonly home: Home | null
  readonly removed?: number
  readonly unheld?: string | null
  close(): Promise<void>
}

export function sessionOf({ log, kit, home, removed = 0, unheld = null, close }: SessionParts): Session {
  let hearWords: AgentsKit['speaks']
  const speaks: AgentsKit['speaks'] = (speaking) => {
    hearWords?.(speaking)
    kit?.ports.tell?.(log.trace, speaking.action, speaking.words)
  }
  const perform = kit && agentsPerformer({ ...kit, log, speaks })
  let isFirst = true
  return {
    trace: log.trace,
    get state() {
      return log.state.inner
    },
    removed,
    unheld,
    pending: () => pendingIn(log),
    async drive({ speaks: hear, ...options } = {}) {
      if (!kit || !perform) return finishedEnd(log)
      hearWords = hear
      const { ports, registrar } = kit
      if (!isFirst) await log.refresh()
      const from = isFirst && log.size === 1 ? 0 : log.size
      isFirst = false
      return driveTrace({ ...options, ports, registrar, log, perform, from, notifies: home !== undefined })
    },
    outcome: (end) => makeOutcome(log, end, home),
    close,
  }
}

interface SessionModels {
  readonly settings: Settings
  readonly minds: ReadonlyMap<string, AskableSeat>
  /** The seats of a council, where the task has one among its critics. */
  readonly table: CouncilTable | null
  /** Judges whose model also plans or executes. */
  readonly acting: readonly string[]
}

/** Checked before anything is opened: a session without models for its seats is refused. */
async function thinkersFor(task: TaskFile, manner: Manner): Promise<SessionModels> {
  const settings = await manner.settings()
  const minds = await (manner.scripted?.() ?? mindsFor(mindsOf(task), settings, AbortSignal.timeout(30_000)))
  const { planner, executor, critics } = namedRoles(task)
  const actors = [planner, executor].filter((name) => minds.has(name))
  const acting = actingCritics(critics, actors, minds)
  if (!critics.includes('council')) return { settings, minds, table: null, acting }
  const { criticTable } = await import('./council-critic.ts')
  const criticSeats = await criticTable(settings, AbortSignal.timeout(30_000), actors)
  return {
    settings,
    minds,
    table: criticSeats.table,
    acting: [...acting, ...criticSeats.acting.map((id) => `council/${id}`)],
  }
}

async function councilFor(home: Home, log: SessionLog, { settings, table }: SessionModels) {
  if (table === null) return {}
  const { councilCritic } = await import('./council-critic.ts')
  return { council: councilCritic(home, log, settings, table) }
}

interface Equipment {
  readonly registrar: Registrar
  readonly bench: SessionEquipment
  readonly acting: readonly string[]
}

/**
 * The person at the keyboard may decide in a session that they run, with the proof that the policy requires.
 * Someone whose key for that was revoked does not get a new one this way.
 */
async function signersIn(home: Home, operator: string, task: TaskFile): Promise<readonly Signer[]> {
  const signers = signersOf(operator, task)
  const { keys } = (await home.registrar()).log.state
  const decides = [...keys.values()].some(
    ({ agent, roles }) => agent === operator && roles.includes('critic'),
  )
  if (operator !== personName() || decides || isMachineCritic(operator)) return signers
  return signers.map((signer) =>
    signer.agent === operator ? { agent: operator, roles: [...signer.roles, 'critic'] } : signer,
  )
}

/** With everyone who signs in a session of this task, and with its tools, which are closed with the session. */
async function equipped(
  home: Home,
  task: TaskFile,
  how: Manner & { readonly operator: string; readonly command: string },
  open: (equipment: Equipment) => Promise<{ readonly log: SessionLog; readonly removed?: number }>,
): Promise<Session> {
  const thinkers = await thinkersFor(task, how)
  const bench = await openSessionEquipment(home, task, thinkers.settings)
  try {
    const { person, consented, command } = how
    await askToShow(home.directory, { task, bench, ...thinkers }, { person, consented, command })
    const registrar = await registerSigners(home, await signersIn(home, how.operator, task))
    const { log, removed = 0 } = await open({ registrar, bench, acting: thinkers.acting })
    const { ports } = home
    const { minds } = thinkers
    const { toolsets, policy, verify } = bench
    const council = await councilFor(home, log, thinkers)
    const kit = { ports, registrar, minds, toolsets, policy, verify, ...council }
    const { unheld } = bench
    return sessionOf({ log, kit, home, removed, unheld, close: () => bench.close() })
  } catch (error) {
    await bench.close()
    throw error
  }
}

/** Begins a task. `operator` opens the session: the person at the keyboard, or a name that is not a person's. */
export function beginSession(
  home: Home,
  task: TaskFile,
  { operator = personName(), ...how }: Manner & { readonly operator?: string },
): Promise<Session> {
  const command = `witan agents run ${task.file} --yes`
  return equipped(home, task, { ...how, operator, command }, async ({ registrar, bench, acting }) => {
    const { operator: granted, offered, policy, policyText: text } = bench
    await refuseMisfits(task, offered)
    const { viaHost, fallback, proof, unproven } = granted
    const inForce = { hash: policy.hash, text, viaHost, fallback, proof, unproven }
    const scripted = how.scripted !== undefined
    const opening = { task, operator, offered, policy: inForce, acting, scripted }
    const { log, removed } = await openSession(home, registrar, opening)
    await keepTask(home.directory, log.trace, task.file)
    return { log, removed }
  })
}

/** `task`: the file of the task, where this home does not know it. */
export type ResumeOptions = Manner & { readonly task: string | null }

/** The models of a demo that is resumed. */
async function readScript({ state }: SessionLog): Promise<Pick<Manner, 'scripted'>> {
  if (!state.inner.task?.scripted) return {}
  const { scriptedMinds } = await import('../demo/agents-script.ts')
  return { scripted: () => scriptedMinds(1) }
}

/** Continues a session. A finished one needs none of its tools and models. */
export async function resumeSession(home: Home, trace: string, how: ResumeOptions): Promise<Session> {
  const log = await openLog(home.ports, trace)
  if (log.flaw || log.protocol.finished(log.state)) {
    return sessionOf({ log, kit: null, home, close: async () => undefined })
  }
  const task = await findTask(home.directory, trace, how.task)
  const command = `witan resume ${trace} --yes`
  const manner = { ...how, ...(await readScript(log)), operator: personName(), command }
  return equipped(home, task, manner, async () => ({ log }))
}

/** From an event of another session: intents that were not started there are void, started ones wait for a person. */
export async function forkSession(
  home: Home,
  trace: string,
  { after, ...how }: ResumeOptions & { readonly after: number },
): Promise<Session> {
  const task = await findTask(home.directory, trace, how.task)
  const operator = personName()
  const scripted = await readScript(await openLog(home.ports, trace))
  const command = `witan fork ${trace} --after ${after} --yes`
  return equipped(home, task, { ...how, ...scripted, operator, command }, async ({ registrar }) => {
    const protocol = agentsProtocol(home.ports.sha256)
    const actor = registrar.actor(operator, 'operator')
    const log = await forkTrace(home.ports, protocol, { parent: trace, seq: after }, actor)
    await keepTask(home.directory, log.trace, task.file)
    return { log }
  })
}

/** How the end was requested, and why. */
export interface Aborting {
  readonly reason: string
  readonly via: 'terminal' | 'console' | 'host' | 'none'
}

/** Ends a session early; recorded and permanent. */
export async function abortSession(home: Home, trace: string, aborting: Aborting): Promise<SessionOutcome> {
  const registrar = await registerSigners(home, [{ agent: personName(), roles: ['operator'] }])
  const log = await openLog(home.ports, trace)
  const actor = registrar.actor(personName(), 'operator')
  const { value: payload } = await withoutTypedSecrets({ ...aborting })
  await log.append([{ type: 'session_aborted', actor, payload }])
  return makeOutcome(log, finishedEnd(log), home)
}
