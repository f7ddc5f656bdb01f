// The report of an evaluation as one page that loads nothing and runs nothing. Every number links to its
// items, and every item names its councils by trace.

import type { ArmReport, ComparisonReport, EvalReport, ItemReport } from '../../eval/report.ts'
import { forHtml as escaped } from '../../ledger/text/neutral.ts'
import { passivePage, STYLE } from '../report/html.ts'
import { costOf, lossesFirst, money, percent, points, pText } from './numbers.ts'
import { costPlot, forestPlot, PLOT_STYLE } from './plots.ts'

const OWN_STYLE = `${STYLE}${PLOT_STYLE}
main { max-width: 60rem; }
.verdict { font-size: 1.25rem; padding: .8rem 1rem; border-left: .35rem solid currentColor; margin: 1rem 0; }
.verdict.worse { color: var(--bad); background: var(--bad-ground); }
.verdict.better { color: var(--good); background: var(--good-ground); }
.verdict.none { color: var(--open); background: var(--open-ground); }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; }
td.number, th.number { text-align: right; white-space: nowrap; }
.wide { overflow-x: auto; } code { font-size: .85em; overflow-wrap: anywhere; }
tr:target { outline: 2px solid currentColor; } .right { color: var(--good); } .wrong { color: var(--bad); }
details.inline { display: inline; } details.inline summary { display: inline; cursor: pointer; text-decoration: underline dotted; }
figure { margin: 1.2rem 0; overflow-x: auto; } figure svg { min-width: 38rem; } figcaption { color: var(--muted); }
`

const KIND = { worse: 'worse', better: 'better', 'no difference found': 'none' } as const

const cell = (words: string, kind = ''): string => `<td${kind ? ` class="${kind}"` : ''}>${words}</td>`
const head = (words: string, kind = ''): string =>
  `<th scope="col"${kind ? ` class="${kind}"` : ''}>${escaped(words)}</th>`

const table = (heads: readonly string[], rows: readonly string[]): string =>
  `<div class="wide"><table><thead><tr>${heads.join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`

const itemAnchor = (unit: number): string => `u${unit}`

/** The units of a number, each a link; a long list is cut and says so. */
function unitLinks(report: EvalReport, units: readonly number[], most = 40): string {
  const named = new Map(report.items.map(({ unit, id, rep }) => [unit, rep > 1 ? `${id}#${rep}` : id]))
  const links = units
    .slice(0, most)
    .map((unit) => `<a href="#${itemAnchor(unit)}">${escaped(named.get(unit) ?? '')}</a>`)
  return (
    links.join(', ') + (units.length > most ? ` and ${units.length - most} more, in the table of items` : '')
  )
}

/** A number that opens to the items it counts. */
const openingItems = (report: EvalReport, words: string, units: readonly number[]): string =>
  units.length === 0
    ? escaped(words)
    : `<details class="inline"><summary>${escaped(words)}</summary>${unitLinks(report, units)}</details>`

const gradeOf = (item: ItemReport, arm: string): boolean | null =>
  item.grades.find((one) => one.arm === arm)?.grade ?? null

function verdicts({ primary, others }: EvalReport): string {
  const losses = others.filter(({ verdict }) => verdict === 'worse')
  const shown = primary.verdict === 'worse' ? [primary, ...losses] : [...losses, primary]
  const comparisonText = (comparison: ComparisonReport): string =>
    `<p class="verdict ${KIND[comparison.verdict]}">${escaped(comparison.words)}, ${comparison === primary ? pText(comparison.p) : `${pText(comparison.p_adjusted)} after Holm`}</p>`
  return shown.map(comparisonText).join('\n')
}

const armAnchor = (report: EvalReport, arm: ArmReport): string => `arm${report.arms.indexOf(arm)}`
const pairAnchor = (report: EvalReport, comparison: ComparisonReport): string =>
  `pair${[report.primary, ...report.others].indexOf(comparison)}`

function armTable(report: EvalReport): string {
  const isReview = report.arms.some(({ findings }) => findings !== null)
  const share = (value: number | null | undefined): string =>
    value === null || value === undefined ? '–' : percent(value)
  const rows = report.arms.map((arm) => {
    const got = (grade: boolean | null): readonly number[] =>
      report.items.flatMap((item) => (gradeOf(item, arm.arm) === grade ? [item.unit] : []))
    const [wrong, ungraded] = [got(false), got(null)]
    const { findings } = arm
    return `<tr id="${armAnchor(report, arm)}"><th scope="row">${escaped(arm.arm)}</th>${[
      cell(`<a href="#items">${arm.right}/${arm.n}</a>`, 'number'),
      cell(percent(arm.share), 'number'),
      cell(`${percent(arm.low)} – ${percent(arm.high)}`, 'number'),
      cell(escaped(costOf(arm)), 'number'),
      cell(arm.seconds.toFixed(1), 'number'),
      ...(isReview
        ? [
            cell(
              `${share(findings?.precision)} / ${share(findings?.recall)} / ${share(findings?.f1)}`,
              'number',
            ),
          ]
        : []),
      cell(
        [
          openingItems(report, `${wrong.length} wrong`, wrong),
          ...(ungraded.length > 0 ? [openingItems(report, `${ungraded.length} ungraded`, ungraded)] : []),
        ].join('<br>'),
      ),
    ].join('')}</tr>`
  })
  const heads = [
    'Arm',
    'Right',
    'Share',
    '95 % (Wilson)',
    'Cost an item',
    'Seconds',
    ...(isReview ? ['Precision / recall / F1'] : []),
    'Items',
  ]
  return table(
    heads.map((name, i) => head(name, i > 0 && i < heads.length - 1 ? 'number' : '')),
    rows,
  )
}

function pairTable(report: EvalReport): string {
  const rows = [report.primary, ...lossesFirst(report.others)].map((comparison) => {
    const only = (first: string, second: string): readonly number[] =>
      report.items.flatMap((item) =>
        gradeOf(item, first) === true && gradeOf(item, second) === false ? [item.unit] : [],
      )
    const [won, lost] = [only(comparison.arm, comparison.against), only(comparison.against, comparison.arm)]
    const named = (units: readonly number[]): string => openingItems(report, String(units.length), units)
    return `<tr id="${pairAnchor(report, comparison)}"><th scope="row">${escaped(`${comparison.arm} against ${comparison.against}`)}${comparison === report.primary ? ' (primary)' : ''}</th>${[
      cell(`${points(comparison.difference)}`, 'number'),
      cell(`${points(comparison.low)} to ${points(comparison.high)}`, 'number'),
      cell(
        comparison === report.primary
          ? pText(comparison.p)
          : `${pText(comparison.p)}, ${pText(comparison.p_adjusted)} after Holm`,
      ),
      cell(escaped(comparison.verdict)),
      cell(named(won)),
      cell(named(lost)),
    ].join('')}</tr>`
  })
  const heads = [
    'Comparison',
    'Points',
    '95 %',
    'Test',
    'Verdict',
    'Only the first right',
    'Only the second right',
  ]
  return table(
    heads.map((name, i) => head(name, i === 1 || i === 2 ? 'number' : '')),
    rows,
  )
}

function insights(report: EvalReport): string {
  const { all_wrong, pairs, flips, calibration, reviewers, stability } = report.insights
  const rows: string[] = []
  const say = (name: string, html: string): number =>
    rows.push(`<tr><th scope="row">${escaped(name)}</th><td>${html}</td></tr>`)
  if (all_wrong.n > 0)
    say(
      'All members wrong',
      `${all_wrong.wrong} of ${all_wrong.n}: no choice among them can be right on more than ${percent(1 - all_wrong.wrong / all_wrong.n)} (at 95 %: ${percent(1 - all_wrong.low)}). ${unitLinks(report, all_wrong.units)}`,
    )
  for (const { a, b, correlation, both_wrong, same_wrong } of pairs)
    say(
      `${a} and ${b}`,
      `errors correlate ${correlation === null ? 'not measurably' : correlation.toFixed(2)}; both wrong ${openingItems(report, `${both_wrong.length} times`, both_wrong)}${same_wrong.length > 0 ? `, with the same answer ${openingItems(report, String(same_wrong.length), same_wrong)}` : ', never with the same answer'}`,
    )
  for (const { from, to, n, right_to_wrong: lost, wrong_to_right: won } of flips)
    if (n > 0)
      say(
        `${from} → ${to}`,
        `${lost.length} right→wrong${lost.length > 0 ? ` (${unitLinks(report, lost)})` : ''}, ${won.length} wrong→right${won.length > 0 ? ` (${unitLinks(report, won)})` : ''}`,
      )
  for (const { who, stated, n, right, low, high, units } of calibration)
    say(
      `${who} says ${stated}`,
      `right ${openingItems(report, `${right} of ${n}`, units)}: ${percent(right / n)} (${percent(low)} – ${percent(high)})`,
    )
  if (reviewers.reviews > 0) {
    const mean = ({ n, critiques }: { n: number; critiques: number }): string =>
      n === 0 ? '–' : (critiques / n).toFixed(2)
    say(
      'Reviewers',
      `critiques an opinion gets by its place: ${reviewers.by_place.map((one) => `${one.place}: ${mean(one)} (${one.n})`).join(', ')}; the longest of an item ${mean(reviewers.longer)}, the shortest ${mean(reviewers.shorter)}`,
    )
  }
  if (stability.n > 0)
    say(
      'Held again, other order',
      `same grade on ${stability.same_grade} of ${stability.n}, same answer on ${stability.same_answer}${stability.differing.length > 0 ? `; not on ${unitLinks(report, stability.differing)}` : ''}`,
    )
  return `<table><tbody>${rows.join('')}</tbody></table>`
}

function itemTable(report: EvalReport): string {
  const arms = report.arms.map(({ arm }) => arm)
  const mark = (grade: boolean | null): string =>
    grade === null
      ? cell('?', 'number')
      : grade
        ? cell('<span class="right">✓</span>', 'number')
        : cell('<span class="wrong">✗</span>', 'number')
  const rows = report.items.map((item) => {
    const councils = item.councils.map(
      ({ variant, trace }) =>
        `${variant === 'main' ? '' : `${escaped(variant)} `}<code>${escaped(trace)}</code>`,
    )
    return `<tr id="${itemAnchor(item.unit)}"><th scope="row">${escaped(item.rep > 1 ? `${item.id}#${item.rep}` : item.id)}</th>${arms.map((arm) => mark(gradeOf(item, arm))).join('')}${cell(councils.join('<br>'))}</tr>`
  })
  return table([head('Item'), ...arms.map((arm) => head(arm, 'number')), head('Councils')], rows)
}

export function evalPage(report: EvalReport): string {
  const { set, spent } = report
  const title = `${report.primary.arm} against ${report.primary.against}: ${report.primary.verdict}`
  const spending = `${spent.unknown > 0 ? 'at least ' : ''}${money(spent.usd)}`
  const cost = costPlot(report.arms, 'money', (arm) => armAnchor(report, arm))
  const time = costPlot(report.arms, 'seconds', (arm) => armAnchor(report, arm))
  const figure = (plot: string | null, words: string): string =>
    plot === null ? '' : `<figure>${plot}<figcaption>${escaped(words)}</figcaption></figure>`
  const state =
    report.status === 'over_budget'
      ? ', stopped at the budget'
      : report.status === 'open'
        ? ', not finished'
        : ''
  const body = `<h1>${escaped(title)}</h1>
${verdicts(report)}
<p>${report.graded} of ${report.units} graded${state} · set ${escaped(set.name)} (<code>${escaped(set.sha256)}</code>) · ${escaped(report.seats.map(({ seat, model }) => (model === null || model === seat ? seat : `${seat} (${model})`)).join(', '))} · ${spending}</p>
${figure(
  forestPlot(report, (one) => pairAnchor(report, one)),
  `Difference in points with its 95 % interval. Left of the line ${report.primary.arm} is worse.`,
)}
${figure(cost, 'Accuracy against money. What a call without a known price cost is not in it.')}
${figure(time, 'Accuracy against time: the longest calls of each round, one after the other.')}
<h2>Arms</h2>${armTable(report)}
${report.equal_cost.map(({ arm, mean, by }) => `<p>${escaped(arm)}: ${mean.toFixed(1)} answers an item on average, as many as the council’s ${escaped(by.join(' and '))} buy.</p>`).join('')}
<h2>Comparisons</h2>${pairTable(report)}
<h2>What else it shows</h2>${insights(report)}
<h2 id="items">Items</h2><p>Each council is a signed trace of its own: <code>witan verify TRACE</code>.</p>${itemTable(report)}
<h2>What this cannot show</h2><p>A set that models were trained on favours those who remember it. Grades are as good as the targets of the set. The record of this evaluation is <code>${escaped(report.trace)}</code>: <code>witan verify ${escaped(report.trace)}</code> works every grade and the verdict out again, and <code>witan export ${escaped(report.trace)} --html -o FILE</code> writes a page that does so by itself.</p>`
  return passivePage({ title: escaped(title), style: OWN_STYLE, body })
}
