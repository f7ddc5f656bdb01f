// The port to the queue: which traces are to be driven, which worker drives each, and their state. A queue knows traces by their ids
// alone; what was said and done in them is the ledger's, and where the two differ, the ledger is right.

import type { KeyRequest } from '../ledger/signing.ts'

export const QUEUE_STATES = [
  'waiting',
  'offered',
  'running',
  'parked',
  'done',
  'set aside',
  'cancelled',
] as const

/**
 * `waiting` for a slot, `offered` to workers, `running` on one, `parked` until the trace grows, `done`, `set aside` after
 * too many failures, or `cancelled`.
 */
export type QueueState = (typeof QUEUE_STATES)[number]

/** A trace to be driven. */
export interface NewItem {
  readonly trace: string
  readonly protocol: string
  /** Who shares the workers evenly with the others. */
  readonly tenant: string
  /** Only workers with this tag may drive it; null for any. */
  readonly tag: string | null
  /** What a worker needs beside the trace; no secrets. */
  readonly details: QueueDetails
}

export interface QueueDetails {
  /** How long a model may be silent, where it was said with the request. */
  readonly timeoutMs?: number
  /** Where the task of a session lies, and what it holds: a worker that runs it has the same file there. */
  readonly task?: { readonly file: string; readonly sha256: string }
}

export interface QueueItem extends NewItem {
  readonly state: QueueState
  /** The name of the worker that drives it, or did last. */
  readonly worker: string | null
  /** How many workers were lost while they drove it. */
  readonly losses: number
  /** How often driving it failed. */
  readonly failures: number
  readonly error: string | null
  readonly enqueued: string
  readonly changed: string
  readonly usd: number | null
  /** How many of its events were looked through for what they cost. */
  readonly counted: number
}

/** A worker that is there. */
export interface QueueWorker {
  readonly pool: string
  readonly name: string
  readonly version: string
  readonly slots: number
  readonly running: number
  readonly tags: readonly string[]
  readonly started: string
  readonly beat: string
  /** For how many seconds it was not heard of, by the clock of the server. */
  readonly silent: number
  readonly stopping: boolean
}

/** A run at set times. */
export interface Schedule {
  readonly name: string
  readonly cron: string
  readonly timezone: string
  /** What follows `witan`. */
  readonly words: readonly string[]
  /** Where it is begun; null for where the worker is. */
  readonly folder: string | null
  readonly tenant: string
  readonly tag: string | null
  readonly nextAt: string
  readonly lastAt: string | null
  readonly lastTrace: string | null
  readonly error: string | null
}

/** A provider that no worker asks for now, because it told one of them to slow down. */
export interface HeldProvider {
  readonly provider: string
  readonly transport: string
  readonly until: string
  /** The name of the worker that was told last. */
  readonly worker: string
  /** How often it said so since it was first heard. */
  readonly times: number
}

/** What a tenant may use; null for no limit. */
export interface TenantLimits {
  readonly slots: number | null
  readonly usdPerDay: number | null
}

/** A tenant with limits, and how much of them it uses. */
export interface LimitedTenant extends TenantLimits {
  readonly tenant: string
  /** How many of its traces run or are offered. */
  readonly running: number
  /** What its traces cost within the last day, as far as prices are known. */
  readonly usd: number
}

/** What became of driving a trace as far as it goes now. */
export type DriveEnd =
  | { readonly as: 'finished' }
  /** It waits for someone since it had this many events. */
  | { readonly as: 'parked'; readonly size: number }
  /** It was told to stop; another worker goes on. */
  | { readonly as: 'interrupted' }

/** What events cost, and how often models were asked in them. */
export interface RecordedUse {
  /** Null where no price is known. */
  readonly usd: number | null
  readonly asked: ModelUse
}

export interface ModelUse {
  readonly calls: number
  readonly inputTokens: number
  readonly outputTokens: number
}

export interface WorkerOptions {
  readonly name: string
  readonly version: string
  readonly slots: number
  readonly tags: readonly string[]
  /** Makes known that the worker of this id is there, until the returned function is called or the process ends. */
  attend(pool: string): Promise<() => Promise<void>>
  drive(item: QueueItem, signal: AbortSignal): Promise<DriveEnd>
  /** What was recorded in it since it was last counted, and how many events it has now. */
  count(item: QueueItem): Promise<RecordedUse & { readonly size: number }>
  /** Hears what happens, for logs and figures. */
  tell(event: WorkerEvent): void
}

/** Since when it waits for a worker, as it was offered. One that was begun before waits since it was woken or taken back. */
export const waitsSince = ({ worker, enqueued, changed }: QueueItem): number =>
  Date.parse(worker === null ? enqueued : changed)

/** What a worker tells while it works. */
export type WorkerEvent =
  | { readonly type: 'registered' | 'lost' | 'stopping' | 'stopped'; readonly pool: string }
  | { readonly type: 'started'; readonly trace: string; readonly waitedMs: number }
  | ({
      readonly type: 'ended'
      readonly trace: string
      readonly as: DriveEnd['as']
      readonly ms: number
    } & Partial<RecordedUse>)
  | ({
      readonly type: 'failed'
      readonly trace: string
      readonly error: string
      readonly setAside: boolean
    } & Partial<RecordedUse>)
  | { readonly type: 'swept'; readonly workers: readonly string[]; readonly traces: number }
  | { readonly type: 'trouble'; readonly error: string }

/** A worker at work. */
export interface Working {
  /** Whether it is registered and was heard of lately. */
  readonly isReady: boolean
  readonly running: number
  /** Before a call that costs or changes something: rejects when others were told that this worker is gone. */
  confirm(): Promise<void>
  /** Takes nothing new; what is under way may go on for so long, then it is handed over. */
  stop(graceMs: number): Promise<void>
}

export type { KeyRequest } from '../ledger/signing.ts'

export interface Queue {
  /** Adds it, or takes up again what was done, set aside or cancelled. What is in the queue stays as it is. */
  enqueue(item: NewItem): Promise<QueueState>
  find(trace: string): Promise<QueueItem | null>
  /** Those in these states, all by default; the newest first. */
  list(states?: readonly QueueState[]): Promise<readonly QueueItem[]>
  /** False when it was not in the queue. */
  cancel(trace: string): Promise<boolean>
  /** False when it was neither set aside nor cancelled. */
  retry(trace: string): Promise<boolean>
  /** Removes what is known of these, save those that are still to be driven. */
  forget(traces: readonly string[]): Promise<void>
  workers(): Promise<readonly QueueWorker[]>
  /** How many are in each state, and for how many seconds the oldest of them was not driven, or has been as it is. */
  figures(): Promise<readonly { readonly state: string; readonly count: number; readonly oldest: number }[]>
  limitTenant(tenant: string, limits: TenantLimits): Promise<void>
  limitedTenants(): Promise<readonly LimitedTenant[]>
  /** No worker asks this provider over this transport for so long, at most five minutes. */
  holdProvider(hold: Pick<HeldProvider, 'provider' | 'transport' | 'worker'>, ms: number): Promise<void>
  /** For how many milliseconds it is not to be asked; a little longer for some than for others. */
  heldMs(provider: string, transport: string): Promise<number>
  /** Those that are held back now. */
  heldProviders(): Promise<readonly HeldProvider[]>
  /** False when there is one of that name. */
  addSchedule(schedule: Schedule): Promise<boolean>
  schedules(): Promise<readonly Schedule[]>
  removeSchedule(name: string): Promise<boolean>
  /** Those whose time has come, for a worker with these tags. */
  due(tags: readonly string[]): Promise<readonly Schedule[]>
  /** True for the one who is to begin it; then it is due again at `following`. */
  beginScheduled(schedule: Schedule, following: string): Promise<boolean>
  endScheduled(
    name: string,
    ended: { readonly trace: string | null; readonly error: string | null },
  ): Promise<void>
  requestKey(request: KeyRequest): Promise<void>
  /** Requests without an answer. */
  keyRequests(): Promise<readonly KeyRequest[]>
  answerRequest(id: string, error: string | null): Promise<void>
  /** Why it was refused; null when it was not. */
  refusal(id: string): Promise<string | null>
  /** Finished traces that are not sealed yet. */
  unsealed(): Promise<readonly string[]>
  sealed(trace: string): Promise<void>
  work(options: WorkerOptions): Promise<Working>
  close(): Promise<void>
}
