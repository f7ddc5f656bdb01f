// Metrics of a worker and of its queue, in the text form of Prometheus. Names of tenants, questions and
// models are not labels: people who may not read the traces may see the metrics.

import { msBetween } from '../ledger/clock.ts'

/** Counted by one worker since it began. */
export interface WorkerFigures {
  readonly ended: Readonly<Record<string, number>>
  readonly failures: number
  readonly setAside: number
  readonly lost: number
  readonly swept: number
  readonly calls: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly usd: number
  readonly running: number
  readonly ready: boolean
  readonly rateLimits: number
  readonly heldMs: number
}

/** The state of the queue. */
export interface QueueFigures {
  readonly states: Readonly<Record<string, number>>
  readonly oldestWaitingSeconds: number
  readonly workers: number
  readonly slots: number
  readonly held: readonly { readonly until: string }[]
}

type Labelled = readonly (readonly [label: string, value: number])[]

function metric(
  name: string,
  type: 'counter' | 'gauge',
  help: string,
  values: Labelled | number,
): readonly string[] {
  const rows =
    typeof values === 'number'
      ? [`${name} ${values}`]
      : values.map(([label, value]) => `${name}{${label}} ${value}`)
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...rows]
}

const labelled = (label: string, counts: Readonly<Record<string, number>>): Labelled =>
  Object.entries(counts).map(([name, count]) => [`${label}="${name}"`, count])

const longestHeld = (providers: QueueFigures['held'], now: string): number =>
  providers.reduce((most, { until }) => Math.max(most, msBetween(now, until) / 1_000), 0)

export function figuresText(worker: WorkerFigures, queue: QueueFigures | null, now: string): string {
  const own = [
    ...metric(
      'witan_worker_ready',
      'gauge',
      'Whether this worker is registered and was heard of lately.',
      worker.ready ? 1 : 0,
    ),
    ...metric('witan_worker_running', 'gauge', 'Traces that this worker drives now.', worker.running),
    ...metric(
      'witan_worker_drives_total',
      'counter',
      'Drives that ended here, by how.',
      labelled('as', worker.ended),
    ),
    ...metric('witan_worker_failures_total', 'counter', 'Drives that failed here.', worker.failures),
    ...metric(
      'witan_worker_set_aside_total',
      'counter',
      'Traces set aside here after too many failures.',
      worker.setAside,
    ),
    ...metric(
      'witan_worker_lost_total',
      'counter',
      'Times this worker was given up by the others.',
      worker.lost,
    ),
    ...metric(
      'witan_worker_swept_total',
      'counter',
      'Traces taken back from lost workers by this one.',
      worker.swept,
    ),
    ...metric('witan_calls_total', 'counter', 'Askings of models in traces driven here.', worker.calls),
    ...metric(
      'witan_input_tokens_total',
      'counter',
      'Input tokens in traces driven here.',
      worker.inputTokens,
    ),
    ...metric(
      'witan_output_tokens_total',
      'counter',
      'Output tokens in traces driven here.',
      worker.outputTokens,
    ),
    ...metric(
      'witan_cost_usd_total',
      'counter',
      'Known cost of traces driven here, in US dollars.',
      worker.usd,
    ),
    ...metric(
      'witan_rate_limits_total',
      'counter',
      'Answers of providers to this worker that it asks too often (HTTP 429).',
      worker.rateLimits,
    ),
    ...metric(
      'witan_held_back_seconds_total',
      'counter',
      'How long askings here waited for a provider that told some worker to wait.',
      worker.heldMs / 1_000,
    ),
  ]
  const shared =
    queue === null
      ? []
      : [
          ...metric(
            'witan_queue_items',
            'gauge',
            'Traces in the queue, by state.',
            labelled('state', queue.states),
          ),
          ...metric(
            'witan_queue_oldest_waiting_seconds',
            'gauge',
            'How long the oldest trace that is to be driven has waited for a worker.',
            queue.oldestWaitingSeconds,
          ),
          ...metric('witan_workers', 'gauge', 'Workers that are there.', queue.workers),
          ...metric('witan_workers_slots', 'gauge', 'Slots of all workers.', queue.slots),
          ...metric('witan_providers_held', 'gauge', 'Providers that are not asked now.', queue.held.length),
          ...metric(
            'witan_providers_held_seconds',
            'gauge',
            'How long until the last of them may be asked again.',
            longestHeld(queue.held, now),
          ),
        ]
  return `${[...own, ...shared].join('\n')}\n`
}
