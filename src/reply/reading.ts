// What a reading gives: the value and the repairs made, or what is missing, or prose, or a refusal.

import type { Json } from '../ledger/canonical.ts'
import type { Repair } from './repairs.ts'

/** A reply as the wire carried it, exactly as the model wrote it. */
export interface RawReply {
  readonly text: string
  readonly tool_calls?: readonly { readonly name: string; readonly arguments: string }[]
  readonly reasoning_content?: string
  readonly finish_reason?: string
  readonly refusal?: string
  /** The stream ended before it was finished. */
  readonly cut?: boolean
}

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
