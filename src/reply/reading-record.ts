// The record of how a reply was read: by which version of the reader, its outcome, and the repairs. A
// verifier reads the raw reply again and must get the same record.

import { canonicalize } from '../ledger/canonical.ts'
import type { JsonSchema } from '../ledger/schema.ts'
import type { ReaderVersion } from './read-reply.ts'
import type { Reading } from './reading.ts'
import type { Repair } from './repairs.ts'

export interface ReadingRecord {
  readonly reader: number
  readonly outcome: Reading['outcome']
  /** Places of the shape that the reply lacks. */
  readonly missing: readonly string[]
  readonly repairs: readonly Repair[]
}

export const recordOf = (reader: ReaderVersion, reading: Reading): ReadingRecord => ({
  reader,
  outcome: reading.outcome,
  missing: reading.outcome === 'missing' ? reading.missing : [],
  repairs: reading.repairs,
})

export const isSameReading = (a: ReadingRecord, b: ReadingRecord): boolean =>
  canonicalize(a) === canonicalize(b)

const texts: JsonSchema = { type: 'array', items: { type: 'string' } }

export const READING: JsonSchema = {
  type: 'object',
  properties: {
    reader: { type: 'integer', minimum: 1 },
    outcome: { type: 'string', enum: ['kept', 'missing', 'prose', 'refused'] },
    missing: texts,
    repairs: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          kind: { type: 'string', minLength: 1 },
          at: texts,
          times: { type: 'integer', minimum: 1 },
        },
        required: ['kind', 'at', 'times'],
        additionalProperties: false,
      },
    },
  },
  required: ['reader', 'outcome', 'missing', 'repairs'],
  additionalProperties: false,
}
