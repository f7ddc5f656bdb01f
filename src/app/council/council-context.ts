// What a council is shown: the pack of a change, of named files, or of both, and texts that come with the
// request. Secrets are removed from all of it, and exclusions are listed.

import { realpath, stat } from 'node:fs/promises'
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import { PACK_LIMITS, type PackOptions } from '../../context/build-pack.ts'
import { topOf } from '../../context/git.ts'
import { type Pack, packRecord, packText, unseenIn } from '../../context/pack.ts'
import type { PackText, Unseen } from '../../council/context.ts'
import type { ContextRecord } from '../../council/events.ts'
import { utf8 } from '../../ledger/bytes.ts'
import { WitanError } from '../../ledger/errors.ts'
import { linesOf } from '../../ledger/text/lines.ts'

type UnseenFile = Unseen['files'][number]

export interface LoadedContext {
  /** Null when there are only texts that came with the request. */
  readonly pack: Pack | null
  readonly record: ContextRecord
  readonly text: PackText
  /** Files that are not included completely, for lack of space. */
  readonly unseen: readonly UnseenFile[]
  /** Whose contents these are: consent is given for folders. */
  readonly folders: readonly string[]
}

/** How much a council can be shown. */
export interface Size {
  /** Files are shown whole, in as many prompts as they need; otherwise a large folder is summarized. */
  readonly isReview: boolean
  /** Size of the smallest prompt among the seats, in characters; null where it is not limited. */
  readonly promptChars: number | null
  /** At most this many parts in round one. */
  readonly mostParts: number
}

/** Of a prompt, for the list of contents; for a summary it is most of the text. */
const ACCOUNT_SHARE = { full: 0.15, summary: 0.7 } as const

/** Anything beyond this could not be shown to any model. */
function packOptions({ isReview, promptChars, mostParts }: Size): PackOptions {
  const chars = promptChars ?? PACK_LIMITS.bytes
  const account = Math.floor(chars * ACCOUNT_SHARE[isReview ? 'full' : 'summary'])
  const overview = Math.min(PACK_LIMITS.overview, account)
  if (!isReview) return { limits: { overview } }
  const bytes = Math.max(PACK_LIMITS.bytes, chars * mostParts)
  return { form: 'full', limits: { bytes, overview, file: Number.MAX_SAFE_INTEGER } }
}

export interface Wanted {
  /** `--context`. */
  readonly context: readonly string[]
  /** `review`: the range as typed; null when nothing is to be compared. */
  readonly words: readonly string[] | null
  /** `--diff`. */
  readonly range: string | null
  /** Texts of the caller, each under its own name. */
  readonly texts?: readonly {
    readonly name: string
    readonly text: string
    /** The name of their source in the record; by default the host. */
    readonly path?: string
  }[]
}

/** Files that are named twice are included once. */
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

async function findFolder(path: string): Promise<string> {
  const real = await realpath(path)
  return (await stat(real)).isDirectory() ? real : dirname(real)
}

function isInside(folder: string, other: string): boolean {
  const way = relative(folder, other)
  return way.split(sep)[0] !== '..' && !isAbsolute(way)
}

/** A change is of its whole repository; of several paths, those elsewhere are of folders of their own. */
async function foldersShown(folder: string, { context, words, range }: Wanted): Promise<readonly string[]> {
  const isReview = words !== null || range !== null
  const top = isReview ? topOf(folder) : null
  const paths = [...context, ...(top === null ? (words ?? []) : [])].map((path) => resolve(folder, path))
  const own = await Promise.all(paths.map(findFolder))
  if (top === null && own.length === 1) return own
  const here = await realpath(top ?? folder)
  const shown = own.map((one) => (isInside(here, one) ? here : one))
  return [...new Set(top === null ? shown : [here, ...shown])]
}

async function ownTexts(texts: NonNullable<Wanted['texts']>): Promise<LoadedContext | null> {
  if (texts.length === 0) return null
  if (new Set(texts.map(({ name }) => name)).size < texts.length) {
    throw new WitanError('USAGE', 'two texts have one name', 'Name each text differently.')
  }
  const { allWithoutSecrets } = await import('../../context/clean.ts')
  const cleaned = await allWithoutSecrets(texts.map(({ name, text }) => ({ text, path: name })))
  const files = texts.map(({ name, path = `host/${name}` }, i) => ({ path, text: cleaned[i]?.text ?? '' }))
  const parts = files.map(({ path, text }) => ({ name: `context:${path}`, text }))
  const sizes = files.map(({ path, text }) => ({
    path,
    lines: linesOf(text).length,
    bytes: utf8(text).length,
  }))
  const bytes = sizes.reduce((sum, file) => sum + file.bytes, 0)
  const record: ContextRecord = { kind: 'full', files: sizes, excluded: {}, bytes, tokens: null, diff: null }
  return { pack: null, record, text: { parts, condensed: parts }, unseen: [], folders: [] }
}

async function loadFiles(folder: string, wanted: Wanted, size: Size): Promise<LoadedContext | null> {
  const options = packOptions(size)
  const { context: paths, words, range } = wanted
  const packs: Pack[] = []
  if (words !== null || range !== null) {
    const { reviewPack } = await import('../../context/review.ts')
    packs.push(await reviewPack({ folder, words: words ?? [], ...(range !== null && { range }) }, options))
  }
  if (paths.length > 0) {
    const { filesPack } = await import('../../context/review.ts')
    packs.push(await filesPack(folder, paths, options))
  }
  const [first, second] = packs
  if (first === undefined) return null
  const pack = second === undefined ? first : joined(first, second)
  const folders = await foldersShown(folder, wanted)
  return { pack, record: packRecord(pack), text: packText(pack), unseen: unseenIn(pack), folders }
}

/** Null when there is nothing. */
export async function loadContext(folder: string, wanted: Wanted, size: Size): Promise<LoadedContext | null> {
  const ownContext = await ownTexts(wanted.texts ?? [])
  const fileContext = await loadFiles(folder, wanted, size)
  if (fileContext === null || ownContext === null) return fileContext ?? ownContext
  return {
    pack: fileContext.pack,
    record: {
      ...fileContext.record,
      files: [...fileContext.record.files, ...ownContext.record.files],
      bytes: fileContext.record.bytes + ownContext.record.bytes,
    },
    text: {
      parts: [...fileContext.text.parts, ...ownContext.text.parts],
      condensed: [...fileContext.text.condensed, ...ownContext.text.condensed],
    },
    unseen: fileContext.unseen,
    folders: fileContext.folders,
  }
}
