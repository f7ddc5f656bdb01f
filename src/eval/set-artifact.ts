// The set as an evaluation keeps it: the items that are asked, in order, as one artifact.

import { fromUtf8, utf8 } from '../ledger/bytes.ts'
import { canonicalize } from '../ledger/canonical.ts'
import { closed, list, oneOf, orNull, text } from '../ledger/schema.ts'
import { misfit } from '../ledger/schema-fault.ts'
import { ITEM_MODES, type Item } from './sets/item.ts'

export const SET_ARTIFACT = 'set.json'

const SHAPE = list(
  closed({
    id: text({ minLength: 1 }),
    input: text(),
    target: list(text()),
    choices: list(text()),
    grader: text(),
    cluster: orNull(text()),
    mode: oneOf(ITEM_MODES),
    files: list(closed({ path: text(), text: text() })),
  }),
)

export const writeItems = (items: readonly Item[]): Uint8Array => utf8(canonicalize(items))

const known = new WeakMap<Uint8Array, readonly Item[] | null>()

/** Null when the bytes are not a set. Parsed once for the same bytes. */
export function readItems(bytes: Uint8Array): readonly Item[] | null {
  const read = known.get(bytes)
  if (read !== undefined) return read
  const items = parsed(bytes)
  known.set(bytes, items)
  return items
}

function parsed(bytes: Uint8Array): readonly Item[] | null {
  const words = fromUtf8(bytes)
  if (words === null) return null
  try {
    const value: unknown = JSON.parse(words)
    return misfit(SHAPE, value) === null ? (value as readonly Item[]) : null
  } catch {
    return null
  }
}
