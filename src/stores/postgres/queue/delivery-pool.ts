// The connections that graphile-worker delivers over. Left to itself it meets a server that restarts in two ways that a worker
// cannot afford: it sleeps for seconds, longer each time, in every slot that was told "starting up", and it lets go of the
// deletion of a finished job without hearing whether it failed, which would end the process. So a connection is waited for here
// instead, and a deletion that was cut off is heard: the job stays behind, locked, and its trace has gone on long ago.

import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { configOf, isLoss } from '../connection.ts'

const AGAIN_MS = 200
/** After that graphile-worker is told, and looks again at its next turn. */
const PATIENCE_MS = 10_000
const CONNECTIONS = 4

export async function openDeliveryPool(url: string): Promise<pg.Pool> {
  const { default: driver } = await import('pg')
  const pool = new driver.Pool({ ...configOf(url), max: CONNECTIONS })
  pool.on('error', () => {})
  pool.on('connect', (client) => void client.on('error', () => {}))
  const connect = pool.connect.bind(pool)
  const waiting = async (): Promise<pg.PoolClient> => {
    for (const deadline = Date.now() + PATIENCE_MS; ; ) {
      try {
        return await connect()
      } catch (error) {
        if (!isLoss(error)) throw error
        // The runner has ended: what still asks is a deletion that no one waits for, and its failure would end the process.
        if (pool.ending) return await new Promise<never>(() => {})
        // Without its code, which would make the slot sleep.
        if (Date.now() > deadline) throw new Error('the server does not answer', { cause: error })
      }
      await pause(AGAIN_MS)
    }
  }
  function patient(): Promise<pg.PoolClient>
  function patient(called: Parameters<typeof connect>[0]): void
  function patient(called?: Parameters<typeof connect>[0]): Promise<pg.PoolClient> | undefined {
    if (!called) return waiting()
    connect(called)
    return undefined
  }
  pool.connect = patient
  return pool
}

/** Handles rejections that no caller awaits when the server goes away. All others end the process, as without this. */
export function hearLostStatements(tell: (error: Error) => void): () => void {
  const hear = (reason: unknown): void => {
    if (!(reason instanceof Error) || !(isLoss(reason) || isLoss(reason.cause))) throw reason
    tell(reason)
  }
  process.on('unhandledRejection', hear)
  return () => void process.off('unhandledRejection', hear)
}
