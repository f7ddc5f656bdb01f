// The report of an evaluation on a terminal: the verdict first, a loss before all else, then the arms as a
// table, and further results.

import type { ComparisonReport, EvalReport } from '../../eval/report.ts'
import { clip, type Layout, plain, wrap } from '../plain.ts'
import { insightTexts } from './insight-texts.ts'
import { costOf, lossesFirst, money, percent, points, pText, smallestEffectText } from './numbers.ts'

const COLUMNS = ['ARM', 'RIGHT', 'SHARE', '95 %', 'COST', 'SECONDS'] as const

function armTable({ arms }: EvalReport, { paint, width }: Layout): readonly string[] {
  const rows = arms.map((arm) => [
    plain(arm.arm),
    `${arm.right}/${arm.n}${arm.ungraded > 0 ? ` (${arm.ungraded} ungraded)` : ''}`,
    percent(arm.share),
    `${(arm.low * 100).toFixed(1)}–${(arm.high * 100).toFixed(1)}`,
    costOf(arm),
    arm.seconds.toFixed(1),
  ])
  const widths = COLUMNS.map((name, i) => Math.max(name.length, ...rows.map((row) => row[i]?.length ?? 0)))
  const line = (cells: readonly string[]): string =>
    clip(
      cells
        .map((cell, i) => (i === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[i] ?? 0)))
        .join('  '),
      width,
    )
  return [paint.dim(line(COLUMNS)), ...rows.map(line)]
}

/** As text; for a comparison that is not the primary one after Holm. */
function verdictLines(
  comparison: ComparisonReport,
  { paint, width }: Layout,
  isPrimary: boolean,
): readonly string[] {
  const p = isPrimary ? pText(comparison.p) : `${pText(comparison.p_adjusted)} after Holm`
  const brush =
    comparison.verdict === 'worse' ? paint.red : comparison.verdict === 'better' ? paint.green : paint.yellow
  return wrap(plain(`${comparison.words}, ${p}`), 0, width)
    .split('\n')
    .map((line) => brush(paint.bold(line)))
}

/** The other comparisons, a line each. */
function comparisonTable(others: readonly ComparisonReport[], { width }: Layout): readonly string[] {
  const rows = lossesFirst(others).map((comparison) => [
    `  ${plain(comparison.against)}`,
    `${points(comparison.difference)} [${points(comparison.low)}, ${points(comparison.high)}]`,
    `${pText(comparison.p_adjusted)} after Holm`,
    comparison.verdict,
  ])
  const widths = [0, 1, 2, 3].map((i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)))
  return rows.map((row) =>
    clip(
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
      width,
    ),
  )
}

const insightLines = (report: EvalReport, { width }: Layout): readonly string[] =>
  insightTexts(report).flatMap((text) =>
    wrap(plain(text), 4, width)
      .split('\n')
      .map((line, i) => (i === 0 ? `  ${line}` : line)),
  )

export function evalLines(report: EvalReport, sheet: Layout): readonly string[] {
  const { paint } = sheet
  const { set, primary, others, spent, equal_cost } = report
  const spending = `${spent.unknown > 0 ? 'at least ' : ''}${money(spent.usd)}`
  const losses = others.filter(({ verdict }) => verdict === 'worse')
  const state =
    report.status === 'over_budget'
      ? ', stopped at the budget'
      : report.status === 'open'
        ? ', not finished'
        : ''
  const heading = `${report.graded} of ${report.units} graded${state} · ${set.name} · ${report.seats.map(({ seat }) => seat).join(', ')} · ${spending}`
  const verdicts = [
    ...losses.flatMap((one) => verdictLines(one, sheet, false)),
    ...verdictLines(primary, sheet, true),
  ]
  return [
    // A loss is before all else.
    ...(primary.verdict === 'worse' ? verdictLines(primary, sheet, true) : verdicts),
    ...(primary.verdict === 'worse' ? losses.flatMap((one) => verdictLines(one, sheet, false)) : []),
    '',
    paint.dim(clip(plain(heading), sheet.width)),
    ...armTable(report, sheet),
    ...equal_cost.map(({ arm, mean, by }) =>
      paint.dim(
        plain(
          `  ${arm}: ${mean.toFixed(1)} answers an item, as many as the council's ${by.join(' and ')} ${by.join() === 'cost' ? 'buys' : 'buy'}`,
        ),
      ),
    ),
    ...(others.length > 0 ? ['', paint.bold(plain(`${primary.arm} against the others, in points`))] : []),
    ...comparisonTable(others, sheet),
    '',
    paint.bold('What else it shows'),
    ...insightLines(report, sheet),
    ...wrap(smallestEffectText(report.smallest_effect), 2, sheet.width)
      .split('\n')
      .map((line, i) => paint.dim(i === 0 ? `  ${line}` : line)),
  ]
}
