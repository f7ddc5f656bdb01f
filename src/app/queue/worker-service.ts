// What a worker is told by those who run it as a service: whose home, how much at once, when to stop, and where its log
// goes. The command line fills it in, and the service reads it.

import type { WorkerSettings } from './worker.ts'

/** Runs `witan` with these words in this folder, and gives the trace that it began. */
export type BeginRun = (words: readonly string[], folder: string | null) => Promise<string>

export interface WorkerService extends Omit<WorkerSettings, 'from' | 'tell'> {
  /** How long what runs may continue once it is told to stop. */
  readonly graceMs: number
  /** Where health and figures are asked for; null for nowhere. */
  readonly listen: string | null
  /** Given when it is to stop. */
  readonly signal: AbortSignal
  log(line: string): void
  readonly begin: BeginRun
}

/** Resolves when the worker has stopped. */
export type ServeWorker = (service: WorkerService) => Promise<void>
