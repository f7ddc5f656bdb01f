// Makes a pack of a snapshot: in full when it fits, else a summary. Every text passes the cleaner before it
// becomes a part or an outline; a file that only contains key material is left out completely.

import type { Cleaned } from '../ledger/secrets/remove.ts'
import { aboutOf, entryPointsOf } from './about-project.ts'
import { allWithoutSecrets } from './clean.ts'
import { byPath, countsOf, type Exclusion } from './exclusion.ts'
import { headAndTail } from './head-and-tail.ts'
import { hotspotsOf } from './hotspots.ts'
import { keyFilesOf, MAX_KEY_BYTES } from './key-files.ts'
import { outlineOf } from './outline.ts'
import { type Account, overviewText } from './overview.ts'
import { countTokens, type IndexEntry, type Manifest, type Pack, type PackPart, sizeOf } from './pack.ts'
import type { Snapshot, SnapshotFile } from './snapshot.ts'

/** How much a pack may hold. */
export interface PackLimits {
  /** Files that are larger together are summarised. */
  readonly contents: number
  readonly files: number
  /** No pack is larger, including its list of contents. */
  readonly bytes: number
  /** Characters of a file; of a longer one the beginning and the end are shown. */
  readonly file: number
  /** Characters of the list of contents. */
  readonly overview: number
}

/** Beyond these a pack becomes a summary. */
export const PACK_LIMITS: PackLimits = {
  contents: 500_000,
  files: 200,
  bytes: 700_000,
  file: MAX_KEY_BYTES,
  overview: 120_000,
}
const LEAST_BYTES = 4_000
/** Reserved for the list of contents; the rest of a pack is for contents. */
const OVERVIEW_SHARE = 0.25
/** For the lines of the list of contents that are always there. */
const HEADING = 1_000

/** How a pack is made. */
export interface PackOptions {
  readonly form?: 'auto' | 'full' | 'summary'
  readonly limits?: Partial<PackLimits>
}

interface CleanFile extends SnapshotFile {
  readonly cleaned: Cleaned
}

const isKeyRule = (rule: string) =>
  rule === 'WITAN-SECRET-001' || rule === 'privatekey' || rule === 'key-material'

/** Most of its text was a key. */
function isKeyMaterial({ raw, cleaned }: CleanFile): boolean {
  if (!cleaned.removed.some(({ rule }) => isKeyRule(rule))) return false
  const nonBlankLines = (text: string) => text.split('\n').filter((line) => line.trim() !== '')
  const cleanLines = nonBlankLines(cleaned.text).filter((line) => !line.includes('[secret removed: '))
  return cleanLines.length < nonBlankLines(raw).length / 2
}

function manifestOf(kind: Pack['kind'], why: string | null, snapshot: Snapshot, removed: number): Manifest {
  const endings = new Map<string, number>()
  for (const { path } of snapshot.files) {
    const ending = /\.[A-Za-z0-9]{1,12}$/.exec(path)?.[0].toLowerCase() ?? 'none'
    endings.set(ending, (endings.get(ending) ?? 0) + 1)
  }
  const most = [...endings].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).slice(0, 12)
  const sum = (of: (file: SnapshotFile) => number) =>
    snapshot.files.reduce((total, file) => total + of(file), 0)
  return {
    version: 1,
    kind,
    why,
    files: snapshot.files.length,
    bytes: sum(({ bytes }) => bytes),
    lines: sum(({ lines }) => lines),
    endings: Object.fromEntries(most),
    excluded: countsOf(snapshot.excluded),
    secretsRemoved: removed,
  }
}

async function cleanAll(files: readonly SnapshotFile[]): Promise<{ files: CleanFile[]; keys: Exclusion[] }> {
  const cleaned = await allWithoutSecrets(files.map(({ raw, path }) => ({ text: raw, path })))
  const all = files.map((file, i) => ({ ...file, cleaned: cleaned[i] ?? { text: '', removed: [] } }))
  return {
    files: all.filter((file) => !isKeyMaterial(file)),
    keys: all.filter(isKeyMaterial).map(({ path }) => ({ path, reason: 'secret-content' })),
  }
}

export function filePart(path: string, cleaned: string, lines: number, whole = MAX_KEY_BYTES): PackPart {
  const cut = cleaned.length <= whole ? { text: cleaned, truncated: false } : headAndTail(cleaned)
  return { name: `context:${path}`, path, lines, ...cut }
}

const overviewPart = (account: Account, room: number): PackPart => {
  const text = overviewText(account, room)
  return { name: 'context', path: null, text, lines: text.split('\n').length, truncated: false }
}

/** As many parts as fit, named files first; each file in its own place. */
function fitting(parts: readonly PackPart[], named: ReadonlySet<string>, room: number): readonly PackPart[] {
  let remaining = room
  const rank = (part: PackPart) => (named.has(part.path ?? '') ? 0 : 1)
  const chosen = [...parts]
    .sort((a, b) => rank(a) - rank(b) || byPath({ path: a.path ?? '' }, { path: b.path ?? '' }))
    .filter((part) => {
      const size = sizeOf([part])
      if (size > remaining) return false
      remaining -= size
      return true
    })
  return parts.filter((part) => chosen.includes(part))
}

async function assemble(
  snapshot: Snapshot,
  kind: Pack['kind'],
  why: string | null,
  { bytes: limit, file: whole, overview: most }: PackLimits,
): Promise<Pack> {
  const keys = keyFilesOf(snapshot.files)
  const wanted =
    kind === 'full' ? snapshot.files : snapshot.files.filter((each) => each.named || keys.has(each.path))
  const clean = await cleanAll(wanted)
  const gone = new Set(clean.keys.map(({ path }) => path))
  const files = snapshot.files.filter(({ path }) => !gone.has(path))
  const removed = clean.files.flatMap(({ path, cleaned }) =>
    cleaned.removed.map((each) => ({ path, ...each })),
  )
  const texts = new Map(clean.files.map(({ path, cleaned }) => [path, cleaned.text]))
  const named = new Set(files.flatMap((each) => (each.named ? [each.path] : [])))
  const overviewRoom = Math.min(limit * OVERVIEW_SHARE, most)
  const shown = clean.files.filter(({ path }) => kind === 'full' || named.has(path))
  const all = shown.map(({ path, cleaned, lines }) => filePart(path, cleaned.text, lines, whole))
  const parts = fitting(all, named, limit - overviewRoom - HEADING)
  const squeezed = all
    .filter((part) => !parts.includes(part))
    .map(({ path }) => ({ path: path ?? '', reason: 'over-limit' as const }))
  const excluded: readonly Exclusion[] = [...snapshot.excluded, ...clean.keys, ...squeezed].sort(byPath)
  const manifest = manifestOf(kind, why, { files, excluded }, removed.length)
  const byName = new Map(parts.map((part) => [part.path, part]))
  const index: IndexEntry[] = files.map(({ path, bytes, lines }) => {
    const part = byName.get(path)
    const outlined = kind === 'summary' && keys.has(path) ? 'outline' : 'listed'
    return {
      path,
      bytes,
      lines,
      key: keys.get(path) ?? null,
      shown: part ? (part.truncated ? 'cut' : 'whole') : outlined,
    }
  })
  const account = { manifest, index, excluded, removed }
  const summary = {
    ...account,
    about: aboutOf(texts),
    entryPoints: entryPointsOf(
      files.map(({ path }) => path),
      texts,
    ),
    hotspots: hotspotsOf(files),
    outlines: clean.files
      .filter(({ path }) => keys.has(path))
      .map(({ path, cleaned }) => ({ path, outline: outlineOf(cleaned.text) })),
  }
  const out = [overviewPart(kind === 'full' ? account : summary, overviewRoom), ...parts]
  const reviewed = files.filter(({ path }) => byName.has(path) || (kind === 'summary' && keys.has(path)))
  return {
    kind,
    manifest,
    index,
    parts: out,
    condensed: [overviewPart(summary, Math.min(overviewRoom, 40_000))],
    excluded,
    removed,
    reviewed: reviewed.map(({ path, lines, bytes }) => ({ path, lines, bytes })),
    diff: null,
    bytes: sizeOf(out),
    tokens: await countTokens(out),
  }
}

const grouped = (value: number): string => value.toLocaleString('en-GB')

/** The pack of a snapshot: whole where it is small, else a summary. */
export async function packOf(snapshot: Snapshot, options: PackOptions = {}): Promise<Pack> {
  const limits = { ...PACK_LIMITS, ...options.limits }
  const bytes = Math.max(limits.bytes, LEAST_BYTES)
  const contents = Math.min(limits.contents, Math.floor(bytes * (1 - OVERVIEW_SHARE)) - HEADING)
  const total = snapshot.files.reduce((sum, file) => sum + file.bytes, 0)
  const form = options.form ?? 'auto'
  const why =
    form === 'summary'
      ? 'asked for'
      : total > contents
        ? `over ${grouped(contents)} bytes`
        : snapshot.files.length > limits.files
          ? `over ${grouped(limits.files)} files`
          : null
  const full = form === 'full' || why === null
  return assemble(snapshot, full ? 'full' : 'summary', full ? null : why, { ...limits, bytes })
}
