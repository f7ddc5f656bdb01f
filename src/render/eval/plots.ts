// Two pictures of an evaluation, as SVG: how far each arm is from the one it is compared with, and what
// accuracy costs. Every mark has its numbers as text, and links to their source.

import type { ArmReport, ComparisonReport, EvalReport } from '../../eval/report.ts'
import { forPicture as escaped } from '../../ledger/text/neutral.ts'
import { costOf, percent, points } from './numbers.ts'

export const PLOT_STYLE = `
svg { max-width: 100%; height: auto; font: 13px/1.4 system-ui, sans-serif; color: var(--ink); }
svg text { fill: currentColor; } svg .muted { fill: var(--muted); }
svg .axis { stroke: var(--line); } svg .zero { stroke: currentColor; stroke-dasharray: 3 3; }
svg .bar { stroke: currentColor; stroke-width: 2; } svg .dot { fill: currentColor; }
svg .worse { color: var(--bad); } svg .better { color: var(--good); } svg .none { color: var(--muted); }
svg a:hover .dot, svg a:focus .dot { stroke: currentColor; stroke-width: 4; }
`

const at = (value: number): string => String(Math.round(value * 10) / 10)

const CLASS = { worse: 'worse', better: 'better', 'no difference found': 'none' } as const

const text = (x: number, y: number, words: string, kind = '', anchor = 'start'): string =>
  `<text x="${at(x)}" y="${at(y)}" text-anchor="${anchor}"${kind ? ` class="${kind}"` : ''}>${escaped(words)}</text>`

const WIDTH = 760
const NAMES = 200
const RIGHT = 150
const ROW = 30
const TOP = 34

/** Differences with their intervals, one row each; the dashed line is no difference. */
export function forestPlot(
  { primary, others }: EvalReport,
  anchorOf: (comparison: ComparisonReport) => string,
): string {
  const rows = [primary, ...others]
  const most = Math.max(0.05, ...rows.flatMap(({ low, high }) => [Math.abs(low), Math.abs(high)]))
  const field = WIDTH - NAMES - RIGHT
  const x = (share: number): number => NAMES + field / 2 + (share / most) * (field / 2)
  const height = TOP + rows.length * ROW + 34
  const marks = rows.map((comparison, i) => {
    const y = TOP + i * ROW + ROW / 2
    const name = `${comparison.against}${i === 0 ? ' (primary)' : ''}`
    const numbers = `${points(comparison.difference)} [${points(comparison.low)}, ${points(comparison.high)}]`
    const kind = CLASS[comparison.verdict]
    return `${text(0, y + 4, name)}<a href="#${anchorOf(comparison)}" aria-label="${escaped(`${comparison.words}`)}"><title>${escaped(comparison.words)}</title><g class="${kind}"><line class="bar" x1="${at(x(comparison.low))}" x2="${at(x(comparison.high))}" y1="${at(y)}" y2="${at(y)}"/><circle class="dot" cx="${at(x(comparison.difference))}" cy="${at(y)}" r="${i === 0 ? 6 : 4.5}"/></g></a>${text(WIDTH, y + 4, numbers, 'muted', 'end')}`
  })
  const bottom = TOP + rows.length * ROW
  return `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escaped(`${primary.arm} against each other arm, in points`)}">
${text(NAMES, 16, `← ${primary.arm} worse`, 'muted')}${text(WIDTH - RIGHT, 16, `${primary.arm} better →`, 'muted', 'end')}
<line class="zero" x1="${at(x(0))}" x2="${at(x(0))}" y1="${TOP - 8}" y2="${bottom}"/>
<line class="axis" x1="${NAMES}" x2="${WIDTH - RIGHT}" y1="${bottom}" y2="${bottom}"/>
${text(x(-most), bottom + 18, `${points(-most)} points`, 'muted')}${text(x(0), bottom + 18, '0', 'muted', 'middle')}${text(x(most), bottom + 18, points(most), 'muted', 'end')}
${marks.join('\n')}
</svg>`
}

const PLOT = { x: 64, y: 16, width: 640, height: 300 }

interface Mark {
  readonly x: number
  readonly y: number
  readonly name: string
}

interface Box {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

const LETTER = 7.2
const LINE = 15
const DOT = 8

const meets = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom

/** Where a label may be relative to its dot: right of it, left of it, then further and further below and above. */
const OFFSETS = [0, 1, -1, 2, -2, 3, -3, 4, -4].flatMap((rows) => [
  { rows, side: 'start' as const },
  { rows, side: 'end' as const },
])

function labelBox({ x, y, name }: Mark, { rows, side }: (typeof OFFSETS)[number]): Box {
  const middle = y + rows * LINE
  const width = name.length * LETTER
  const left = side === 'start' ? x + DOT + 2 : x - DOT - 2 - width
  return { left, right: left + width, top: middle - LINE / 2, bottom: middle + LINE / 2 }
}

/** Labels that overlap no dot and no other label, as far as there is space. */
function placeLabels(marks: readonly Mark[], field: Box): readonly Label[] {
  const usedBoxes: Box[] = marks.map(({ x, y }) => ({
    left: x - DOT,
    right: x + DOT,
    top: y - DOT,
    bottom: y + DOT,
  }))
  return marks.map((mark) => {
    const free = OFFSETS.find((offset) => {
      const box = labelBox(mark, offset)
      const isInside = box.left >= field.left && box.right <= field.right && box.top >= field.top
      return isInside && box.bottom <= field.bottom && !usedBoxes.some((other) => meets(box, other))
    }) ?? { rows: 0, side: 'start' as const }
    const box = labelBox(mark, free)
    usedBoxes.push(box)
    return { x: free.side === 'start' ? box.left : box.right, y: box.bottom - 4, side: free.side }
  })
}

interface Label {
  readonly x: number
  readonly y: number
  readonly side: 'start' | 'end'
}

/** Accuracy against what one item costs: money where it is known, else seconds. */
export function costPlot(
  arms: readonly ArmReport[],
  by: 'money' | 'seconds',
  anchorOf: (arm: ArmReport) => string,
): string | null {
  const priceOf = (arm: ArmReport): number | null => (by === 'money' ? arm.usd : arm.seconds)
  const shown = arms.flatMap((arm) => {
    const value = priceOf(arm)
    return value === null || arm.n === 0 ? [] : [{ arm, value }]
  })
  const most = Math.max(...shown.map(({ value }) => value))
  if (shown.length < 2 || most <= 0) return null
  const least = Math.max(0, Math.floor(Math.min(...shown.map(({ arm }) => arm.low)) * 10) / 10)
  const top = Math.min(1, Math.ceil(Math.max(...shown.map(({ arm }) => arm.high)) * 10) / 10)
  const x = (value: number): number => PLOT.x + (value / most) * (PLOT.width - 140)
  const y = (share: number): number =>
    PLOT.y + PLOT.height - ((share - least) / (top - least || 1)) * PLOT.height
  const field = { left: PLOT.x, right: WIDTH, top: PLOT.y - LINE, bottom: PLOT.y + PLOT.height + LINE / 2 }
  const labels = placeLabels(
    shown.map(({ arm, value }) => ({ x: x(value), y: y(arm.share), name: arm.arm })),
    field,
  )
  const labelOf = (arm: ArmReport, at?: Label): string => (at ? text(at.x, at.y, arm.arm, '', at.side) : '')
  const marks = shown.map(({ arm, value }, i) => {
    const words = `${arm.arm}: ${percent(arm.share)} (${percent(arm.low)} to ${percent(arm.high)}), ${costOf(arm)}, ${arm.seconds.toFixed(1)} s an item`
    return `<a href="#${anchorOf(arm)}" aria-label="${escaped(words)}"><title>${escaped(words)}</title><line class="bar none" x1="${at(x(value))}" x2="${at(x(value))}" y1="${at(y(arm.low))}" y2="${at(y(arm.high))}" stroke-opacity=".35"/><circle class="dot" cx="${at(x(value))}" cy="${at(y(arm.share))}" r="5"/></a>${labelOf(arm, labels[i])}`
  })
  const ticks = Array.from({ length: Math.round((top - least) * 10) + 1 }, (_, i) => least + i / 10)
  const axis = ticks.map(
    (share) =>
      `<line class="axis" x1="${PLOT.x}" x2="${PLOT.x + PLOT.width}" y1="${at(y(share))}" y2="${at(y(share))}"/>${text(PLOT.x - 8, y(share) + 4, `${Math.round(share * 100)} %`, 'muted', 'end')}`,
  )
  const unit = by === 'money' ? 'US dollars an item' : 'seconds an item, calls that wait for each other'
  const end = by === 'money' ? `$${most.toPrecision(3)}` : `${most.toPrecision(3)} s`
  return `<svg viewBox="0 0 ${WIDTH} ${PLOT.y + PLOT.height + 44}" role="img" aria-label="${escaped(`accuracy against ${unit}`)}">
${axis.join('')}
${text(PLOT.x, PLOT.y + PLOT.height + 20, '0', 'muted')}${text(x(most), PLOT.y + PLOT.height + 20, end, 'muted', 'middle')}
${text(PLOT.x, PLOT.y + PLOT.height + 38, unit, 'muted')}
${marks.join('\n')}
</svg>`
}
