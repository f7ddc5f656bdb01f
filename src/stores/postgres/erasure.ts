// Erasing in PostgreSQL. The redactions row and the erasure are one transaction. The pages of a table keep the bytes
// of dead rows until the table is rewritten, so it is rewritten, and anyone who erases learns when something else still
// needs the old rows; erasing again finishes it. What the server's write-ahead log and its backups hold is beyond
// reach, and a stated limit.

import { setTimeout as pause } from 'node:timers/promises'
import { WitanError } from '../../ledger/errors.ts'
import type { Erasure } from '../store.ts'
import { type Connections, type Statement, stateOf } from './connection.ts'
import { forgetWords } from './search.ts'

/** The rewriting waits for everyone, and everyone waits behind it: so it gives up soon. */
const LOCK_TIMEOUT = '3s'
const ATTEMPTS = 30
const BETWEEN_MS = 200

const FAULTS: Record<string, (erasure: Erasure) => WitanError> = {
  'no trace': ({ trace }) =>
    new WitanError('TRACE_NOT_FOUND', `there is no trace ${trace}`, 'List the traces with: witan list'),
  'no event': ({ trace, seq }) =>
    new WitanError('EVENT_NOT_FOUND', `there is no event ${trace}/${seq}`, 'Check the number.'),
  'no registry event': ({ registry }) =>
    new WitanError(
      'VAULT_REFUSED',
      `nothing is erased without a record: the registry has no event ${registry.trace}/${registry.seq}`,
      'Append the redaction to the registry first, then erase.',
    ),
}

const contentLeft = (table: string) =>
  new WitanError(
    'VAULT_BUSY',
    `erased, but someone works with the old rows of ${table} and their bytes still lie in its pages`,
    'Let the other program, perhaps a backup, end; then redact again: that rewrites the table.',
  )

/** False while a transaction elsewhere may still look at the dead rows, so that they were kept. */
async function rewriteTable(connections: Connections, table: string): Promise<boolean> {
  const client = await connections.dedicated()
  let rowsLeft = 0
  // The server says how many dead rows it had to keep first of all in the detail, in the language it speaks.
  client.on('notice', ({ detail }) => {
    rowsLeft += Number(detail?.match(/\d+/)?.[0] ?? 0)
  })
  try {
    await client.query(`SET lock_timeout = '${LOCK_TIMEOUT}'`)
    await client.query(`VACUUM (FULL, VERBOSE) ${table}`)
    return rowsLeft === 0
  } catch (error) {
    if (stateOf(error) === '55P03') throw contentLeft(table)
    throw error
  } finally {
    await client.end()
  }
}

async function rewrite(connections: Connections, table: string): Promise<void> {
  for (let attempt = 1; !(await connections.patiently(() => rewriteTable(connections, table))); attempt++) {
    if (attempt === ATTEMPTS) throw contentLeft(table)
    await pause(BETWEEN_MS)
  }
}

export async function erase(
  connections: Connections,
  statement: Statement,
  schema: string,
  erasures: readonly Erasure[],
): Promise<void> {
  const tables = new Set<string>()
  for (const erasure of erasures) {
    const { trace, seq, artifact, registry } = erasure
    const bytes = artifact === null ? null : Buffer.from(artifact, 'hex')
    const values = [trace, seq, bytes, registry.trace, registry.seq]
    const [row] = await connections.query<{ fault: string }>(statement, values)
    const fault = FAULTS[row?.fault ?? '']
    if (fault) throw fault(erasure)
    tables.add(`"${schema}".${seq === null ? 'artifact_chunks' : 'events'}`)
  }
  for (const table of tables) await rewrite(connections, table)
  await connections.patiently(() => forgetWords(connections, schema))
}
