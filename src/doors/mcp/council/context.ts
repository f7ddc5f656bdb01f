// What a host lays before a council: texts of its own, and files that it names. Files lie inside the folder the
// server works in, whatever a path or a link says, and secrets are taken out of all of it.

import { isAbsolute, relative, resolve, sep } from 'node:path'
import { lay } from '../../../app/council/council-context.ts'
import { allWithoutSecrets } from '../../../context/clean.ts'
import type { PackText } from '../../../council/context.ts'
import type { ContextRecord } from '../../../council/events.ts'
import { utf8 } from '../../../ledger/bytes.ts'
import { WitanError } from '../../../ledger/errors.ts'
import { linesOf } from '../../../ledger/text/lines.ts'

export interface Given {
  readonly texts: readonly { readonly name: string; readonly text: string }[]
  readonly paths: readonly string[]
  /** What to compare, as git names it; empty for what is not yet merged; null for nothing. */
  readonly range: string | null
}

export interface Laid {
  readonly record: ContextRecord
  readonly text: PackText
  /** The folder whose files these are; null when there are only the host's own texts. */
  readonly folder: string | null
}

/** Throws when a path leads out of the folder. Links are judged where they are followed. */
export function insideOf(folder: string, path: string): string {
  const way = relative(folder, resolve(folder, path))
  const leaves = way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)
  if (!leaves && !isAbsolute(path) && !path.includes('\0')) return path
  throw new WitanError(
    'USAGE',
    `${JSON.stringify(path.slice(0, 120))} is not inside the folder that this server works in`,
    'Name paths relative to it, or give the text itself.',
  )
}

async function own(texts: Given['texts']): Promise<Laid | null> {
  if (texts.length === 0) return null
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
  return { record, text: { parts, condensed: parts }, folder: null }
}

export async function layGiven(folder: string, { texts, paths, range }: Given): Promise<Laid | null> {
  const names = texts.map(({ name }) => name)
  if (new Set(names).size < names.length) {
    throw new WitanError('USAGE', 'two texts have one name', 'Name each text differently.')
  }
  const said = await own(texts)
  const context = paths.map((path) => insideOf(folder, path))
  const found = await lay(folder, {
    context,
    words: range === null ? null : [],
    range: range === '' ? null : range,
  })
  if (found === null || said === null) return found ?? said
  return {
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
