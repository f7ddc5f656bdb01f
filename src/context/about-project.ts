// What a project says about itself and where it starts, from its manifest, its readme and the names of its
// files. Everything is quoted from files, so only cleaned text is used.

import { categoryOf } from './key-files.ts'

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
    // A manifest that is not JSON is ignored; the file itself is in the pack.
    return {}
  }
}
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, MAX_ABOUT).toWellFormed()
/** The first paragraph of prose: no heading, badge or list. */
function paragraphOf(text: string): string | null {
  const paragraphs = text.slice(0, 20000).split(/\r?\n\s*\r?\n/)
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

/** Every text inside a value, at any depth; at most this many. */
function textsIn(value: unknown, depth = 4): string[] {
  if (typeof value === 'string') return [value]
  if (depth === 0 || typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap((each) => textsIn(each, depth - 1))
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
