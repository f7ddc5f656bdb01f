// A pack is a value: everything that a model may be told about files, already cleaned, in order, with a list
// of exclusions. It contains no time, no absolute path and nothing about this machine: the same tree gives
// the same bytes.

import { utf8 } from '../ledger/bytes.ts'
import { canonicalize } from '../ledger/canonical.ts'
import { countsOf, type Exclusion } from './exclusion.ts'
import type { Category } from './key-files.ts'

/** A text as a prompt quotes it: `context:PATH` is that file, `diff` a change, `context` the list of contents. */
export interface PackPart {
  readonly name: string
  /** Null for a text that is not a single file. */
  readonly path: string | null
  readonly text: string
  readonly lines: number
  readonly truncated: boolean
}

/** A file in the index of a pack. */
export interface IndexEntry {
  readonly path: string
  readonly bytes: number
  readonly lines: number
  readonly key: Category | null
  /** How much of it a reader gets: all, a part, an outline, or only this line. */
  readonly shown: 'whole' | 'cut' | 'outline' | 'listed'
}

/** Where a secret was removed, and of what kind; never the secret. */
export interface RemovedSecret {
  readonly path: string
  readonly rule: string
  readonly line: number
  readonly madeUp: boolean
}

/** The description of a pack. */
export interface Manifest {
  readonly version: 1
  readonly kind: Pack['kind']
  /** Why it is a summary; null for a full one. */
  readonly why: string | null
  readonly files: number
  readonly bytes: number
  readonly lines: number
  /** File name endings and how many files have each. */
  readonly endings: { readonly [ending: string]: number }
  readonly excluded: { readonly [reason: string]: number }
  readonly secretsRemoved: number
}

/** What a council is shown of a folder or a change. */
export interface Pack {
  readonly kind: 'full' | 'summary'
  readonly manifest: Manifest
  readonly index: readonly IndexEntry[]
  readonly parts: readonly PackPart[]
  /** A shorter form of the same, for rounds that have more to read. */
  readonly condensed: readonly PackPart[]
  readonly excluded: readonly Exclusion[]
  readonly removed: readonly RemovedSecret[]
  /** The files that are shown, with how many lines each has: a finding is in one of these or nowhere. */
  readonly reviewed: readonly { readonly path: string; readonly lines: number; readonly bytes: number }[]
  /** What is compared, as text; null without a diff. */
  readonly diff: string | null
  /** Of the parts. */
  readonly bytes: number
  /** An estimate. */
  readonly tokens: number
}

/** The pack as bytes, to be hashed and kept. */
export const packBytes = (pack: Pack): Uint8Array => utf8(canonicalize(pack))

export const sizeOf = (parts: readonly { readonly text: string }[]): number =>
  parts.reduce((sum, { text }) => sum + utf8(text).length, 0)

export async function countTokens(parts: readonly { readonly text: string }[]): Promise<number> {
  const { estimateTokenCount } = await import('tokenx')
  return parts.reduce((sum, { text }) => sum + estimateTokenCount(text), 0)
}

/** Reasons for not showing a file that could be shown. */
const FOR_WANT_OF_ROOM: readonly Exclusion['reason'][] = ['over-limit', 'too-large']

/** Files that a pack does not contain completely, for lack of space, and what it contains of them. */
export function unseenIn({ index, excluded }: Pick<Pack, 'index' | 'excluded'>): readonly {
  readonly path: string
  readonly shown: 'part' | 'outline' | 'none'
}[] {
  const why = new Map(excluded.map(({ path, reason }) => [path, reason]))
  const isForRoom = (path: string): boolean => {
    const reason = why.get(path)
    return reason === undefined || FOR_WANT_OF_ROOM.includes(reason)
  }
  const shown = { cut: 'part', outline: 'outline', listed: 'none' } as const
  const listed = index.flatMap((entry) =>
    entry.shown === 'whole' || entry.bytes === 0 || !isForRoom(entry.path)
      ? []
      : [{ path: entry.path, shown: shown[entry.shown] }],
  )
  const known = new Set(index.map(({ path }) => path))
  const others = excluded.flatMap(({ path, reason }) =>
    known.has(path) || !FOR_WANT_OF_ROOM.includes(reason) ? [] : [{ path, shown: 'none' as const }],
  )
  return [...listed, ...others]
}

const named = ({ name, text }: PackPart) => ({ name, text })

/** The texts as a council keeps and quotes them. */
export const packText = (pack: Pack) => ({
  parts: pack.parts.map(named),
  condensed: pack.condensed.map(named),
})

/** What the trace records about the pack, without its texts. */
export const packRecord = (pack: Pack) => ({
  kind: pack.kind,
  files: pack.reviewed.map(({ path, lines, bytes }) => ({ path, lines, bytes })),
  excluded: countsOf(pack.excluded),
  bytes: pack.bytes,
  tokens: pack.tokens,
  diff: pack.diff,
})
