// One server, started when it is first needed and shared by later calls, because servers keep state between
// calls. After a call that did not end well it gets no new calls, and is ended as soon as its last call is
// over; the next call gets a fresh one.

import { type Connection, connect, limited, type Server } from '../../mcp-client/connection.ts'
import { Fault as WireFault } from '../../mcp-client/fault.ts'

/** How a server is started, and what to check afterwards. */
export interface Prepared {
  readonly server: Server
  /** Why something that a call left in the workspace cannot stay; null when it can. */
  readonly check: () => Promise<string | null>
  /** Called when the server is gone. */
  readonly release: () => Promise<void>
}

export interface Lease {
  readonly connection: Promise<Connection>
  readonly check: () => Promise<string | null>
  users: number
  retired: boolean
  /** Ends it, also while it is still starting. */
  end(): Promise<void>
}

export interface Leases {
  /** Every lease must be given back. */
  take(): Lease
  giveBack(lease: Lease, sound: boolean): Promise<void>
  /** Ends the server once it is not used any more. */
  close(): Promise<void>
}

const slow = (ms: number) =>
  new WireFault('timeout', 'unavailable', `the server did not get ready within ${ms} ms`)

/** `prepare` says how it is started, or throws a Fault of the connection. */
export function leasesOf(prepare: () => Promise<Prepared>, maxBytes: number, startMs: number): Leases {
  let current: Lease | null = null

  async function begin(prepared: Promise<Prepared>, signal: AbortSignal): Promise<Connection> {
    const limit = limited(signal, startMs, () => slow(startMs))
    try {
      return await connect((await prepared).server, maxBytes, limit)
    } finally {
      limit.clear()
    }
  }

  function open(): Lease {
    const start = new AbortController()
    const prepared = prepare()
    const connection = begin(prepared, start.signal)
    let ending: Promise<void> | null = null
    const end = async () => {
      start.abort()
      const opened = await connection.catch(() => null)
      await opened?.close()
      const ready = await prepared.catch(() => null)
      await ready?.check()
      await ready?.release()
    }
    const lease: Lease = {
      connection,
      check: async () => (await prepared).check(),
      users: 0,
      retired: false,
      end: () => {
        ending ??= end()
        return ending
      },
    }
    // A server that is gone is not offered again; callers that wait for it get the reason.
    const gone = () => {
      retire(lease)
      if (lease.users === 0) void lease.end()
    }
    connection.then(({ client }) => {
      client.onclose = gone
    }, gone)
    return lease
  }

  function retire(lease: Lease): void {
    lease.retired = true
    if (current === lease) current = null
  }

  return {
    take() {
      current ??= open()
      current.users += 1
      return current
    },
    async giveBack(lease, sound) {
      lease.users -= 1
      if (!sound) retire(lease)
      if (lease.retired && lease.users === 0) await lease.end()
    },
    async close() {
      const lease = current
      if (lease === null) return
      retire(lease)
      if (lease.users === 0) await lease.end()
    },
  }
}
