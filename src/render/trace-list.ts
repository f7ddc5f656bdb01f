// The traces of a home as a table, each with its subject below it.

import { type Payload, REGISTRY_PROTOCOL } from '../ledger/event.ts'
import { forkPointOf } from '../ledger/fork.ts'
import { clip, type Layout, plain } from './plain.ts'
import { stanceOf } from './report/document.ts'
import { rootSubjectOf } from './story/subject.ts'
import { ageText, shortTime } from './time.ts'

interface ListedTrace {
  readonly trace: string
  readonly protocol: string
  readonly size: number
  readonly last: { readonly at: string; readonly type: string }
}

interface OpenedTrace extends ListedTrace {
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

const aboutOf = (trace: OpenedTrace, all: ReadonlyMap<string, OpenedTrace>): string | null => {
  const subject = rootSubjectOf(trace, all)
  const parent = trace.opening && forkPointOf(trace.opening.payload)
  return parent && subject && all.has(parent.trace)
    ? `${subject} (from event ${parent.seq} of ${parent.trace})`
    : subject
}

/** What programs get of a home's traces. */
export function listJson<Trace extends OpenedTrace>(home: string, traces: readonly Trace[]) {
  const all = new Map(traces.map((one) => [one.trace, one]))
  return {
    home,
    traces: traces.map(({ opening, ...summary }) => ({
      ...summary,
      about: aboutOf({ ...summary, opening }, all),
    })),
  }
}

/** `now` decides only whether a year is shown. */
export function listLines(
  traces: readonly (ListedTrace & { readonly about: string | null })[],
  now: string,
  { paint, width }: Layout,
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

interface Outcome {
  readonly status: string
  readonly verdict: string | null
  readonly cost_usd: number | null
  /** Of a council. */
  readonly mode?: string | null
}

/** With the result of each trace; `status` is null where it was not read, because the trace is too long or too old. */
export const withOutcomes = <Trace extends ListedTrace>(
  { home, traces }: { readonly home: string; readonly traces: readonly Trace[] },
  outcomes: ReadonlyMap<string, Outcome>,
) => ({
  home,
  traces: traces.map((trace) => ({
    ...trace,
    status: outcomes.get(trace.trace)?.status ?? null,
    verdict: outcomes.get(trace.trace)?.verdict ?? null,
    cost_usd: outcomes.get(trace.trace)?.cost_usd ?? null,
  })),
})

const SHORTEST = 8

/** The beginnings of ids, all of one length, that distinguish every id of a home from the others. */
export function shortIds(ids: readonly string[]): ReadonlyMap<string, string> {
  const sorted = [...ids].sort()
  let length = SHORTEST
  for (const [i, id] of sorted.entries()) {
    const next = sorted[i + 1] ?? ''
    while (length < id.length && id.slice(0, length) === next.slice(0, length)) length++
  }
  return new Map(ids.map((id) => [id, id.slice(0, length)]))
}

/** Shown as they are, no matter what was concluded before. */
const PLAIN: readonly string[] = [
  ...['aborted', 'failed', 'tampered', 'blocked', 'waiting', 'nothing proven', 'nothing succeeded'],
]

const eventCount = (size: number): string => `${size} event${size === 1 ? '' : 's'}`

const outcomeText = (outcome: Outcome | undefined, protocol: string, size: number): string => {
  if (protocol === REGISTRY_PROTOCOL || !outcome) return eventCount(size)
  if (PLAIN.includes(outcome.status)) return outcome.status
  if (outcome.verdict !== null) return stanceOf({ mode: outcome.mode ?? null }, outcome.verdict)
  return outcome.status === 'open' ? `open, ${eventCount(size)}` : outcome.status
}

const costText = (usd: number | null | undefined): string =>
  usd === null || usd === undefined ? '' : `$${usd.toFixed(usd > 0 && usd < 0.1 ? 4 : 2)}`

/** A trace for the columns; `name` is the beginning of its id that no other trace shares. */
interface Shown extends ListedTrace {
  readonly name: string
  readonly about: string | null
  readonly came: Outcome | undefined
  readonly now: string
}

interface Column {
  readonly heading: string
  readonly cell: (row: Shown) => string
  /** Numbers are right-aligned in their column. */
  readonly right?: true
}

/** From left to right. The last one takes the remaining width. */
const COLUMNS: readonly Column[] = [
  { heading: 'TRACE', cell: ({ name }) => name },
  { heading: 'WHAT', cell: ({ protocol }) => protocol.split('/')[0] ?? protocol },
  { heading: 'CAME TO', cell: ({ came, protocol, size }) => plain(outcomeText(came, protocol, size)) },
  { heading: 'COST', cell: ({ came }) => costText(came?.cost_usd), right: true },
  { heading: 'AGE', cell: ({ last, now }) => ageText(last.at, now), right: true },
  { heading: 'ABOUT', cell: ({ about }) => plain(about ?? '') },
]

/** One line for each trace: the newest of `traces`, with their results where known. */
export function outcomeLines(
  traces: readonly ListedTrace[],
  shown: readonly (ListedTrace & { readonly about: string | null })[],
  outcomes: ReadonlyMap<string, Outcome>,
  now: string,
  { paint, width }: Layout,
): readonly string[] {
  if (shown.length === 0) return ['This home has no registry yet.']
  const names = shortIds(traces.map(({ trace }) => trace))
  const rows = shown.map((trace) => {
    const row = {
      ...trace,
      name: names.get(trace.trace) ?? trace.trace,
      came: outcomes.get(trace.trace),
      now,
    }
    return COLUMNS.map(({ cell }) => cell(row))
  })
  const headings = COLUMNS.map(({ heading }) => heading)
  const widths = headings.map((_, i) => Math.max(...[headings, ...rows].map((row) => row[i]?.length ?? 0)))
  const line = (cells: readonly string[]): string => {
    const padded = cells.map((cell, i) => {
      if (i === cells.length - 1) return cell
      return COLUMNS[i]?.right ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)
    })
    return clip(padded.join('  ').trimEnd(), width)
  }
  return [paint.dim(line(headings)), ...rows.map(line)]
}

/** What to do in a home without traces, and how to see what was not shown. */
export function listHints(traces: readonly ListedTrace[], older = 0): readonly string[] {
  if (older > 0) return ['', `${older} older: witan list --all`]
  if (traces.some(({ protocol }) => protocol !== REGISTRY_PROTOCOL)) return []
  const next =
    traces.length === 0
      ? 'Finish it with: witan init'
      : 'Only the registry of keys so far. See it with: witan show registry'
  return ['', next]
}
