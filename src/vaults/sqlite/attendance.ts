// Who is at work on a vault: a row for each clerk, worth as much as its process is alive. A row left by a crash
// says nothing and is cleared by the next one who attends; it is never a lock. It is worth nothing after a power cut,
// so that the disk is not waited for.

import { isRunning, ownMark, type ProcessMark } from '../processes.ts'
import type { Connection } from './connection.ts'
import type { SqlRow } from './driver.ts'

const markOf = (row: SqlRow): ProcessMark => ({
  host: String(row.host),
  pid: Number(row.pid),
  started: String(row.started),
})

export function enter(connection: Connection, clerk: string): number {
  const { host, pid, started } = ownMark()
  return connection.transact(() => {
    for (const row of connection.all('SELECT id, host, pid, started FROM attendance WHERE host = ?', host)) {
      if (!isRunning(markOf(row))) remove(connection, Number(row.id))
    }
    return connection.run(
      'INSERT INTO attendance(clerk, host, pid, started) VALUES (?, ?, ?, ?)',
      ...[clerk, host, pid, started],
    )
  }, true)
}

const remove = (connection: Connection, id: number): void => {
  connection.run('DELETE FROM attendance WHERE id = ?', id)
}

export const leave = (connection: Connection, id: number): void =>
  connection.transact(() => remove(connection, id), true)

export const isThere = (connection: Connection, clerk: string): boolean =>
  connection
    .all('SELECT host, pid, started FROM attendance WHERE clerk = ?', clerk)
    .some((row) => isRunning(markOf(row)))
