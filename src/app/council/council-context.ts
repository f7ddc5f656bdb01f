// What is laid before a council: the pack of a change, of named files, or of both. Secrets are out of it before it
// comes here, and what was left out is told with it.

import { realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Pack, packRecord, packText } from '../../context/pack.ts'
import type { PackText } from '../../council/context.ts'
import type { ContextRecord } from '../../council/events.ts'

export interface Laid {
  readonly pack: Pack
  readonly record: ContextRecord
  readonly text: PackText
  /** The folder whose contents these are, for consent. */
  readonly folder: string
}

export interface Wanted {
  /** `--context`. */
  readonly context: readonly string[]
  /** `review`: as typed; null when nothing is to be compared. */
  readonly words: readonly string[] | null
  /** `--diff`. */
  readonly range: string | null
}

/** Files named twice are laid down once. */
function once<Named>(items: readonly Named[], nameOf: (item: Named) => string | null): readonly Named[] {
  const seen = new Set<string>()
  return items.filter((item) => {
    const name = nameOf(item)
    if (name === null) return true
    const isNew = !seen.has(name)
    seen.add(name)
    return isNew
  })
}

/** One pack after the other, the change first. */
function joined(first: Pack, second: Pack): Pack {
  const parts = once([...first.parts, ...second.parts], ({ path }) => path)
  return {
    kind: first.kind === 'summary' || second.kind === 'summary' ? 'summary' : 'full',
    manifest: first.manifest,
    index: once([...first.index, ...second.index], ({ path }) => path),
    parts,
    condensed: once([...first.condensed, ...second.condensed], ({ path }) => path),
    excluded: [...first.excluded, ...second.excluded],
    removed: [...first.removed, ...second.removed],
    reviewed: once([...first.reviewed, ...second.reviewed], ({ path }) => path),
    diff: first.diff ?? second.diff,
    bytes: first.bytes + second.bytes,
    tokens: first.tokens + second.tokens,
  }
}

/** The folder that a path of one's own is in: consent is given for folders. */
async function folderOf(path: string): Promise<string> {
  const real = await realpath(path)
  return (await stat(real)).isDirectory() ? real : dirname(real)
}

/** Null when nothing is. */
export async function lay(folder: string, { context: paths, words, range }: Wanted): Promise<Laid | null> {
  const packs: Pack[] = []
  let whose = folder
  if (words !== null || range !== null) {
    const { reviewPack } = await import('../../context/review.ts')
    packs.push(await reviewPack({ folder, words: words ?? [], ...(range !== null && { range }) }))
  }
  if (paths.length > 0) {
    const { filesPack } = await import('../../context/review.ts')
    packs.push(await filesPack(folder, paths))
    const [first] = paths
    if (packs.length === 1 && paths.length === 1 && first !== undefined) whose = await folderOf(first)
  }
  const [first, second] = packs
  if (first === undefined) return null
  const pack = second === undefined ? first : joined(first, second)
  return { pack, record: packRecord(pack), text: packText(pack), folder: whose }
}
