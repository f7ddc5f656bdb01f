// Who is at work on a store: a row for each clerk, worth as much as its process is alive. A row left by a crash
// says nothing and is cleared by the next one who attends; it is never a lock. It is worth nothing after a power cut,
// so that the disk is not waited for.

import { isRunning, ownMark, type ProcessMark } from '../process-mark.ts'
import type { Connection } from './connection.ts'
import type { SqlRow } from './driver.ts'

const markOf = (row: SqlRow): ProcessMark => ({
  host: String(row.host),
  pid: Number(row.pid),
  started: String(row.started),
})

/** Each process is asked after once, however many clerks it has, and this one not at all. */
const OTHERS = `
  SELECT DISTINCT host, pid, started FROM attendance WHERE host = ? AND NOT (pid = ? AND started = ?)`
const CLEAR = 'DELETE FROM attendance WHERE host = ? AND pid = ? AND started = ?'

export function enter(connection: Connection, clerk: string): number {
  const { host, pid, started } = ownMark()
  return connection.transact(() => {
    for (const mark of connection.all(OTHERS, host, pid, started).map(markOf)) {
      if (!isRunning(mark)) connection.run(CLEAR, mark.host, mark.pid, mark.started)
    }
    return connection.run(
      'INSERT INTO attendance(clerk, host, pid, started) VALUES (?, ?, ?, ?)',
      ...[clerk, host, pid, started],
    )
  }, true)
}

export const leave = (connection: Connection, id: number): void =>
  connection.transact(() => void connection.run('DELETE FROM attendance WHERE id = ?', id), true)

export const isThere = (connection: Connection, clerk: string): boolean =>
  connection
    .all('SELECT host, pid, started FROM attendance WHERE clerk = ?', clerk)
    .some((row) => isRunning(markOf(row)))
