// The guards in the tables themselves, met as any program that opens the file meets them: by plain SQL.

import { beforeEach, describe, expect, it } from 'vitest'
import { type Database, loadSqlite } from './driver.ts'
import { DDL } from './schema.ts'

const [TRACE, REGISTRY, OTHER] = [1, 2, 3]
const hash = (n: number): string => `x'${n.toString(16).padStart(64, '0')}'`
const ZERO = hash(0)
const COLUMNS = 'trace, seq, hash, prev, signature, header, payload, salt'

interface Row {
  readonly trace: number
  readonly seq: number
  readonly hash: string
  readonly prev: string
  readonly content?: string
}
const insert = ({ trace, seq, hash: own, prev, content = "x'aa', x'bb'" }: Row, verb = 'INSERT'): string =>
  `${verb} INTO events(${COLUMNS}) VALUES (${trace}, ${seq}, ${own}, ${prev}, x'01', x'02', ${content})`
const redaction = (trace: number, seq: number | null, artifact: string | null, registry = REGISTRY, at = 1) =>
  `INSERT INTO redactions(trace, seq, artifact, registry, registry_seq)
   VALUES (${trace}, ${seq}, ${artifact}, ${registry}, ${at})`

describe('the tables of a store', () => {
  let db: Database
  const all = (): unknown =>
    ['traces', 'events', 'redactions', 'artifacts'].map((table) => db.prepare(`SELECT * FROM ${table}`).all())
  const refuses = (sql: string): void => {
    const before = all()
    expect(() => db.exec(sql), sql).toThrow()
    expect(all(), sql).toEqual(before)
  }

  beforeEach(async () => {
    db = new (await loadSqlite()).DatabaseSync(':memory:')
    // As other programs open it: what a store asks for besides is not theirs to keep to.
    db.exec('PRAGMA foreign_keys = OFF')
    db.exec(DDL)
    db.exec("INSERT INTO traces VALUES (1, 'T', 'errand/1'), (2, 'R', 'registry/1'), (3, 'U', 'errand/1')")
    for (const [trace, size] of [
      [TRACE, 3],
      [REGISTRY, 2],
      [OTHER, 2],
    ] as const) {
      for (let seq = 0; seq < size; seq++) {
        const prev = seq === 0 ? ZERO : hash(trace * 16 + seq)
        db.exec(insert({ trace, seq, hash: hash(trace * 16 + seq + 1), prev }))
      }
    }
  })

  it('LED-2 lets nothing be deleted or changed', () => {
    db.exec(redaction(TRACE, 1, null))
    for (const table of ['traces', 'events', 'redactions']) {
      refuses(`DELETE FROM ${table} WHERE rowid = (SELECT max(rowid) FROM ${table})`)
      refuses(`UPDATE ${table} SET id = id + 100 WHERE rowid = (SELECT max(rowid) FROM ${table})`)
    }
    refuses("UPDATE traces SET protocol = 'other/1' WHERE id = 1")
    refuses('UPDATE redactions SET seq = 2')
  })

  it('LED-2 lets no row be put in the place of another', () => {
    db.exec(redaction(TRACE, 1, null))
    const next = { trace: TRACE, seq: 3, hash: hash(99), prev: hash(TRACE * 16 + 3) }
    refuses(insert({ ...next, seq: 2, prev: hash(TRACE * 16 + 2) }, 'INSERT OR REPLACE'))
    refuses(
      insert({ ...next })
        .replace(`(${COLUMNS}) VALUES (`, `(id, ${COLUMNS}) VALUES (1, `)
        .replace('INSERT', 'INSERT OR REPLACE'),
    )
    refuses("INSERT OR REPLACE INTO traces VALUES (9, 'T', 'errand/1')")
    refuses("INSERT OR REPLACE INTO traces VALUES (1, 'V', 'errand/1')")
    refuses(
      redaction(TRACE, 2, null)
        .replace('redactions(', 'redactions(id, ')
        .replace('VALUES (', 'VALUES (1, ')
        .replace('INSERT', 'INSERT OR REPLACE'),
    )
    db.exec(insert(next))
  })

  it('LED-1 LED-7 takes only the event that follows the last of its trace', () => {
    const next = { trace: TRACE, seq: 3, hash: hash(99), prev: hash(TRACE * 16 + 3) }
    db.exec("INSERT INTO traces VALUES (4, 'V', 'errand/1')")
    for (const wrong of [
      { seq: 4 },
      { seq: 2, prev: hash(TRACE * 16 + 2) },
      { prev: hash(TRACE * 16 + 2) },
      { prev: hash(77) },
      { prev: hash(OTHER * 16 + 2), seq: 2 },
      { trace: OTHER },
      { trace: 9 },
      { seq: -1 },
      { hash: "x'aa'" },
      { trace: 4, seq: 0 },
      { trace: 4, seq: 1, prev: ZERO },
      { trace: 4, seq: -1, prev: ZERO },
      { trace: 4, seq: 0, prev: "x''" },
      { content: "x'aa', NULL" },
      { content: "NULL, x'bb'" },
    ])
      refuses(insert({ ...next, ...wrong }))
    db.exec(insert(next))
    db.exec(insert({ trace: 4, seq: 0, hash: hash(98), prev: ZERO, content: 'NULL, NULL' }))
  })

  it('LED-10 has one registry', () => {
    refuses("INSERT INTO traces VALUES (9, 'S', 'registry/1')")
    expect(() => db.exec("INSERT OR REPLACE INTO traces VALUES (9, 'S', 'registry/1')")).toThrow(
      'one registry',
    )
  })

  it('LED-14 allows deleting a payload with its salt if a redaction of it is recorded, and nothing else of the event', () => {
    const erase = (rest = '', where = `trace = ${TRACE} AND seq = 1`): string =>
      `UPDATE events SET payload = NULL, salt = NULL${rest} WHERE ${where}`
    refuses(erase())
    db.exec(redaction(TRACE, 1, null))
    for (const where of [`trace = ${TRACE} AND seq = 2`, `trace = ${OTHER} AND seq = 1`, 'seq = 1'])
      refuses(erase('', where))
    for (const change of [
      'id = 50',
      'trace = 4',
      'seq = 7',
      `hash = ${hash(77)}`,
      `prev = ${hash(77)}`,
      "signature = x'05'",
      "header = x'05'",
    ])
      refuses(erase(`, ${change}`))
    refuses('UPDATE events SET payload = NULL WHERE id = 2')
    refuses('UPDATE events SET salt = NULL WHERE id = 2')
    refuses("UPDATE events SET payload = x'cc' WHERE id = 2")
    db.exec(erase())
    refuses("UPDATE events SET payload = x'aa', salt = x'bb' WHERE id = 2")
  })

  it('LED-14 records a redaction of one thing, by an event that the registry has, and of nothing in the registry', () => {
    const artifact = hash(5)
    for (const wrong of [
      redaction(TRACE, null, null),
      redaction(TRACE, 1, artifact),
      redaction(TRACE, 1, null, REGISTRY, 2),
      redaction(TRACE, 1, null, OTHER, 1),
      redaction(OTHER, 1, null, TRACE, 1),
      redaction(REGISTRY, 0, null),
      redaction(REGISTRY, null, artifact),
    ])
      refuses(wrong)
    db.exec(redaction(TRACE, null, artifact))
    db.exec(redaction(TRACE, 1, null))
    db.exec('PRAGMA foreign_keys = ON')
    for (const unknown of [redaction(TRACE, 9, null), redaction(9, null, artifact)]) refuses(unknown)
  })

  it('LED-2 LED-14 allows deleting an artifact only with a redaction that names it, and never a change', () => {
    db.exec(`INSERT INTO artifacts(hash, bytes) VALUES (${hash(1)}, x'aa'), (${hash(2)}, x'bb')`)
    db.exec(redaction(TRACE, null, hash(1)))
    refuses(`DELETE FROM artifacts WHERE hash = ${hash(2)}`)
    refuses('DELETE FROM artifacts')
    refuses("UPDATE artifacts SET bytes = x'cc'")
    refuses(`INSERT OR REPLACE INTO artifacts(hash, bytes) VALUES (${hash(2)}, x'cc')`)
    refuses(`INSERT OR REPLACE INTO artifacts(id, hash, bytes) VALUES (2, ${hash(3)}, x'cc')`)
    db.exec(`DELETE FROM artifacts WHERE hash = ${hash(1)}`)
    expect(db.prepare('SELECT id FROM artifacts').all()).toEqual([{ id: 2 }])
  })
})
