// One server, started when it is first needed and shared by the calls that follow, because servers keep things between
// calls. After a call that did not end well it gets no new calls, and is ended as soon as the last of its calls is
// over; the next call meets a fresh one.

import { type Connection, connect, type Server } from '../../mcp/connection.ts'
import { Fault as WireFault } from '../../mcp/fault.ts'
import { limited } from '../../mcp/limit.ts'

export interface Lease {
  readonly connection: Promise<Connection>
  users: number
  retired: boolean
  /** Ends a start that nobody waits for any more. */
  readonly start: AbortController
}

export interface Leases {
  /** Every lease that was taken is given back. */
  take(): Lease
  giveBack(lease: Lease, sound: boolean): Promise<void>
  /** Ends the server once nobody uses it. */
  close(): Promise<void>
}

const slow = (ms: number) =>
  new WireFault('timeout', 'unavailable', `the server did not get ready within ${ms} ms`)

/** `prepare` says how it is started, or throws a Fault of the wire. */
export function leasesOf(prepare: () => Promise<Server>, maxBytes: number, startMs: number): Leases {
  let current: Lease | null = null

  async function begin(signal: AbortSignal): Promise<Connection> {
    const limit = limited(signal, startMs, () => slow(startMs))
    try {
      return await connect(await prepare(), maxBytes, limit.signal)
    } finally {
      limit.clear()
    }
  }

  function open(): Lease {
    const start = new AbortController()
    const connection = begin(start.signal)
    const lease: Lease = { connection, users: 0, retired: false, start }
    // Whoever waits for it hears why; a server that has gone is not offered again.
    connection.then(
      ({ client }) => {
        client.onclose = () => retire(lease)
      },
      () => retire(lease),
    )
    return lease
  }

  function retire(lease: Lease): void {
    lease.retired = true
    if (current === lease) current = null
  }

  async function end(lease: Lease): Promise<void> {
    lease.start.abort()
    const connection = await lease.connection.catch(() => null)
    await connection?.close()
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
      if (lease.retired && lease.users === 0) await end(lease)
    },
    async close() {
      const lease = current
      if (lease === null) return
      retire(lease)
      if (lease.users === 0) await end(lease)
    },
  }
}
