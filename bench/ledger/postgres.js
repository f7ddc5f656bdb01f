// PostgreSQL: a batch through the ledger against the bare work, one unnest insert of the same rows into the same
// tables. Needs a server: WITAN_POSTGRES_URL, or Debian's packages, of which a throw-away one is started.
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { openPostgresStore } from '../../dist/stores/postgres.js'
import { answer, inTurns } from '../measure.js'
import { fastSigner, makeParts, rowsFor } from './appends.js'
import { note, settle } from './workbench.js'

const BATCH = 64
const BATCHES = 12

const INSERT = `INSERT INTO bare.events (trace, seq, prev, hash, header, signature, payload, salt)
  SELECT 1, $1 + r.n - 1, r.prev, r.hash, r.header, r.signature, r.payload, r.salt
  FROM unnest($2::bytea[], $3::bytea[], $4::bytea[], $5::bytea[], $6::bytea[], $7::bytea[]) WITH ORDINALITY
    AS r (prev, hash, header, signature, payload, salt, n)`

export async function postgresRows(url) {
  const store = await openPostgresStore({ url, schema: 'ours' })
  await (await openPostgresStore({ url, schema: 'bare' })).close()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const kit = await settle(store)
  const sign = fastSigner(kit.privateKey)
  const log = kit.newBook()
  let seq = 0
  const drafts = () => Array.from({ length: BATCH }, (_, n) => note(kit.actor, n))
  const rates = await inTurns({
    ours: {
      prepare: () => Array.from({ length: BATCHES }, drafts),
      run: async (input) => {
        for (const batch of input) await log.append(batch)
        return BATCHES * BATCH
      },
    },
    floor: {
      prepare: () =>
        Array.from({ length: BATCHES }, () => ({ drafts: drafts(), rows: rowsFor(kit.actor, BATCH) })),
      run: async (input) => {
        for (const { drafts, rows } of input) {
          makeParts(kit, drafts, sign)
          const column = (name) => rows.map((row) => row[name])
          const prevs = rows.map(() => randomBytes(32))
          await client.query({
            name: 'bare',
            text: INSERT,
            values: [
              seq,
              prevs,
              column('hash'),
              column('header'),
              column('signature'),
              column('payload'),
              column('salt'),
            ],
          })
          seq += BATCH
        }
        return BATCHES * BATCH
      },
    },
  })
  await client.end()
  await store.close()
  return [
    answer({ question: 'PostgreSQL: batch of 64, rate', ours: 'ours', floor: 'floor', rates, atLeast: 0.85 }),
  ]
}
