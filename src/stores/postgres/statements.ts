// The statements of the store, prepared once per connection. Hashes leave the server as hex text, the form in which
// the ledger names them; traces are named by their ULID outside and by a small number inside.

import type { Statement } from './connection.ts'
import { lockKey } from './schema.ts'

export type StatementName =
  | 'registry'
  | 'traces'
  | 'size'
  | 'head'
  | 'hashes'
  | 'page'
  | 'openings'
  | 'append'
  | 'erase'
  | 'held'

export function statementsOf(schema: string): Record<StatementName, Statement> {
  const s = `"${schema}"`
  const idOf = `(SELECT id FROM ${s}.traces WHERE trace = $1)`
  const texts: Record<StatementName, string> = {
    registry: `SELECT trace FROM ${s}.traces WHERE protocol = 'registry/1'`,
    traces: `
      SELECT t.trace, t.protocol, l.seq + 1 AS size, encode(l.hash, 'hex') AS hash, l.header AS last, f.header AS first
      FROM ${s}.traces t
      JOIN ${s}.events f ON f.trace = t.id AND f.seq = 0
      CROSS JOIN LATERAL (SELECT * FROM ${s}.events e WHERE e.trace = t.id ORDER BY seq DESC LIMIT 1) l
      ORDER BY t.id`,
    size: `SELECT seq + 1 AS size FROM ${s}.events WHERE trace = ${idOf} ORDER BY seq DESC LIMIT 1`,
    head: `
      SELECT seq, encode(hash, 'hex') AS hash, header FROM ${s}.events
      WHERE trace = ${idOf} ORDER BY seq DESC LIMIT 1`,
    hashes: `
      SELECT encode(hash, 'hex') AS hash FROM ${s}.events
      WHERE trace = ${idOf} AND seq >= $2 AND seq < $3 ORDER BY seq`,
    // The length of a payload is known without fetching it, so the bound on bytes costs no reading.
    page: `
      SELECT seq, encode(hash, 'hex') AS hash, header, signature, payload, salt FROM (
        SELECT *, sum(octet_length(payload)) OVER (ORDER BY seq) - octet_length(payload) AS before
        FROM (
          SELECT * FROM ${s}.events WHERE trace = ${idOf} AND seq >= $2 AND seq < $3 ORDER BY seq LIMIT $4
        ) run
      ) page
      WHERE coalesce(before, 0) < $5 ORDER BY seq`,
    openings: `
      SELECT e.header, e.payload FROM unnest($1::text[]) WITH ORDINALITY AS wanted(trace, place)
      JOIN ${s}.traces t ON t.trace = wanted.trace JOIN ${s}.events e ON e.trace = t.id AND e.seq = 0
      ORDER BY wanted.place`,
    append: `SELECT ${s}.append($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS done`,
    erase: `SELECT ${s}.erase($1, $2, $3, $4, $5) AS fault`,
    // Looked up, not tried: a lock taken for trial would be mistaken for the thing itself by the next who asks.
    held: `
      SELECT EXISTS (
        SELECT FROM pg_locks
        WHERE locktype = 'advisory' AND objsubid = 1 AND granted
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
          AND (classid::bigint << 32 | objid::bigint) = ${lockKey(schema, '$1::text')}
      ) AS held`,
  }
  const named = Object.entries(texts).map(([name, text]) => [name, { name: `witan_${name}`, text }])
  return Object.fromEntries(named)
}
