// A set as a file: read whole, cleaned of secrets, and recorded by the hash of its bytes.

import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { MOST_ITEMS } from '../../eval/schema.ts'
import { writeItems } from '../../eval/set-artifact.ts'
import { gradingSeat, type Item } from '../../eval/sets/item.ts'
import { readSet } from '../../eval/sets/read-set.ts'
import { toHex, utf8 } from '../../ledger/bytes.ts'
import { isWitanError, WitanError } from '../../ledger/errors.ts'
import { MAX_READ_BYTES } from '../../protocol.ts'
import { sha256 } from '../../stores/digest.ts'
import { withoutTypedSecrets } from '../person.ts'

export interface SetFile {
  readonly name: string
  readonly format: string
  readonly sha256: string
  /** How many it has; `items` may be fewer. */
  readonly size: number
  readonly items: readonly Item[]
  /** How many secrets were removed. */
  readonly removed: number
}

const MOST_BYTES = 64 << 20

async function readFileBytes(file: string): Promise<Uint8Array> {
  try {
    const bytes = await readFile(file)
    if (bytes.length <= MOST_BYTES) return bytes
  } catch (error) {
    if (isWitanError(error)) throw error
    const code = (error as { readonly code?: string }).code
    if (code === 'ENOENT')
      throw new WitanError('FILE_NOT_FOUND', `there is no file ${file}`, 'Name the set as a path.')
    throw new WitanError(
      'FILE_UNREADABLE',
      `${file} cannot be read (${code ?? 'unknown'})`,
      'See its permissions.',
    )
  }
  throw new WitanError('USAGE', `${file} is larger than ${MOST_BYTES >> 20} MiB`, 'Give a smaller set.')
}

const unfit = (file: string, fault: string): WitanError =>
  new WitanError('USAGE', `${file} is no set: ${fault}`, 'See docs/eval.md for the formats.')

/** The same items for the same set and number, drawn from the whole set: sets are often sorted by topic. */
function drawn(items: readonly Item[], hash: string, limit: number | null): readonly Item[] {
  if (limit === null || limit >= items.length) return items
  const lots = items.map((item, at) => ({ item, at, lot: toHex(sha256(utf8(`${hash} ${item.id}`))) }))
  const chosen = lots.sort((a, b) => (a.lot < b.lot ? -1 : 1)).slice(0, limit)
  return chosen.sort((a, b) => a.at - b.at).map(({ item }) => item)
}

export interface SetRequest {
  readonly limit?: number | null
  /** For items that name none. */
  readonly grader?: string | null
}

export async function readSetFile(
  file: string,
  { limit = null, grader = null }: SetRequest = {},
): Promise<SetFile> {
  const bytes = await readFileBytes(file)
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw unfit(file, 'it is not UTF-8 text')
  }
  const set = readSet(text, { grader })
  if ('fault' in set) throw unfit(file, set.fault)
  const hash = toHex(sha256(bytes))
  const { value: items, removed } = await withoutTypedSecrets(drawn(set.items, hash, limit))
  if (items.length > MOST_ITEMS)
    throw unfit(file, `it has more than ${MOST_ITEMS} items; take some with --limit`)
  if (writeItems(items).length > MAX_READ_BYTES)
    throw unfit(file, 'its items take more than 4 MiB together; take some with --limit')
  return { name: basename(file), format: set.format, sha256: hash, size: set.items.length, items, removed }
}

/** Seats that the items want as graders. */
export const gradersIn = (items: readonly Item[]): readonly string[] => [
  ...new Set(items.flatMap(({ grader }) => gradingSeat(grader) ?? [])),
]
