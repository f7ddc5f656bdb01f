// A queue in the database of the ledger. What changes a state is one function in the server; what only looks is a plain
// query. graphile-worker delivers: it is loaded by workers alone.

import type pg from 'pg'
import { WitanError } from '../../../ledger/errors.ts'
import type {
  HeldProvider,
  KeyRequest,
  NewItem,
  Queue,
  QueueDetails,
  QueueItem,
  QueueState,
  QueueWorker,
  Schedule,
} from '../../queue.ts'
import { QUEUE_STATES } from '../../queue.ts'
import { type Connections, connect, firstConnection, type Statement, storeError } from '../connection.ts'
import { isThere, prepareQueue } from './opening.ts'
import { statementsOf } from './statements.ts'

export interface QueueOptions {
  readonly url: string
  /** The schema that holds the ledger. */
  readonly schema?: string
  readonly patience?: number
  /** For a worker: what the connection can do is tried out first. */
  readonly thorough?: boolean
}

interface ItemRow {
  readonly trace: string
  readonly protocol: string
  readonly tenant: string
  readonly tag: string | null
  readonly details: QueueDetails
  readonly state: string
  readonly worker: string | null
  readonly losses: number
  readonly failures: number
  readonly error: string | null
  readonly enqueued: Date
  readonly changed: Date
  readonly usd: string | null
  readonly counted: number
}

interface WorkerRow extends Omit<QueueWorker, 'started' | 'beat'> {
  readonly started: Date
  readonly beat: Date
}

interface ScheduleRow extends Omit<Schedule, 'nextAt' | 'lastAt'> {
  readonly nextAt: Date
  readonly lastAt: Date | null
}

const scheduleOf = (row: ScheduleRow): Schedule => ({
  ...row,
  nextAt: row.nextAt.toISOString(),
  lastAt: row.lastAt?.toISOString() ?? null,
})

const stateIn = (text: string): QueueState => QUEUE_STATES.find((state) => state === text) ?? 'set aside'

const itemOf = ({ state, enqueued, changed, usd, ...row }: ItemRow): QueueItem => ({
  ...row,
  state: stateIn(state),
  enqueued: enqueued.toISOString(),
  changed: changed.toISOString(),
  usd: usd === null ? null : Number(usd),
})

function queueOn(connections: Connections, schema: string, url: string): Queue {
  const sql = statementsOf(schema)
  const done = async (statement: Statement, values: readonly unknown[]): Promise<boolean> =>
    (await connections.query<{ done: boolean }>(statement, values))[0]?.done === true

  const find = async (trace: string): Promise<QueueItem | null> => {
    const [row] = await connections.query<ItemRow>(sql.find, [trace])
    return row ? itemOf(row) : null
  }

  return {
    async enqueue({ trace, protocol, tenant, tag, details }: NewItem) {
      const values = [trace, protocol, tenant, tag, JSON.stringify(details)]
      const [row] = await connections.query<{ done: string }>(sql.enqueue, values)
      return stateIn(row?.done ?? '')
    },
    find,
    async list(states = QUEUE_STATES) {
      return (await connections.query<ItemRow>(sql.list, [[...states]])).map(itemOf)
    },
    cancel: (trace) => done(sql.cancel, [trace]),
    retry: (trace) => done(sql.retry, [trace]),
    async forget(traces) {
      await connections.query(sql.forget, [[...traces]])
    },
    async workers() {
      const rows = await connections.query<WorkerRow>(sql.workers, [])
      return rows.map((row) => ({
        ...row,
        started: row.started.toISOString(),
        beat: row.beat.toISOString(),
      }))
    },
    figures: () => connections.query(sql.figures, []),
    async limitTenant(tenant, { slots, usdPerDay }) {
      await connections.query(sql.limitTenant, [tenant, slots, usdPerDay])
    },
    limitedTenants: () => connections.query(sql.limitedTenants, []),
    async holdProvider({ provider, transport, worker }, ms) {
      await connections.query(sql.holdProvider, [provider, transport, ms, worker])
    },
    async heldMs(provider, transport) {
      const [row] = await connections.query<{ done: number | null }>(sql.heldMs, [provider, transport])
      return row?.done ?? 0
    },
    async heldProviders() {
      const rows = await connections.query<Omit<HeldProvider, 'until'> & { until: Date }>(
        sql.heldProviders,
        [],
      )
      return rows.map((row) => ({ ...row, until: row.until.toISOString() }))
    },
    async addSchedule({ name, cron, timezone, words, folder, tenant, tag, nextAt }) {
      const values = [name, cron, timezone, [...words], folder, tenant, tag, nextAt]
      return (await connections.query(sql.addSchedule, values)).length > 0
    },
    schedules: async () => (await connections.query<ScheduleRow>(sql.schedules, [])).map(scheduleOf),
    removeSchedule: async (name) => (await connections.query(sql.removeSchedule, [name])).length > 0,
    due: async (tags) => (await connections.query<ScheduleRow>(sql.due, [[...tags]])).map(scheduleOf),
    beginScheduled: ({ name, nextAt }, following) => done(sql.beginScheduled, [name, nextAt, following]),
    async endScheduled(name, { trace, error }) {
      await connections.query(sql.endScheduled, [name, trace, error])
    },
    async requestKey({ id, agent, roles, publicKey, machine, signature }) {
      const bytes = [publicKey, signature].map((one) => Buffer.from(one))
      await connections.query(sql.requestKey, [id, agent, [...roles], bytes[0], machine, bytes[1]])
    },
    keyRequests: () => connections.query<KeyRequest>(sql.keyRequests, []),
    async answerRequest(id, error) {
      await connections.query(sql.answerRequest, [id, error])
    },
    refusal: async (id) => (await connections.query<{ error: string }>(sql.refusal, [id]))[0]?.error ?? null,
    unsealed: async () =>
      (await connections.query<{ trace: string }>(sql.unsealed, [])).map(({ trace }) => trace),
    async sealed(trace) {
      await connections.query(sql.sealed, [trace])
    },
    async work(options) {
      const { startWorking } = await import('./working.ts')
      const claim = async (trace: string, pool: string): Promise<QueueItem | null> => {
        const [row] = await connections.query<ItemRow>(sql.claim, [trace, pool])
        return row ? itemOf(row) : null
      }
      return startWorking({ connections, sql, schema, url, claim }, options)
    },
    close: () => connections.close(),
  }
}

async function openQueue(
  { url, schema = 'witan', patience = 15_000 }: QueueOptions,
  isToBeUsed: (connections: Connections, client: pg.Client, schema: string) => Promise<boolean>,
): Promise<Queue | null> {
  const connections = await connect(url, patience)
  try {
    const client = await firstConnection(connections, patience)
    try {
      if (await isToBeUsed(connections, client, schema)) return queueOn(connections, schema, url)
    } finally {
      await client.end()
    }
  } catch (error) {
    await connections.close()
    throw storeError(error, connections.server)
  }
  await connections.close()
  return null
}

/** The queue beside the ledger at this address, made if there is none yet. */
export async function openPostgresQueue(options: QueueOptions): Promise<Queue> {
  const { url, thorough = false } = options
  const queue = await openQueue(options, async (connections, client, schema) => {
    await prepareQueue(connections, client, { schema, url, thorough })
    return true
  })
  if (queue) return queue
  throw new WitanError('VAULT_UNREACHABLE', 'the queue could not be opened', 'Try again.')
}

/** The same, and null where no queue was ever used. */
export const findPostgresQueue = (options: QueueOptions): Promise<Queue | null> =>
  openQueue(options, async (connections, client, schema) => {
    if (!(await isThere(client, schema))) return false
    await prepareQueue(connections, client, { schema, url: options.url, thorough: false })
    return true
  })
