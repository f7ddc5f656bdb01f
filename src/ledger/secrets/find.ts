// Finds secrets in text. A secret is never repeated: the report contains its kind and place. The whole text
// is scanned once for each kind, with bounded matches, so the cost is linear in the length no matter what the lines
// are like.

import { bySurroundings, inManifests } from './assigned.ts'
import { finderOf, type Span, span } from './format.ts'
import { SECRET_FORMATS } from './formats.ts'
import { placeholderReason } from './placeholder.ts'
import { keyBlocks } from './private-keys.ts'
import { Spans } from './spans.ts'
import { headless, inBase64 } from './wrapped.ts'

export interface Secret extends Span {
  readonly line: number
}

const byForm = finderOf(SECRET_FORMATS)

/** How a text is read. */
export interface Reading {
  /** Assignments without quotes count. */
  readonly bare: boolean
  /** In a program, prose counts only in comments and strings. */
  readonly program: boolean
}

const PLAIN: Reading = { bare: true, program: false }

function* formsIn(text: string): Generator<Span> {
  for (const { format, start, value } of byForm(text)) {
    yield span(format, start, value.length, placeholderReason(value))
  }
}

/** The most specific finders first. No match begins before the previous one has ended: they share patterns. */
function* all(text: string, { bare, program }: Reading, depth: number): Generator<Span> {
  yield* keyBlocks(text)
  yield* formsIn(text)
  yield* inManifests(text)
  yield* bySurroundings(text, bare, program)
  yield* inBase64(text, (inner, inside) => all(inner, PLAIN, inside), depth)
  yield* headless(text)
}

/** Secrets of a text, in order, none of them twice. */
export function spansIn(text: string, reading: Reading): Generator<Span> {
  const spans = new Spans()
  spans.add(all(text, reading, 0))
  return spans.united()
}

const SETTINGS = /(?:^|\/)\.env(?:\.[^/]*)?$|\.(?:toml|ini|cfg|conf|properties|env|ya?ml)$/i

/** Secrets in lines of one file; `bare` assignments count in settings files only. */
export function* secretsIn(
  path: string,
  lines: readonly { readonly number: number; readonly text: string }[],
): Generator<Secret> {
  const bare = SETTINGS.test(path)
  const text = lines.map((line) => line.text).join('\n')
  let at = 0
  let end = lines[0]?.text.length ?? 0
  for (const span of spansIn(text, { bare, program: !bare })) {
    while (span.start > end) end += 1 + (lines[++at]?.text.length ?? 0)
    yield { ...span, line: lines[at]?.number ?? 0 }
  }
}
