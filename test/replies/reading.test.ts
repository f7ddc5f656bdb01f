// The reader compared with the corpus: every reply gives what must be read from it, and the readings of all of them
// together are pinned, so that a released reader cannot change unseen.
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { canonicalize, type Json } from '../../src/ledger/canonical.ts'
import type { Reading } from '../../src/reply/reading.ts'
import { REPAIRS } from '../../src/reply/repairs.ts'
import { type CarelessReply, isReadable, readCorpus, SHAPES } from './corpus.ts'
import { readCareless } from './reading.ts'

/** Replies whose expectation contradicts the design, by id, each with the reason. They are not edited. */
const DISPUTED: Readonly<Record<string, string>> = {}

/** Of the readings of the eight frozen files by version 1 of the reader. */
const PINNED = '5ac5015c9f1d9b17aaa8185eab8f5df5539d4ce5b7dfea58d30ac47c35a73df1'

const corpus = readCorpus()
const readable = corpus.filter(isReadable)

const sorted = (places: readonly string[]): readonly string[] => [...places].sort()

/** What is compared: the outcome, without the repairs and without the order of places. */
function substanceOf(found: Reading | CarelessReply['expect']): Json {
  switch (found.outcome) {
    case 'kept':
      return { outcome: 'kept', value: found.value }
    case 'missing':
      return { outcome: 'missing', missing: sorted(found.missing) }
    case 'prose':
      return { outcome: 'prose', stance: found.stance, text: found.text }
    case 'refused':
      return { outcome: 'refused' }
  }
}

describe('the reader', () => {
  it.each(SHAPES)('reads from every reply of the corpus what must be read: %s', (shape) => {
    const replies = readable.filter((reply) => reply.shape === shape)
    const counts: Record<string, number> = {}
    for (const reply of replies.filter(({ id }) => !(id in DISPUTED))) {
      const reading = readCareless(reply)
      expect(substanceOf(reading), reply.id).toEqual(substanceOf(reply.expect))
      counts[reading.outcome] = (counts[reading.outcome] ?? 0) + 1
    }
    console.info(`${shape}: ${replies.length} replies, ${JSON.stringify(counts)}`)
  })

  it('leaves out no reply of the corpus without saying why', () => {
    for (const [id, reason] of Object.entries(DISPUTED)) console.info(`disputed: ${id}: ${reason}`)
    expect(Object.keys(DISPUTED).filter((id) => !readable.some((reply) => reply.id === id))).toEqual([])
    expect(Object.keys(DISPUTED).length).toBeLessThanOrEqual(5)
  })

  it('repairs nothing in a correct reply, and says what it repaired in every other that it keeps', () => {
    /** Careless on the wire, or careful inside: the text itself needs no repair. */
    const needless = ['opinion-68', 'exchange-16']
    for (const reply of readable) {
      const { outcome, repairs } = readCareless(reply)
      if (outcome !== 'kept' || needless.includes(reply.id)) continue
      expect(repairs.length > 0, `${reply.id} ${JSON.stringify(repairs)}`).toBe(reply.repairs.length > 0)
    }
  })

  it('makes every kind of repair that it names, in the corpus or in its own tests', () => {
    const made = new Set(readable.flatMap((reply) => readCareless(reply).repairs.map(({ kind }) => kind)))
    const elsewhere = ['inner-quote', 'escape', 'text-from-value', 'unquoted-text']
    expect(
      Object.keys(REPAIRS).filter((kind) => !made.has(kind as never) && !elsewhere.includes(kind)),
    ).toEqual([])
  })

  it('records repairs in little space', () => {
    for (const reply of readable)
      expect(JSON.stringify(readCareless(reply).repairs).length, reply.id).toBeLessThan(1_500)
  })

  it('reads the frozen corpus as version 1 always did', () => {
    const frozen = readable.filter(({ id }) => /^\w+-\d+$/.test(id))
    const readings = frozen.map((reply) => canonicalize({ id: reply.id, reading: readCareless(reply) }))
    expect(createHash('sha256').update(readings.join('\n')).digest('hex')).toBe(PINNED)
  })
})
