// The account of a pack as a reader gets it: what is here, what is not and why, then what a summary adds. Long lists
// end with a count, so that ten thousand files do not become ten thousand lines.

import { utf8 } from '../ledger/bytes.ts'
import { linesOf } from '../ledger/text/lines.ts'
import type { Exclusion } from './exclusion.ts'
import type { Hotspot } from './hotspots.ts'
import type { IndexEntry, Manifest, RemovedSecret } from './pack.ts'

// What a file says about itself in a few lines: what it brings in, what it gives out, and the declarations worth
// knowing, with their line numbers. Each line is looked at alone and cut before it is matched.

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
    const found = pattern.exec(line)?.[1]
    if (found !== undefined) return found
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

// A long text as its beginning and its end, with a line between that says what is missing.

const HEAD_LINES = 100
const TAIL_LINES = 50
const LINE_CHARS = 2_000

export interface Cut {
  readonly text: string
  readonly truncated: boolean
}

/** No half of a surrogate pair is left at the cut. */
const clipped = (line: string): string =>
  line.length <= LINE_CHARS
    ? line
    : `${line
        .slice(0, LINE_CHARS)
        .toWellFormed()
        .replace(/\ufffd$/, '')} [${line.length - LINE_CHARS} characters left out]`

export function headAndTail(text: string): Cut {
  const lines = linesOf(text)
  const short = lines.length <= HEAD_LINES + TAIL_LINES
  const kept = short
    ? lines
    : [
        ...lines.slice(0, HEAD_LINES),
        `[lines ${HEAD_LINES + 1} to ${lines.length - TAIL_LINES} left out]`,
        ...lines.slice(-TAIL_LINES),
      ]
  const clippedText = `${kept.map(clipped).join('\n')}\n`
  return clippedText === text || clippedText === `${text}\n`
    ? { text, truncated: false }
    : { text: clippedText, truncated: true }
}

export interface Account {
  readonly manifest: Manifest
  readonly index: readonly IndexEntry[]
  readonly excluded: readonly Exclusion[]
  readonly removed: readonly RemovedSecret[]
  readonly outlines?: readonly { readonly path: string; readonly outline: Outline }[]
  readonly hotspots?: readonly Hotspot[]
  readonly entryPoints?: readonly string[]
  /** What the project says it is. */
  readonly about?: readonly string[]
  readonly diff?: string | null
}

const number = (value: number): string => value.toLocaleString('en-GB')

function listed(title: string, lines: readonly string[], bytes: number): string[] {
  if (lines.length === 0) return []
  const kept: string[] = []
  let room = bytes
  for (const line of lines) {
    room -= utf8(line).length + 1
    if (room < 0) break
    kept.push(line)
  }
  const more = lines.length - kept.length
  return ['', title, ...kept, ...(more > 0 ? [`… and ${number(more)} more`] : [])]
}

const SHOWN = {
  whole: '',
  cut: ', shown in part',
  outline: ', outline below',
  listed: ', not shown',
} as const

const indexLine = ({ path, bytes, lines, key, shown }: IndexEntry): string =>
  `${path} (${number(bytes)} bytes, ${number(lines)} lines${key ? `, ${key}` : ''}${SHOWN[shown]})`

function outlineLines(path: string, { imports, exports, notable }: Outline): string[] {
  return [
    `${path}`,
    ...(exports.length > 0 ? [`  gives: ${exports.join(', ')}`] : []),
    ...(imports.length > 0 ? [`  uses: ${imports.join(', ')}`] : []),
    ...notable.map(({ line, text }) => `  ${line}: ${text}`),
  ]
}

const counts = (all: { readonly [name: string]: number }): string =>
  Object.entries(all)
    .map(([name, count]) => `${name} ${number(count)}`)
    .join(', ')

/** `room` in bytes, shared out: the index has the most to say. */
export function overviewText(account: Account, room: number): string {
  const { manifest, index, excluded, removed } = account
  const head = [
    `Context pack, ${manifest.kind}${manifest.why ? ` (${manifest.why})` : ''}: ${number(manifest.files)} files, ` +
      `${number(manifest.bytes)} bytes, ${number(manifest.lines)} lines.`,
    ...(account.diff ? [`Change: ${account.diff}.`] : []),
    ...(Object.keys(manifest.endings).length > 0 ? [`Files by ending: ${counts(manifest.endings)}.`] : []),
    ...(excluded.length > 0 ? [`Left out: ${counts(manifest.excluded)}.`] : []),
    ...(removed.length > 0
      ? [`Secrets removed: ${number(removed.length)}. A marker stands where each was.`]
      : []),
  ]
  const outlines = (account.outlines ?? []).flatMap(({ path, outline }) => outlineLines(path, outline))
  const leftOut = excluded.map(
    ({ path, reason, detail }) => `${path}: ${reason}${detail ? ` (${detail})` : ''}`,
  )
  const hot = (account.hotspots ?? []).map(({ path, signs }) => `${path}: ${signs.join('; ')}`)
  const keys = index.flatMap(({ path, key }) => (key === null ? [] : [`${key}: ${path}`]))
  return [
    ...head,
    ...listed('About the project', account.about ?? [], room * 0.05),
    ...listed('Entry points', account.entryPoints ?? [], room * 0.05),
    ...listed('Where to look first', hot, room * 0.05),
    ...listed('Key files', keys, room * 0.05),
    ...listed('File index', index.map(indexLine), room * 0.3),
    ...listed('Left out', leftOut, room * 0.1),
    ...listed('Outlines of key files', outlines, room * 0.35),
  ].join('\n')
}
