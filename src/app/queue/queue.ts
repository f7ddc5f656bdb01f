// The queue of a home: runs that any worker may drive. It is beside the ledger in PostgreSQL; a home that
// keeps its ledger in a file has none, and loads none of its code.

import { within } from '../../clerk/take-turns.ts'
import { WitanError } from '../../ledger/errors.ts'
import { each } from '../../ledger/registry/registry.ts'
import type {
  HeldProvider,
  LimitedTenant,
  Queue,
  QueueDetails,
  QueueItem,
  QueueState,
  QueueWorker,
  TenantLimits,
} from '../../stores/queue.ts'
import { notedTask } from '../home/files.ts'
import { type HomeLocation, ledgerUrl, withStore } from '../home/home.ts'
import type { Elsewhere } from '../run.ts'
import { findTrace } from '../traces/trace-name.ts'

const AGENTS = 'agents/1'

/** States in which a trace is still to be driven. */
export const OPEN_STATES: readonly QueueState[] = ['waiting', 'offered', 'running', 'parked']

export {
  type HeldProvider,
  QUEUE_STATES,
  type QueueItem,
  type QueueState,
  type QueueWorker,
} from '../../stores/queue.ts'

/** Where the queue is; USAGE where the home can have none. */
export async function queueUrl(location: HomeLocation): Promise<string> {
  const url = await ledgerUrl(location)
  if (url) return url
  throw new WitanError(
    'USAGE',
    'the queue needs PostgreSQL, and this home keeps its ledger in a file',
    'Name the server in WITAN_POSTGRES_URL or under vault.postgres in config.yaml; see docs/workers.md.',
  )
}

export async function openQueue(location: HomeLocation, thorough = false): Promise<Queue> {
  const url = await queueUrl(location)
  const { openPostgresQueue } = await import('../../stores/postgres/queue/queue.ts')
  return openPostgresQueue({ url, thorough })
}

/** Null where there is none: the ledger is in a file, or nothing was ever queued. */
export async function findQueue(location: HomeLocation): Promise<Queue | null> {
  const url = await ledgerUrl(location)
  if (!url) return null
  const { findPostgresQueue } = await import('../../stores/postgres/queue/queue.ts')
  return findPostgresQueue({ url })
}

/** Whether workers continue a trace by themselves. */
export async function isInQueue(location: HomeLocation, trace: string): Promise<boolean> {
  const queue = await findQueue(location)
  try {
    const item = await queue?.find(trace)
    return item !== null && item !== undefined && OPEN_STATES.includes(item.state)
  } finally {
    await queue?.close()
  }
}

export async function withQueue<Result>(
  location: HomeLocation,
  work: (queue: Queue) => Promise<Result>,
): Promise<Result> {
  const queue = await openQueue(location)
  try {
    return await work(queue)
  } finally {
    await queue.close()
  }
}

/** How a trace is put into the queue. */
export interface Queueing {
  readonly tenant: string
  readonly tag: string | null
  readonly details?: QueueDetails
}

/** Queues a recorded trace. */
export async function enqueueTrace(
  location: HomeLocation,
  { trace, protocol }: { readonly trace: string; readonly protocol: string },
  { tenant, tag, details = {} }: Queueing,
): Promise<QueueState> {
  const task = protocol === AGENTS ? await notedTask(location.directory, trace) : null
  const item = { trace, protocol, tenant, tag, details: { ...details, ...(task && { task }) } }
  return withQueue(location, (queue) => queue.enqueue(item))
}

/**
 * What a tenant may use of the workers and uses of it; if limits are given, they are set first. Null for a tenant
 * without limits.
 */
export const tenantLimits = (
  location: HomeLocation,
  tenant: string,
  limits: TenantLimits | null,
): Promise<LimitedTenant | null> =>
  withQueue(location, async (queue) => {
    if (limits) await queue.limitTenant(tenant, limits)
    return (await queue.limitedTenants()).find((one) => one.tenant === tenant) ?? null
  })

/** What is in the queue, and its workers. */
export interface QueueView {
  readonly items: readonly QueueItem[]
  readonly workers: readonly QueueWorker[]
  /** Providers that no worker asks at present. */
  readonly held: readonly HeldProvider[]
  /** Tenants with limits. */
  readonly tenants: readonly LimitedTenant[]
}

export const viewQueue = (location: HomeLocation, states?: readonly QueueState[]): Promise<QueueView> =>
  withQueue(location, async (queue) => ({
    items: await queue.list(states),
    workers: await queue.workers(),
    held: await queue.heldProviders(),
    tenants: await queue.limitedTenants(),
  }))

async function changed(
  location: HomeLocation,
  name: string,
  work: (queue: Queue, trace: string) => Promise<boolean>,
  refused: (trace: string, item: QueueItem | null) => WitanError,
): Promise<string> {
  const trace = await withStore(location, (store) => findTrace(store, name))
  return withQueue(location, async (queue) => {
    if (await work(queue, trace)) return trace
    throw refused(trace, await queue.find(trace))
  })
}

/** Takes a trace out of the queue; running work is told to stop, and recorded events stay. */
export const cancelQueued = (location: HomeLocation, name: string): Promise<string> =>
  changed(
    location,
    name,
    (queue, trace) => queue.cancel(trace),
    (trace, item) =>
      new WitanError(
        'USAGE',
        `${trace} is not in the queue${item ? `: it is ${item.state}` : ''}`,
        'See `witan queue list --all`.',
      ),
  )

/** Gives a trace that was set aside or cancelled to the workers again. */
export const retryQueued = (location: HomeLocation, name: string): Promise<string> =>
  changed(
    location,
    name,
    (queue, trace) => queue.retry(trace),
    (trace, item) =>
      new WitanError(
        'USAGE',
        `${trace} is neither set aside nor cancelled${item ? `: it is ${item.state}` : ''}`,
        item ? 'See `witan queue list`.' : `To queue it: witan resume ${trace} --queue`,
      ),
  )

// Waits for a trace that a worker drives anywhere: its events are delivered as usual, and the end is found in
// the trace itself. The queue is asked only whether anyone continues it.

/** How often the queue is checked; events are announced. */
const LOOK_MS = 1_000
/** The machine with the registrar's key seals finished traces; this is waited for at most this long. */
const SEAL_MS = 5_000

const GIVEN_UP: readonly QueueState[] = ['set aside', 'cancelled']

/** A trace that is not in the queue is waited for as well: someone may drive it by hand. */
export const awaitQueued =
  (queue: Queue): Elsewhere =>
  async ({ ports, registrar, log, signal = new AbortController().signal }) => {
    const { trace, protocol } = log
    const seal = async (): Promise<string | null> => {
      for (const deadline = Date.now() + SEAL_MS; ; ) {
        await registrar.log.refresh()
        for (const checkpoint of each(registrar.log.state.checkpoints))
          if (checkpoint.trace === trace && checkpoint.size === log.size) return checkpoint.note
        if (Date.now() > deadline || signal.aborted) return null
        await within(signal, LOOK_MS, (ends) => ports.store.watch(registrar.trace, registrar.log.size, ends))
      }
    }
    for (;;) {
      const item = await queue.find(trace)
      // The trace is read after the queue: it contains the reason why it left the queue.
      await log.refresh()
      const { state, size } = log
      const end = { parked: [], discarded: [], checkpoint: null, size }
      if (protocol.finished(state)) return { ...end, status: 'finished', checkpoint: await seal() }
      if (signal.aborted) return { ...end, status: 'interrupted' }
      if (item && GIVEN_UP.includes(item.state)) {
        throw new WitanError(
          'TRACE_GIVEN_UP',
          `${trace} was ${item.state}${item.error ? `: ${item.error}` : ''}`,
          `Give it to the workers again with: witan queue retry ${trace}`,
        )
      }
      if (item?.state === 'parked' || item?.state === 'done')
        return { ...end, status: 'waiting', parked: protocol.decide(state) }
      await within(signal, LOOK_MS, (ends) => ports.store.watch(trace, size, ends))
    }
  }
