// The result of a reading: the value and the repairs made, or what is missing, or prose, or a refusal.

import type { Json } from '../ledger/canonical.ts'
import type { Repair } from './repairs.ts'

export type { RawReply } from '../ledger/raw-reply.ts'

export type Reading =
  | { readonly outcome: 'kept'; readonly value: Json; readonly repairs: readonly Repair[] }
  /** Places of the shape; `answer`: no usable answer at all; `rest`: it is cut off. */
  | { readonly outcome: 'missing'; readonly missing: readonly string[]; readonly repairs: readonly Repair[] }
  /** An opinion in prose: its text without hidden reasoning, and its stance or `unstated`. */
  | {
      readonly outcome: 'prose'
      readonly text: string
      readonly stance: string
      readonly repairs: readonly Repair[]
    }
  | { readonly outcome: 'refused'; readonly repairs: readonly Repair[] }

export const missing = (...places: readonly string[]): Reading => ({
  outcome: 'missing',
  missing: places,
  repairs: [],
})

export const REFUSED: Reading = { outcome: 'refused', repairs: [] }
