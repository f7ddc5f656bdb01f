// The outline of a file in a few lines: its imports, exports, and important declarations, with their line
// numbers. Each line is read alone and cut before it is matched.

import { linesOf } from '../ledger/text/lines.ts'

export interface Outline {
  readonly imports: readonly string[]
  readonly exports: readonly string[]
  readonly notable: readonly { readonly line: number; readonly text: string }[]
}
const MOST = 20
const LOOKED_AT = 300
const SHOWN_CHARACTERS = 140
const IMPORT = [
  /^\s{0,8}import\b.{0,200}?from\s{1,4}["']([^"']{1,200})["']/,
  /^\s{0,8}(?:const|let|var)\b.{0,120}?require\(["']([^"']{1,200})["']\)/,
  /^\s{0,8}import\s{1,4}["']([^"']{1,200})["']/,
  /^}\s{0,4}from\s{1,4}["']([^"']{1,200})["']/,
  /^\s{0,8}from\s{1,4}([\w.]{1,120})\s{1,4}import\b/,
  /^\s{0,8}(?:import|use|using|#include)\s{1,4}(?:static\s)?([\w.:<>"/*]{1,120})/,
]
const EXPORT = [
  /^\s{0,4}export\s{1,4}(?:default\s{1,4})?(?:declare\s{1,4})?(?:abstract\s{1,4})?(?:async\s{1,4})?(?:const|let|var|function\*?|class|interface|type|enum)\s{1,4}([\w$]{1,100})/,
  /^\s{0,4}(?:pub(?:\([a-z]{1,10}\))?)\s{1,4}(?:async\s{1,4})?(?:fn|struct|enum|trait|mod|const|type)\s{1,4}(\w{1,100})/,
  /^func\s{1,4}(?:\([^)]{0,80}\)\s{0,4})?([A-Z]\w{0,100})/,
  /^(?:async\s{1,4})?def\s{1,4}([A-Za-z]\w{0,100})/,
  /^class\s{1,4}([A-Za-z]\w{0,100})/,
  /^\s{0,4}public\s{1,4}(?:static\s|final\s|abstract\s|sealed\s|async\s){0,4}(?:class|interface|enum|record)\s{1,4}(\w{1,100})/,
  /^\s{0,4}(?:module\.)?exports\.([\w$]{1,100})\s{0,4}=/,
]
const NOTABLE =
  /^\s{0,8}(?:(?:export|public|private|protected|static|abstract|async|default|declare|pub)\s{1,4}){0,5}(?:function|class|interface|enum|trait|struct|impl|def|fn|func|record|CREATE\s{1,4}(?:TABLE|VIEW|INDEX)|ALTER\s{1,4}TABLE)\b|^#{1,3}\s|^FROM\s/
const first = (patterns: readonly RegExp[], line: string): string | null => {
  for (const pattern of patterns) {
    const match = pattern.exec(line)?.[1]
    if (match !== undefined) return match
  }
  return null
}
const distinct = (names: readonly (string | null)[]): string[] =>
  [...new Set(names.filter((name) => name !== null))].slice(0, MOST)
/** Of text that was cleaned before: an outline quotes. */
export function outlineOf(text: string): Outline {
  const lines = linesOf(text).map((line) => line.slice(0, LOOKED_AT))
  const notable = lines.flatMap((line, i) =>
    NOTABLE.test(line) ? [{ line: i + 1, text: line.trim().slice(0, SHOWN_CHARACTERS).toWellFormed() }] : [],
  )
  return {
    imports: distinct(lines.map((line) => first(IMPORT, line))),
    exports: distinct(lines.map((line) => first(EXPORT, line))),
    notable: notable.slice(0, MOST),
  }
}
