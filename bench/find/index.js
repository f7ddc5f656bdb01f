// What searching costs: `find` beside plain queries on an FTS5 table that holds the same rows and their text, and
// appending with and without an index beside the ledger. All in one run, in turns. Three plain queries are printed, since
// they give different things; decisions/2026-11-18-what-find-is-compared-with.md says which one is meant.
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { findIn } from '../../dist/app/traces/find.js'
import { canonicalize } from '../../dist/ledger/canonical.js'
import { GENESIS } from '../../dist/ledger/event.js'
import { readQuery } from '../../dist/ledger/text/search.js'
import { collectTexts } from '../../dist/stores/searched-text.js'
import { loadSqlite } from '../../dist/stores/sqlite/driver.js'
import { openSqliteStore } from '../../dist/stores/sqlite.js'

const EVENTS = Number(process.env.EVENTS ?? 100_000)
const TRACES = 100
const TURNS = 200
const WARM_UP = 2
/** Of one row of the table: a query of seconds is not asked two hundred times. */
const MOST_MS = 4000
const SHOWN = 20
const WORDS = 5000
const home = mkdtempSync(join(tmpdir(), 'witan-find-'))
const median = (times) => [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)]

let seed = 7
const chance = () => {
  seed = (seed * 1103515245 + 12345) % 2147483648
  return seed / 2147483648
}
/** Words as rare as in a language: the nth about 1/n as often as the first. */
const word = () => `w${Math.floor(WORDS ** chance())}x`
const sentence = (n) => Array.from({ length: 120 }, word).join(' ') + (n % 1000 === 0 ? ' kingfisher' : '')

let events = 0
const hashOf = (n) => n.toString(16).padStart(64, '0')
/** Not signed: a store keeps bytes and order. */
function event(trace, seq, prev) {
  const n = ++events
  const header = {
    v: 1,
    protocol: 'council/1',
    trace,
    seq,
    at: new Date(1.7e12 + n * 1000).toISOString(),
    type: 'noted',
    actor: { agent: 'clerk', role: 'clerk', key: hashOf(1) },
    prev,
    payload_hash: hashOf(2),
    registry: { size: 1, hash: hashOf(3) },
  }
  const payload = { seat: 'openai', text: sentence(n) }
  const bytes = Buffer.from(canonicalize(header))
  return {
    header: bytes,
    hash: hashOf(n + 1_000_000),
    signature: Buffer.alloc(64),
    payload: Buffer.from(canonicalize(payload)),
    salt: Buffer.alloc(16),
  }
}

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const traceId = (n) =>
  `01${'0'.repeat(20)}${[...Array(4).keys()].map((i) => alphabet[Math.floor(n / 32 ** (3 - i)) % 32]).join('')}`

function chain(trace, from, count, prev) {
  const out = []
  for (let i = 0; i < count; i++) {
    const one = event(trace, from + i, prev)
    out.push(one)
    prev = one.hash
  }
  return out
}

async function appendSingly(store, count) {
  const trace = traceId(1000 + events)
  let end = { size: 0, hash: GENESIS }
  const all = chain(trace, 0, count, GENESIS)
  const start = performance.now()
  for (const one of all) {
    await store.append(trace, end, [one], undefined, true)
    end = { size: end.size + 1, hash: one.hash }
  }
  await store.settled()
  return count / ((performance.now() - start) / 1000)
}

try {
  const store = await openSqliteStore({ directory: home })
  for (let t = 0; t < TRACES; t++)
    await store.append(traceId(t), { size: 0, hash: GENESIS }, chain(traceId(t), 0, EVENTS / TRACES, GENESIS))
  const rates = { before: [], after: [] }
  await appendSingly(store, 2000)
  for (let i = 0; i < 7; i++) rates.before.push(await appendSingly(store, 2000))
  const collect = async (query) => {
    for await (const _ of store.find(readQuery(query))) break
  }
  const begun = performance.now()
  await collect('kingfisher')
  const built = performance.now() - begun
  for (let i = 0; i < 7; i++) rates.after.push(await appendSingly(store, 2000))
  await collect('kingfisher')

  const { DatabaseSync } = await loadSqlite()
  const plain = new DatabaseSync(join(home, 'plain.db'))
  plain.exec(
    "PRAGMA journal_mode = WAL; CREATE VIRTUAL TABLE plain USING fts5(text, tokenize='unicode61 remove_diacritics 2'); BEGIN",
  )
  const insert = plain.prepare('INSERT INTO plain(rowid, text) VALUES (?, ?)')
  let row = 0
  for (const { trace } of await store.traces())
    for await (const { payload } of store.read(trace))
      insert.run(++row, (await collectTexts(store, payload)).join('\n'))
  plain.exec('COMMIT')

  plain.exec(`ATTACH '${join(home, 'witan.db')}' AS ledger`)
  const kinds = [
    [
      'row numbers; find: the events, without the words around',
      'SELECT rowid FROM plain WHERE plain MATCH ? ORDER BY rowid DESC LIMIT ?',
      async (words) => {
        for await (const _ of store.find(readQuery(words))) break
      },
    ],
    [
      'row numbers and the words around',
      "SELECT rowid, snippet(plain, 0, '', '', '…', 24) FROM plain WHERE plain MATCH ? ORDER BY rowid DESC LIMIT ?",
      (words) => findIn(store, words, { limit: SHOWN }),
    ],
    [
      'all that find gives: the events, the words around, the openings of their traces',
      "SELECT e.*, o.header, o.payload, snippet(plain, 0, '', '', '…', 24) FROM plain JOIN ledger.events e ON e.id = plain.rowid JOIN ledger.events o ON o.trace = e.trace AND o.seq = 0 WHERE plain MATCH ? ORDER BY plain.rowid DESC LIMIT ?",
      (words) => findIn(store, words, { limit: SHOWN }),
    ],
    [
      'row numbers and the words around, by rank',
      "SELECT rowid, snippet(plain, 0, '', '', '…', 24) FROM plain WHERE plain MATCH ? ORDER BY rank LIMIT ?",
      (words) => findIn(store, words, { limit: SHOWN }),
    ],
  ]
  console.log(
    `Node ${process.version}, ${cpus().length} cores; ${row} events; index ${(statSync(join(home, 'search.db')).size / 1e6).toFixed(1)} MB, made in ${(built / 1000).toFixed(1)} s\n`,
  )
  console.log(
    '| words | what the plain query gives | find, ms | plain FTS5, ms | ratio |\n|---|---|---|---|---|',
  )
  for (const words of ['kingfisher', 'w2x w3x', 'w4000x', '"w2x w3x"', 'w1* w2*']) {
    const fts = readQuery(words)
      .map(({ words, isPrefix }) => `"${words.join(' ')}"${isPrefix ? '*' : ''}`)
      .join(' AND ')
    for (const [name, sql, ours] of kinds) {
      const statement = plain.prepare(sql)
      const times = { ours: [], plain: [] }
      const ends = performance.now() + MOST_MS
      for (let i = 0; i < WARM_UP; i++) {
        await ours(words)
        statement.all(fts, SHOWN)
      }
      for (let i = 0; i < TURNS && (performance.now() < ends || i < 3); i++) {
        const start = performance.now()
        await ours(words)
        const middle = performance.now()
        statement.all(fts, SHOWN)
        times.ours.push(middle - start)
        times.plain.push(performance.now() - middle)
      }
      const [own, other] = [times.ours, times.plain].map(median)
      console.log(
        `| ${words} | ${name} | ${own.toFixed(3)} | ${other.toFixed(3)} | ${(own / other).toFixed(2)} |`,
      )
    }
  }
  console.log(
    `\nappends one by one: ${Math.round(median(rates.before))}/s before there is an index, ${Math.round(median(rates.after))}/s after: ${(median(rates.before) / median(rates.after)).toFixed(2)} times as long`,
  )
  plain.close()
  await store.close()
} finally {
  rmSync(home, { recursive: true, force: true })
}
