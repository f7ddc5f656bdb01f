// What .gitignore and .witanignore files say, read the way git reads them: each counts for its own folder and below,
// the deeper file has the last word, .witanignore after .gitignore. They may come with a hostile clone: their size is
// bounded, and a pattern that could be matched in too many ways is widened, so that it hides more, never less.

import type { Ignore } from 'ignore'
import { readBounded } from './read.ts'

const OURS = '.witanignore'
const NAMES = ['.gitignore', OURS]
const MAX_BYTES = 256 * 1024
const MAX_LINES = 2_000
const MAX_LINE = 500
const MAX_STARS = 3

/** The same pattern, or one that matches more in fewer ways; null for one that may be left out. */
function tamed(line: string): string | null {
  if (line.length > MAX_LINE) return null
  const calm = (part: string) => {
    if (part === '**' || part.split(/\*+/).length - 1 <= MAX_STARS) return part
    const [first = '', ...rest] = part.split(/\*+/)
    return `${first}*${rest.at(-1) ?? ''}`
  }
  const parts = line.split('/').map(calm)
  const deep = parts.flatMap((part, i) => (part === '**' ? [i] : []))
  const [from = 0, to = 0] = [deep[0], deep.at(-1)]
  const joined = (deep.length > MAX_STARS ? [...parts.slice(0, from), ...parts.slice(to)] : parts).join('/')
  if (joined === line) return line
  return line.startsWith('!') ? null : joined
}

interface Layer {
  /** The folder that the patterns are relative to, as path from the top; empty for the top itself. */
  readonly folder: string
  readonly rules: Ignore
}

export type Layers = readonly Layer[]

async function patternsIn(folder: string, names: readonly string[]): Promise<string | null> {
  const texts: string[] = []
  for (const name of names) {
    const read = await readBounded(`${folder}/${name}`, MAX_BYTES)
    if ('bytes' in read) texts.push(new TextDecoder().decode(read.bytes))
  }
  if (texts.length === 0) return null
  const lines = texts.join('\n').split(/\r?\n/).slice(0, MAX_LINES)
  return lines.flatMap((line) => tamed(line) ?? []).join('\n')
}

/** The layers with that of one more folder. */
export async function withFolder(
  layers: Layers,
  absolute: string,
  folder: string,
  names: readonly string[] = NAMES,
): Promise<Layers> {
  const patterns = await patternsIn(absolute, names)
  if (patterns === null) return layers
  const { default: ignore } = await import('ignore')
  return [...layers, { folder, rules: ignore({ allowRelativePaths: true }).add(patterns) }]
}

/** `path` from the top; a folder has a slash at its end. */
export function isIgnored(layers: Layers, path: string): boolean {
  let ignored = false
  for (const { folder, rules } of layers) {
    const inside = folder === '' ? path : path.slice(folder.length + 1)
    if (inside === '' || (folder !== '' && !path.startsWith(`${folder}/`))) continue
    const verdict = rules.test(inside)
    if (verdict.ignored) ignored = true
    else if (verdict.unignored) ignored = false
  }
  return ignored
}

/** Whether .witanignore alone hides a path, given from the top: what git tracks, .gitignore does not hide. */
export function withheld(top: string): (path: string) => Promise<boolean> {
  const known = new Map<string, Promise<Layers>>()
  const layersOf = (folder: string): Promise<Layers> => {
    const found = known.get(folder)
    if (found) return found
    const above =
      folder === '' ? Promise.resolve<Layers>([]) : layersOf(folder.split('/').slice(0, -1).join('/'))
    const layers = above.then((each) =>
      withFolder(each, folder === '' ? top : `${top}/${folder}`, folder, [OURS]),
    )
    known.set(folder, layers)
    return layers
  }
  return async (path) => {
    const parts = path.split('/')
    for (let i = 1; i <= parts.length; i++) {
      const layers = await layersOf(parts.slice(0, i - 1).join('/'))
      if (isIgnored(layers, parts.slice(0, i).join('/') + (i < parts.length ? '/' : ''))) return true
    }
    return false
  }
}
