// The traces of a home as a table, each with what it is about below it.

import { type Payload, REGISTRY_PROTOCOL } from '../ledger/event.ts'
import type { Sheet } from './paint.ts'
import { clip, plain } from './plain.ts'
import { subjectOf } from './story/subject.ts'
import { shortTime } from './time.ts'

interface Listed {
  readonly trace: string
  readonly protocol: string
  readonly size: number
  readonly last: { readonly at: string; readonly type: string }
}

interface Opened extends Listed {
  readonly opening: { readonly type: string; readonly payload: Payload } | null
}

const HEADINGS = ['TRACE', 'PROTOCOL', 'SIZE', 'LAST', 'LAST EVENT']

function table(rows: readonly (readonly string[])[], width: number): string[] {
  const widths = HEADINGS.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)))
  return rows.map((row) => {
    const cells = row.map((cell, i) => {
      if (i === row.length - 1) return cell
      return i === 2 ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)
    })
    return clip(cells.join('  '), width)
  })
}

/** What programs are given of a home's traces. */
export const listJson = <Trace extends Opened>(home: string, traces: readonly Trace[]) => ({
  home,
  traces: traces.map(({ opening, ...summary }) => ({
    ...summary,
    about: opening && subjectOf(opening.type, opening.payload),
  })),
})

/** `now` decides only whether a year is shown. */
export function listLines(
  traces: readonly (Listed & { readonly about: string | null })[],
  now: string,
  { paint, width }: Sheet,
): readonly string[] {
  if (traces.length === 0) return ['This home has no registry yet.']
  const rows = traces.map(({ trace, protocol, size, last }) => [
    trace,
    protocol,
    String(size),
    shortTime(last.at, now),
    last.type,
  ])
  const [heading = '', ...lines] = table([HEADINGS, ...rows], width)
  const below = (about: string | null): string[] =>
    about === null ? [] : [paint.dim(clip(`  ${plain(about)}`, width))]
  return [paint.dim(heading), ...lines.flatMap((line, i) => [line, ...below(traces[i]?.about ?? null)])]
}

/** What to do in a home where nothing was started yet. */
export function listHints(traces: readonly Listed[]): readonly string[] {
  if (traces.some(({ protocol }) => protocol !== REGISTRY_PROTOCOL)) return []
  const next =
    traces.length === 0
      ? 'Finish it with: witan init'
      : 'Only the registry of keys so far. See it with: witan show registry'
  return ['', next]
}
