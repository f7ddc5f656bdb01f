// Erasing a payload or an artifact so that its bytes stand in no file of the home. The database half is one
// transaction: the redactions row that permits it and the erasure itself. What follows (emptying the log that
// still holds old pages, removing the artifact's file) can be interrupted; erasing again finishes it.

import { setTimeout as pause } from 'node:timers/promises'
import { isHash } from '../../ledger/bytes.ts'
import { WitanError } from '../../ledger/errors.ts'
import { REGISTRY_PROTOCOL } from '../../ledger/event.ts'
import type { ArtifactFiles } from '../artifact-files.ts'
import type { Erasure } from '../store.ts'
import { eraseRow } from './artifacts.ts'
import type { Connection } from './connection.ts'
import { forgetWords } from './search.ts'

const PATIENCE_MS = 5_000
const ATTEMPT_MS = 100

function traceId(connection: Connection, trace: string): number {
  const row = connection.get('SELECT id FROM traces WHERE trace = ?', trace)
  if (row !== undefined) return Number(row.id)
  throw new WitanError('TRACE_NOT_FOUND', `there is no trace ${trace}`, 'List the traces with: witan list')
}

function registryId(connection: Connection, registry: Erasure['registry']): number {
  const row = connection.get(
    `SELECT traces.id FROM traces JOIN events ON events.trace = traces.id
     WHERE traces.trace = ? AND traces.protocol = ? AND events.seq = ?`,
    ...[registry.trace, REGISTRY_PROTOCOL, registry.seq],
  )
  if (row !== undefined) return Number(row.id)
  throw new WitanError(
    'VAULT_REFUSED',
    `nothing is erased without a record: the registry has no event ${registry.trace}/${registry.seq}`,
    'Append the redaction to the registry first, then erase.',
  )
}

function recordAndErase(connection: Connection, { trace, seq, artifact, registry }: Erasure): void {
  const registrar = registryId(connection, registry)
  const id = traceId(connection, trace)
  if (seq !== null && !connection.get('SELECT 1 FROM events WHERE trace = ? AND seq = ?', id, seq)) {
    throw new WitanError('EVENT_NOT_FOUND', `there is no event ${trace}/${seq}`, 'Check the number.')
  }
  if (artifact !== null && !isHash(artifact)) {
    throw new WitanError('ARTIFACT_NOT_FOUND', `'${artifact}' names no artifact`, 'Give its SHA-256 in hex.')
  }
  const row = [id, seq, artifact === null ? null : Buffer.from(artifact, 'hex'), registrar, registry.seq]
  const recorded = connection.get(
    `SELECT 1 FROM redactions
     WHERE trace = ? AND seq IS ? AND artifact IS ? AND registry = ? AND registry_seq = ?`,
    ...row,
  )
  if (!recorded) {
    connection.run(
      'INSERT INTO redactions(trace, seq, artifact, registry, registry_seq) VALUES (?, ?, ?, ?, ?)',
      ...row,
    )
  }
  if (artifact !== null) eraseRow(connection, artifact)
  if (seq === null) return
  connection.run(
    'UPDATE events SET payload = NULL, salt = NULL WHERE trace = ? AND seq = ? AND payload IS NOT NULL',
    ...[id, seq],
  )
}

/** False while readers elsewhere still need the log. */
function emptyLogNow(connection: Connection): boolean {
  const patience = connection.get('PRAGMA busy_timeout')?.timeout
  connection.get(`PRAGMA busy_timeout = ${ATTEMPT_MS}`)
  try {
    return connection.get('PRAGMA wal_checkpoint(TRUNCATE)')?.busy === 0
  } finally {
    connection.get(`PRAGMA busy_timeout = ${Number(patience)}`)
  }
}

/** Short attempts with breaths between them: a reader that keeps the log may live in this very process. */
async function emptyLog(connection: Connection): Promise<void> {
  for (let waited = 0; !emptyLogNow(connection); waited += 2 * ATTEMPT_MS) {
    if (waited >= PATIENCE_MS) {
      throw new WitanError(
        'VAULT_BUSY',
        `${connection.file}: erased, but another process is reading and the old bytes still lie in the log`,
        'Let the other process end, then redact again: that empties the log.',
      )
    }
    await pause(ATTEMPT_MS)
  }
}

export async function erase(
  connection: Connection,
  files: ArtifactFiles,
  directory: string,
  erasures: readonly Erasure[],
): Promise<void> {
  connection.transact(() => {
    for (const erasure of erasures) recordAndErase(connection, erasure)
  })
  await emptyLog(connection)
  for (const { artifact } of erasures) if (artifact !== null) await files.erase(artifact)
  await forgetWords(directory)
}
