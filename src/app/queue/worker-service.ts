// The options of a worker that runs as a service: which home, how much at once, when to stop, and where its
// log goes. The command line fills them in, and the service reads them.

import type { WorkerSettings } from './worker.ts'

/** Runs `witan` with these arguments in this folder, and returns the trace that it began. */
export type BeginRun = (words: readonly string[], folder: string | null) => Promise<string>

export interface WorkerService extends Omit<WorkerSettings, 'from' | 'tell'> {
  /** How long runs may continue after a request to stop. */
  readonly graceMs: number
  /** Where health and metrics are served; null for nowhere. */
  readonly listen: string | null
  /** Aborted when it is to stop. */
  readonly signal: AbortSignal
  log(line: string): void
  readonly begin: BeginRun
}

/** Resolves when the worker has stopped. */
export type ServeWorker = (service: WorkerService) => Promise<void>
