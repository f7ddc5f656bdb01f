// Finds secrets in text. A secret is never repeated: what is reported is its kind and place. The whole text is looked
// through once for each kind, with bounded matches, so the cost is linear in the length however the lines are.

import { bySurroundings } from './assigned.ts'
import { finderOf, type Span, span } from './format.ts'
import { SECRET_FORMATS } from './formats.ts'
import { inManifests } from './manifests.ts'
import { placeholderReason } from './placeholder.ts'
import { keyBlocks } from './private-keys.ts'
import { headless, inBase64, runsIn } from './wrapped.ts'

export interface Secret extends Span {
  readonly line: number
}

const byForm = finderOf(SECRET_FORMATS)

interface Ranked extends Span {
  readonly rank: number
}

/** One of those that overlap: as far as all of them reach, and named by the most telling, which was found first. */
function united(found: readonly Span[]): Span[] {
  const ranked = found.map((each, rank): Ranked => ({ ...each, rank }))
  const out: Ranked[] = []
  for (const next of ranked.sort((a, b) => a.start - b.start || a.rank - b.rank)) {
    const last = out.at(-1)
    if (last === undefined || next.start >= last.end) {
      out.push(next)
      continue
    }
    const best = next.rank < last.rank ? next : last
    const isReal = last.excuse === null || next.excuse === null
    out[out.length - 1] = {
      ...best,
      start: last.start,
      end: Math.max(last.end, next.end),
      excuse: isReal ? null : best.excuse,
    }
  }
  return out.map(({ rank: _, ...rest }) => rest)
}

/** How a text is read. */
export interface Reading {
  /** Assignments without quotes are believed. */
  readonly bare: boolean
  /** In a program, words count only in comments and strings. */
  readonly program: boolean
}

const PLAIN: Reading = { bare: true, program: false }

function all(text: string, { bare, program }: Reading, depth: number): Span[] {
  const runs = runsIn(text)
  return [
    ...keyBlocks(text),
    ...byForm(text).map(({ format, start, value }) =>
      span(format, start, value.length, placeholderReason(value)),
    ),
    ...inManifests(text),
    ...bySurroundings(text, bare, program),
    ...inBase64(text, runs, (inner, inside) => all(inner, PLAIN, inside), depth),
    ...headless(text, runs),
  ]
}

/** Secrets of a text, in order, none of them twice. */
export const spansIn = (text: string, reading: Reading): Span[] => united(all(text, reading, 0))

const SETTINGS = /(?:^|\/)\.env(?:\.[^/]*)?$|\.(?:toml|ini|cfg|conf|properties|env|ya?ml)$/i

/** Secrets in lines of one file; `bare` assignments are believed in settings files only. */
export function* secretsIn(
  path: string,
  lines: readonly { readonly number: number; readonly text: string }[],
): Generator<Secret> {
  const bare = SETTINGS.test(path)
  const text = lines.map((line) => line.text).join('\n')
  let at = 0
  let end = lines[0]?.text.length ?? 0
  for (const found of spansIn(text, { bare, program: !bare })) {
    while (found.start > end) end += 1 + (lines[++at]?.text.length ?? 0)
    yield { ...found, line: lines[at]?.number ?? 0 }
  }
}
