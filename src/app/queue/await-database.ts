// A worker may start while its database restarts, for example after a reboot of both. It waits a limited
// time, and says so; it does not wait for a server that refuses it (a wrong password, an unknown database).

import { setTimeout as pause } from 'node:timers/promises'
import { isWitanError, type WitanError } from '../../ledger/errors.ts'
import type { HomeLocation } from '../home/home.ts'
import { queueUrl } from './queue.ts'

const PATIENCE_MS = 60_000
const AGAIN_MS = 500
const TELL_MS = 10_000

interface Waiting {
  readonly location: HomeLocation
  readonly signal: AbortSignal
  /** Called when it begins to wait, and every ten seconds. */
  tell(error: WitanError, secondsLeft: number): void
}

/** The result of the work once the database answers; null when it was stopped before. */
export async function onceDatabaseAnswers<Result>(
  work: () => Promise<Result>,
  { location, signal, tell }: Waiting,
): Promise<Result | null> {
  const { probeServer } = await import('../../stores/postgres/probe.ts')
  const deadline = Date.now() + PATIENCE_MS
  for (let toldAt = 0; ; ) {
    try {
      return await work()
    } catch (error) {
      if (!isWitanError(error, 'VAULT_UNREACHABLE')) throw error
      for (let state = await probeServer(await queueUrl(location)); ; ) {
        if (signal.aborted) return null
        if (state === 'refuses' || Date.now() > deadline) throw error
        if (Date.now() - toldAt > TELL_MS) {
          toldAt = Date.now()
          tell(error, Math.ceil((deadline - toldAt) / 1_000))
        }
        await pause(AGAIN_MS, undefined, { signal }).catch(() => undefined)
        if (state === 'there') break
        state = await probeServer(await queueUrl(location))
      }
    }
  }
}
