// What is laid before a council: the pack of a change, of named files, or of both, and texts that come with the
// request. Secrets are taken out of all of it, and what was left out is told with it.

import { realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Pack, packRecord, packText } from '../../context/pack.ts'
import type { PackText } from '../../council/context.ts'
import type { ContextRecord } from '../../council/events.ts'
import { utf8 } from '../../ledger/bytes.ts'
import { WitanError } from '../../ledger/errors.ts'
import { linesOf } from '../../ledger/text/lines.ts'

export interface Laid {
  /** Null when there are only texts that came with the request. */
  readonly pack: Pack | null
  readonly record: ContextRecord
  readonly text: PackText
  /** The folder whose contents these are, for consent; null when there are none. */
  readonly folder: string | null
}

export interface Wanted {
  /** `--context`. */
  readonly context: readonly string[]
  /** `review`: as typed; null when nothing is to be compared. */
  readonly words: readonly string[] | null
  /** `--diff`. */
  readonly range: string | null
  /** Texts of the one who asks, each under a name of its own. */
  readonly texts?: readonly { readonly name: string; readonly text: string }[]
}

export const NOTHING_WANTED: Wanted = { context: [], words: null, range: null }

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

async function ownTexts(texts: NonNullable<Wanted['texts']>): Promise<Laid | null> {
  if (texts.length === 0) return null
  if (new Set(texts.map(({ name }) => name)).size < texts.length) {
    throw new WitanError('USAGE', 'two texts have one name', 'Name each text differently.')
  }
  const { allWithoutSecrets } = await import('../../context/clean.ts')
  const cleaned = await allWithoutSecrets(texts.map(({ name, text }) => ({ text, path: name })))
  const files = texts.map(({ name }, i) => ({ path: `host/${name}`, text: cleaned[i]?.text ?? '' }))
  const parts = files.map(({ path, text }) => ({ name: `context:${path}`, text }))
  const sizes = files.map(({ path, text }) => ({
    path,
    lines: linesOf(text).length,
    bytes: utf8(text).length,
  }))
  const bytes = sizes.reduce((sum, file) => sum + file.bytes, 0)
  const record: ContextRecord = { kind: 'full', files: sizes, excluded: {}, bytes, tokens: null, diff: null }
  return { pack: null, record, text: { parts, condensed: parts }, folder: null }
}

async function layFiles(folder: string, { context: paths, words, range }: Wanted): Promise<Laid | null> {
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

/** Null when nothing is. */
export async function lay(folder: string, wanted: Wanted): Promise<Laid | null> {
  const said = await ownTexts(wanted.texts ?? [])
  const found = await layFiles(folder, wanted)
  if (found === null || said === null) return found ?? said
  return {
    pack: found.pack,
    record: {
      ...found.record,
      files: [...found.record.files, ...said.record.files],
      bytes: found.record.bytes + said.record.bytes,
    },
    text: {
      parts: [...found.text.parts, ...said.text.parts],
      condensed: [...found.text.condensed, ...said.text.condensed],
    },
    folder: found.folder,
  }
}
