// Accountable sessions for programs: pass a task, tools and models, watch every intent, approval and claim as
// it is signed, get what was proven; continue a session, fork it, end it. A program is the operator: it
// decides what may be accessed.

import type { SessionResult } from '../../agents/result.ts'
import {
  type AgentsOptions,
  abortIn,
  runFork,
  runSession,
  type SessionRun,
} from '../../app/agents/program-session.ts'
import {
  forkTask as forkFile,
  resumeTask as resumeFile,
  runTask as runFile,
  type TaskContinuation,
  type TaskOptions,
} from '../../app/agents/run-task.ts'
import type { Storage } from '../../app/storage.ts'

export type { Evidence } from '../../agents/events.ts'
export type { SessionResult } from '../../agents/result.ts'
export type { Conditions, Confidence, Plan } from '../../agents/task.ts'
export type { Pending, Verdict } from '../../app/agents/decide.ts'
/** `SpokenTask` is the earlier name, kept for one release. */
export type { TaskOnRecord, TaskOnRecord as SpokenTask } from '../../app/agents/open-session.ts'
export type { PendingShown } from '../../app/agents/pending-shown.ts'
export type {
  AgentsOptions,
  AgentsResult,
  AskableSeat,
  Revision,
  SeatAsked,
  SeatAsking,
  SessionRun,
  TaskGiven,
  ToolCall,
  ToolDefinition,
  ToolOutcome,
  Toolset,
} from '../../app/agents/program-session.ts'
export type { TaskContinuation, TaskOptions } from '../../app/agents/run-task.ts'
export type { WrittenProposal, WrittenTask } from '../../app/agents/task-schema.ts'
export {
  type AccountableCall,
  type AccountableSession,
  openAccountable,
} from '../../app/attach/accountable.ts'
export type { AccountableOptions } from '../../app/attach/accountable-options.ts'
export { accountable } from '../../app/attach/wrap-tools.ts'
export type { Signer } from '../../app/home/signers.ts'
export type { Answer, ConsentGiven, Person, Sending } from '../../app/person.ts'
export type { EventIn, Run } from '../../app/run.ts'
export { type HomeStorage, inHome, inStore, type Storage } from '../../app/storage.ts'

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
export const agents = (options: AgentsOptions): SessionRun => runSession(options)

/** Continues a session of a storage. Nothing that was done is done again. */
export const resumeSession = (
  trace: string,
  options: Omit<AgentsOptions, 'trace'> & { readonly storage: Storage },
): SessionRun => runSession({ ...options, trace })

/**
 * A new session that begins in the state of another after one of its events. Intents that were not started there
 * are void, started ones wait for a person.
 */
export const forkSession = (
  trace: string,
  options: Omit<AgentsOptions, 'trace'> & { readonly storage: Storage; readonly after: number },
): SessionRun => runFork(trace, options)

/** Ends a session early; recorded and permanent. */
export const abortSession = (
  trace: string,
  { storage, ...how }: { readonly storage: Storage; readonly operator?: string; readonly reason: string },
): Promise<SessionResult> => abortIn(storage, trace, how)

/**
 * Works the task of a file in a home, as `witan agents run` does: tools, hosts, commands, servers and policy are what the
 * file and the settings of the home grant.
 *
 * @example
 * ```ts
 * const storage = await inHome()
 * const run = runTask('task.yaml', { storage, consent: true })
 * for await (const event of run) console.log(event.type)
 * console.log((await run.result).proven, (await run.result).waiting)
 * await storage.close()
 * ```
 */
export const runTask = (file: string, options: TaskOptions): SessionRun => runFile(file, options)

/** Continues the session of a task file. Nothing that was done is done again. */
export const resumeTask = (trace: string, options: TaskContinuation): SessionRun => resumeFile(trace, options)

/** A new session of the same task file that begins in the state of another after one of its events. */
export const forkTask = (trace: string, options: TaskContinuation & { readonly after: number }): SessionRun =>
  forkFile(trace, options)
