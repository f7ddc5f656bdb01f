// Whether a finding points at an existing place. Models invent paths and lines; the files that were shown to
// the council, and how many lines each has, are recorded.

import type { ContextFile } from '../events.ts'
import type { LocationCheck } from '../replies/finding.ts'

const tables = new WeakMap<readonly ContextFile[], ReadonlyMap<string, number>>()

function linesOf(files: readonly ContextFile[]): ReadonlyMap<string, number> {
  const known = tables.get(files)
  if (known) return known
  const made = new Map(files.map(({ path, lines }) => [path, lines]))
  tables.set(files, made)
  return made
}

/** The path as the council was shown it, when only its spelling differs; null when there is no such file. */
export function reviewedPath(files: readonly ContextFile[], path: string): string | null {
  const known = linesOf(files)
  const spellings = [path, path.replaceAll('\\', '/').replace(/^\.\//, ''), path.replace(/^[ab]\//, '')]
  return spellings.find((spelling) => known.has(spelling)) ?? null
}

export function checkLocation(
  files: readonly ContextFile[],
  { file, line }: { readonly file: string | null; readonly line: number | null },
): LocationCheck {
  if (file === null) return 'none'
  const path = reviewedPath(files, file)
  if (path === null) return 'unknown-file'
  return line !== null && line > (linesOf(files).get(path) ?? 0) ? 'beyond-end' : 'ok'
}
