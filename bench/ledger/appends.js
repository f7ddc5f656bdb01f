// How much the ledger costs over the bare work it cannot do without: the same rows into the same schema, the same
// canonicalisations, hashes and signatures.
import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { canonicalize } from '../../dist/ledger/canonical.js'
import { encodeHeader, GENESIS, payloadHash } from '../../dist/ledger/event.js'
import { eventMessage } from '../../dist/ledger/signing.js'
import { sha256 } from '../../dist/stores/digest.js'
import { signWith } from '../../dist/stores/sign-with.js'
import { loadSqlite } from '../../dist/stores/sqlite/driver.js'
import { openSqliteStore } from '../../dist/stores/sqlite.js'
import { answer, inTurns } from '../measure.js'
import { note, settle, temporary } from './workbench.js'

const BATCH = 64

/** The bare work: rows made beforehand where the floor does not count making them. */
export async function rawSqlite(directory) {
  const { DatabaseSync } = await loadSqlite()
  await (await openSqliteStore({ directory })).close()
  const db = new DatabaseSync(`${directory}/witan.db`)
  db.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA foreign_keys = ON',
  )
  db.exec(`INSERT INTO traces(trace, protocol) VALUES ('01BENCH', 'diary/1')`)
  const insert = db.prepare(
    'INSERT INTO events(trace, seq, hash, prev, signature, header, payload, salt) VALUES (1, ?, ?, ?, ?, ?, ?, ?)',
  )
  let seq = 0
  let prev = Buffer.alloc(32)
  const put = (row) => {
    insert.run(seq++, row.hash, prev, row.signature, row.header, row.payload, row.salt)
    prev = row.hash
  }
  return {
    close: () => db.close(),
    transaction(rows) {
      db.exec('BEGIN IMMEDIATE')
      for (const row of rows) put(row)
      db.exec('COMMIT')
    },
  }
}

const headerFor = (actor, n) => ({
  v: 1,
  protocol: 'diary/1',
  trace: '01KE0000000000000000000000',
  seq: n,
  at: '2026-01-01T00:00:00.000Z',
  type: 'noted',
  actor,
  prev: GENESIS,
  payload_hash: GENESIS,
  registry: { size: 2, hash: GENESIS },
})

export const rowsFor = (actor, count) =>
  Array.from({ length: count }, (_, n) => ({
    hash: randomBytes(32),
    signature: randomBytes(64),
    header: encodeHeader(headerFor(actor, n)),
    payload: Buffer.from(canonicalize(note(actor, n).payload)),
    salt: randomBytes(16),
  }))

/** Signs by libsodium where it is installed, as the ledger does once there is enough to sign. */
export function fastSigner(key) {
  const sign = signWith(key)
  for (let i = 0; i < 200; i++) sign(randomBytes(32))
  return sign
}

/** Canonicalise, two hashes and a signature for every row: what any such ledger must do. */
export function makeParts(kit, drafts, sign) {
  const salt = randomBytes(16)
  for (const [n, draft] of drafts.entries()) {
    const payload = Buffer.from(canonicalize(draft.payload))
    payloadHash(sha256, salt, payload)
    const header = Buffer.from(canonicalize(headerFor(kit.actor, n)))
    sha256(Uint8Array.of(0), header)
    sign(eventMessage(header))
  }
}

const SINGLES = 150
const BATCHES = 16

export async function singleAndBatchRows() {
  const home = temporary()
  const bare = temporary()
  const store = await openSqliteStore({ directory: home.directory })
  const kit = await settle(store)
  const raw = await rawSqlite(bare.directory)
  const log = kit.newBook()
  const message = randomBytes(600)
  const sign = fastSigner(kit.privateKey)
  const drafts = (count) => Array.from({ length: count }, (_, n) => note(kit.actor, n))
  const batches = (make) => Array.from({ length: BATCHES }, make)
  const single = await inTurns({
    ours: {
      prepare: () => drafts(SINGLES),
      run: async (input) => {
        for (const draft of input) await log.append([draft])
        return SINGLES
      },
    },
    floor: {
      prepare: () => rowsFor(kit.actor, SINGLES),
      run: (input) => {
        for (const row of input) {
          sign(message)
          raw.transaction([row])
        }
        return SINGLES
      },
    },
  })
  const batch = await inTurns({
    ours: {
      prepare: () => batches(() => drafts(BATCH)),
      run: async (input) => {
        for (const batch of input) await log.append(batch)
        return BATCHES * BATCH
      },
    },
    floor: {
      prepare: () => batches(() => ({ drafts: drafts(BATCH), rows: rowsFor(kit.actor, BATCH) })),
      run: (input) => {
        for (const { drafts, rows } of input) {
          makeParts(kit, drafts, sign)
          raw.transaction(rows)
        }
        return BATCHES * BATCH
      },
    },
  })
  await store.close()
  raw.close()
  home.remove()
  bare.remove()
  return [
    answer({
      question: 'SQLite: durable single append over row and libsodium signature, time',
      ours: 'ours',
      floor: 'floor',
      rates: single,
      atMost: 1.25,
    }),
    answer({
      question: 'SQLite: batch of 64 over the sum of its parts signed by libsodium, rate',
      ours: 'ours',
      floor: 'floor',
      rates: batch,
      atLeast: 1.1,
    }),
  ]
}

/** A home with one trace of so many events. */
async function grown(events) {
  const home = temporary()
  const store = await openSqliteStore({ directory: home.directory })
  const kit = await settle(store)
  const log = kit.newBook()
  let canonical = 0
  while (log.size < events) {
    const batch = Array.from({ length: 250 }, (_, n) => note(kit.actor, n))
    for (const event of await log.append(batch)) canonical += event.header.length + event.payload.length
  }
  const append = {
    prepare: () => Array.from({ length: SINGLES }, (_, n) => note(kit.actor, n)),
    run: async (input) => {
      for (const draft of input) await log.append([draft])
      return SINGLES
    },
  }
  return { home, store, canonical, append }
}

async function growth() {
  const old = await grown(100_000)
  const young = await grown(1_000)
  // Measured before more is appended, with the log emptied by the closing of a second connection.
  await (await openSqliteStore({ directory: old.home.directory })).close()
  const bytes = statSync(`${old.home.directory}/witan.db`).size
  const rates = await inTurns({ old: old.append, young: young.append })
  for (const side of [old, young]) {
    await side.store.close()
    side.home.remove()
  }
  return { rates, bytes, canonical: old.canonical }
}

export async function growthRows() {
  const { rates, bytes, canonical } = await growth()
  return [
    answer({
      question: 'SQLite: appends at 100,000 events against 1,000, rate',
      ours: 'old',
      floor: 'young',
      rates,
      atLeast: 0.9,
    }),
    {
      question: 'SQLite: bytes on disk a canonical byte, 100,000 events',
      ours: `${(bytes / 1e6).toFixed(1)} MB`,
      floor: `${(canonical / 1e6).toFixed(1)} MB`,
      ratio: (bytes / canonical).toFixed(2),
      spread: '',
      wanted: '≤ 1.3',
      met: bytes / canonical <= 1.3 ? 'yes' : 'NO',
    },
  ]
}
