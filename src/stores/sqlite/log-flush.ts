// Makes durable what was committed without waiting for the disk. A commit in the write-ahead log is whole and seen by
// every reader at once; it survives a power cut when the log was flushed after it. The flush runs beside the program: at
// once when someone waits for it, else by itself a few milliseconds later, so that it serves what follows too. After one has
// failed no one knows what lies on the disk, so that none counts any more.

import { closeSync, fdatasync, open } from 'node:fs'
import { promisify } from 'node:util'
import { onDisk } from '../disk.ts'

const [openFile, flushFile] = [promisify(open), promisify(fdatasync)]

export interface LogFlush {
  /** Something was committed. */
  begin(): void
  /** A commit that waited for the disk took with it all that was committed before. */
  covered(): void
  /** Resolves once all that was committed before is durable. */
  settled(): Promise<void>
  close(): Promise<void>
}

/** What no one waits for may be lost to a power cut for so long, as if it had come that much later. */
const LINGER_MS = 5

export function logFlush(database: string): LogFlush {
  // SQLite locks the database and its shared memory, never the log: opening and closing this takes no lock away.
  const log = `${database}-wal`
  let descriptor: Promise<number> | null = null
  let committed = 0
  let durable = 0
  /** When the first of what is committed and not durable was committed. */
  let unflushedSince = 0
  let running: Promise<void> | null = null
  let due: NodeJS.Timeout | null = null
  let fault: { readonly error: unknown } | null = null

  async function flush(): Promise<void> {
    const covered = committed
    try {
      if (fault !== null) throw fault.error
      // Some systems flush only what is open for writing.
      descriptor ??= openFile(log, 'r+')
      await onDisk(log, async () => flushFile(await (descriptor as Promise<number>)))
      durable = Math.max(durable, covered)
    } catch (error) {
      fault ??= { error }
      throw error
    } finally {
      running = null
    }
  }

  function run(): Promise<void> {
    if (running === null) {
      running = flush()
      // Met again by the caller that waits for it.
      running.catch(() => undefined)
    }
    return running
  }

  async function flushAll(): Promise<void> {
    if (fault !== null) throw fault.error
    for (const target = committed; durable < target; ) await run()
  }

  /** What is not flushed yet may have been committed since the timer was set, and lingers as long as anything else. */
  function flushInTime(lingering: number): void {
    due = setTimeout(() => {
      due = null
      if (durable >= committed) return
      const rest = unflushedSince + LINGER_MS - performance.now()
      if (rest >= 1) flushInTime(rest)
      else flushAll().catch(() => undefined)
    }, lingering)
  }

  return {
    begin() {
      if (durable >= committed) unflushedSince = performance.now()
      committed++
      if (due === null) flushInTime(LINGER_MS)
    },
    covered() {
      durable = committed
    },
    settled: flushAll,
    async close() {
      if (due !== null) clearTimeout(due)
      due = null
      // What no one waited for is not left to the next power cut either.
      await running?.catch(() => undefined)
      if (committed > durable && fault === null) await run().catch(() => undefined)
      const opened = await descriptor?.catch(() => null)
      descriptor = null
      if (typeof opened === 'number') closeSync(opened)
    },
  }
}
