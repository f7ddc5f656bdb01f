// What was spent, as a table.

import { clip, type Layout, plain } from './plain.ts'

interface Line {
  readonly name: string
  readonly calls: number
  readonly unpriced: number
  readonly usd: number
  readonly input_tokens: number
  readonly output_tokens: number
}

const amount = ({ usd, unpriced }: Line): string =>
  usd === 0 && unpriced > 0
    ? 'not known'
    : `${unpriced > 0 ? 'at least ' : ''}$${usd.toFixed(usd > 0 && usd < 0.1 ? 4 : 2)}`

const cells = (line: Line): readonly string[] => [
  plain(line.name),
  amount(line),
  `${line.calls}${line.unpriced > 0 ? ` (${line.unpriced} unpriced)` : ''}`,
  String(line.input_tokens),
  String(line.output_tokens),
]

export function costLines(
  {
    by,
    since,
    total,
    lines,
  }: {
    readonly by: string
    readonly since: string | null
    readonly total: Line
    readonly lines: readonly Line[]
  },
  { paint, width }: Layout,
): readonly string[] {
  if (total.calls === 0) return [`No model was asked${since ? ` since ${since.slice(0, 16)}Z` : ''}.`]
  const rows = [[by.toUpperCase(), 'COST', 'CALLS', 'TOKENS IN', 'OUT'], ...lines.map(cells), cells(total)]
  const widths = [0, 1, 2, 3, 4].map((i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)))
  const text = rows.map((row) =>
    clip(
      row
        .map((cell, i) => (i === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[i] ?? 0)))
        .join('  '),
      width,
    ),
  )
  const [heading = '', ...rest] = text
  return [paint.dim(heading), ...rest.slice(0, -1), paint.bold(rest.at(-1) ?? '')]
}
