// The list of a pack's contents for a reader: what is here, what is not and why, then what a summary adds.
// Long lists end with a count, so that ten thousand files do not become ten thousand lines.

import { utf8 } from '../ledger/bytes.ts'
import type { Exclusion } from './exclusion.ts'
import type { Hotspot } from './hotspots.ts'
import type { Outline } from './outline.ts'
import type { IndexEntry, Manifest, RemovedSecret } from './pack.ts'

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
  const shown: string[] = []
  let room = bytes
  for (const line of lines) {
    room -= utf8(line).length + 1
    if (room < 0) break
    shown.push(line)
  }
  const more = lines.length - shown.length
  return ['', title, ...shown, ...(more > 0 ? [`… and ${number(more)} more`] : [])]
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

/** `room` in bytes, divided among the sections: the index gets most. */
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
