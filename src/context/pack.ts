// A pack is a value: everything a mind may be told about files, already cleaned, in order, with an account of what was
// left out. It holds no time, no absolute path and nothing of this machine: the same tree gives the same bytes.

import { utf8 } from '../ledger/bytes.ts'
import { canonicalize } from '../ledger/canonical.ts'
import { countsOf, type Exclusion } from './exclusion.ts'
import type { SnapshotFile } from './snapshot.ts'

// Which files say most about a project: at most five of a category and twenty-five in all, none over 50 KB, the
// shallower and smaller first. The same tree always gives the same choice.

/** Why a file is among the first to be read. */
export type Category = 'overview' | 'manifest' | 'entry' | 'interface' | 'source' | 'test' | 'operations'

const PER_CATEGORY = 5
const MAX_KEY_FILES = 25
export const MAX_KEY_BYTES = 50_000

const PROGRAM =
  /\.(?:[cm]?[jt]sx?|vue|svelte|py|rb|go|rs|java|kts?|scala|cs|fs|cc?|h|cpp|hpp|mm?|php|swift|dart|ex|exs|clj|hs|ml|sh)$/i

const RULES: readonly (readonly [Category, RegExp])[] = [
  ['overview', /(?:^|\/)(?:readme|architecture|contributing|design|changelog|security)(?:\.[a-z]+)?$/i],
  [
    'manifest',
    /(?:^|\/)(?:package\.json|pyproject\.toml|setup\.(?:py|cfg)|requirements[^/]*\.txt|cargo\.toml|go\.mod|pom\.xml|build\.gradle(?:\.kts)?|gemfile|composer\.json|mix\.exs|deno\.jsonc?|tsconfig[^/]*\.json|[^/]+\.csproj|cmakelists\.txt)$/i,
  ],
  [
    'test',
    /(?:^|\/)(?:tests?|__tests__|spec|e2e)\/|[._-](?:test|spec)\.[a-z]+$|(?:^|\/)test_[^/]+\.py$|Tests?\.(?:java|kt|cs)$/,
  ],
  [
    'entry',
    /(?:^|\/)(?:main|index|app|server|cli|manage|program|__main__|lib|mod)\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kt|cs|php|swift|c|cpp)$|(?:^|\/)bin\/[^/]+$/i,
  ],
  [
    'operations',
    /(?:^|\/)(?:dockerfile|containerfile|makefile|justfile|procfile|docker-compose[^/]*\.ya?ml|compose\.ya?ml)$|(?:^|\/)\.(?:github|gitlab|ci|circleci)\/|\.(?:tf|nix)$/i,
  ],
  [
    'interface',
    /\.(?:proto|graphql|gql|sql|prisma|thrift|avsc|xsd)$|(?:^|\/)(?:openapi|swagger|schema)[^/]*\.(?:json|ya?ml|ts)$/i,
  ],
]

export function categoryOf(path: string): Category | null {
  const found = RULES.find(([, pattern]) => pattern.test(path))
  return found ? found[0] : PROGRAM.test(path) ? 'source' : null
}

const ORDER: readonly Category[] = [
  'overview',
  'manifest',
  'entry',
  'interface',
  'source',
  'test',
  'operations',
]

const depth = (path: string): number => path.split('/').length

/** Shallower first, then smaller, then by name. */
function byRank(a: SnapshotFile, b: SnapshotFile): number {
  return depth(a.path) - depth(b.path) || a.bytes - b.bytes || (a.path < b.path ? -1 : 1)
}

/** The key files with their categories, in the order of both. */
export function keyFilesOf(files: readonly SnapshotFile[]): ReadonlyMap<string, Category> {
  const small = files.filter(({ bytes }) => bytes > 0 && bytes <= MAX_KEY_BYTES)
  const chosen = ORDER.flatMap((category) => {
    const ranked = small.filter(({ path }) => categoryOf(path) === category).sort(byRank)
    return ranked.slice(0, PER_CATEGORY).map(({ path }) => [path, category] as const)
  })
  return new Map(chosen.slice(0, MAX_KEY_FILES))
}

// What a project says about itself and where it starts, read from its manifest, its readme and the names of its
// files. Everything here is quoted from files, so it is taken from cleaned text only.

const README = /^readme(?:\.[a-z]+)?$/i
const MAX_ABOUT = 600
const MAX_ENTRIES = 20

type Texts = ReadonlyMap<string, string>

function manifestOf(texts: Texts): Readonly<Record<string, unknown>> {
  const text = texts.get('package.json')
  if (text === undefined) return {}
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {}
  } catch {
    // A manifest that is no JSON says nothing; the file itself is in the pack for whoever wants to see why.
    return {}
  }
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, MAX_ABOUT).toWellFormed()

/** The first paragraph of prose: no heading, badge or list. */
function paragraphOf(text: string): string | null {
  const paragraphs = text.slice(0, 20_000).split(/\r?\n\s*\r?\n/)
  return paragraphs.map((each) => each.trim()).find((each) => /^[A-Za-z*_"']/.test(each)) ?? null
}

export function aboutOf(texts: Texts): readonly string[] {
  const { name, description } = manifestOf(texts)
  const readme = [...texts].find(([path]) => README.test(path))?.[1]
  const lines = [
    typeof name === 'string' ? `name: ${name}` : null,
    typeof description === 'string' ? `description: ${description}` : null,
    readme === undefined ? null : paragraphOf(readme),
  ]
  return lines.flatMap((line) => (line === null || line === '' ? [] : [oneLine(line)]))
}

/** Every text inside a value, however deep; at most so many. */
function textsIn(value: unknown, left = 4): string[] {
  if (typeof value === 'string') return [value]
  if (left === 0 || typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap((each) => textsIn(each, left - 1))
}

export function entryPointsOf(paths: readonly string[], texts: Texts): readonly string[] {
  const { main, bin, exports } = manifestOf(texts)
  const declared = [main, bin, exports].flatMap((each) => textsIn(each)).filter((each) => !each.includes('*'))
  const byName = paths
    .filter((path) => path.split('/').length <= 3 && categoryOf(path) === 'entry')
    .sort((a, b) => a.split('/').length - b.split('/').length || (a < b ? -1 : 1))
  const all = [...declared.map((path) => `${oneLine(path)} (declared)`), ...byName]
  return [...new Set(all)].slice(0, MAX_ENTRIES)
}

/** A text as a prompt quotes it: `context:PATH` is that file, `diff` a change, `context` the account of the pack. */
export interface PackPart {
  readonly name: string
  /** Null for what is no single file. */
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

/** Where a secret was taken out, and of what kind; never the secret. */
export interface RemovedSecret {
  readonly path: string
  readonly rule: string
  readonly line: number
  readonly madeUp: boolean
}

/** What a pack says of itself. */
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

/** What is laid before a council of a folder or a change. */
export interface Pack {
  readonly kind: 'full' | 'summary'
  readonly manifest: Manifest
  readonly index: readonly IndexEntry[]
  readonly parts: readonly PackPart[]
  /** A shorter form of the same, for rounds that have more to read. */
  readonly condensed: readonly PackPart[]
  readonly excluded: readonly Exclusion[]
  readonly removed: readonly RemovedSecret[]
  /** What lies before the reader, with how many lines each has: a finding lies in one of these or nowhere. */
  readonly reviewed: readonly { readonly path: string; readonly lines: number; readonly bytes: number }[]
  /** What is compared, in words; null without a diff. */
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

export async function tokensOf(parts: readonly { readonly text: string }[]): Promise<number> {
  const { estimateTokenCount } = await import('tokenx')
  return parts.reduce((sum, { text }) => sum + estimateTokenCount(text), 0)
}

/** Reasons for which a file that could be shown is not. */
const FOR_WANT_OF_ROOM: readonly Exclusion['reason'][] = ['over-limit', 'too-large']

/** Files of which a pack does not hold all, for want of room, and what it holds of them. */
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

/** What the minutes say about the pack, without its texts. */
export const packRecord = (pack: Pack) => ({
  kind: pack.kind,
  files: pack.reviewed.map(({ path, lines, bytes }) => ({ path, lines, bytes })),
  excluded: countsOf(pack.excluded),
  bytes: pack.bytes,
  tokens: pack.tokens,
  diff: pack.diff,
})
