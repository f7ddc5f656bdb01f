// Further results of an evaluation, one sentence each: the same on a terminal and in the console.

import type { EvalReport } from '../../eval/report.ts'
import { percent } from './numbers.ts'

const someUnits = (report: EvalReport, units: readonly number[]): string => {
  const named = report.items
    .filter(({ unit }) => units.includes(unit))
    .map(({ id, rep }) => (rep > 1 ? `${id}#${rep}` : id))
  const shown = named.slice(0, 6).join(', ')
  return named.length > 6 ? `${shown} and ${named.length - 6} more` : shown
}

export function insightTexts(report: EvalReport): readonly string[] {
  const { all_wrong, pairs, flips, calibration, reviewers, stability } = report.insights
  const texts: string[] = []
  if (all_wrong.n > 0)
    texts.push(
      `all members wrong on ${all_wrong.wrong} of ${all_wrong.n}: no choice among them can be right on more than ${percent(1 - all_wrong.wrong / all_wrong.n)} (at 95 %: ${percent(1 - all_wrong.low)})`,
    )
  for (const { a, b, correlation, both_wrong, same_wrong } of pairs)
    texts.push(
      `${a} and ${b}: errors correlate ${correlation === null ? 'not measurably' : correlation.toFixed(2)}; both wrong ${both_wrong.length} times, ${same_wrong.length} with the same answer`,
    )
  for (const { from, to, n, right_to_wrong: lost, wrong_to_right: won } of flips) {
    const isPlain = lost.length === 0 && won.length === 0 && (from !== 'vote' || to !== 'council')
    if (n === 0 || isPlain) continue
    const where = lost.length > 0 ? ` (lost: ${someUnits(report, lost)})` : ''
    texts.push(`${from} → ${to}: ${lost.length} right→wrong, ${won.length} wrong→right${where}`)
  }
  for (const who of new Set(calibration.map((one) => one.who))) {
    const byLevel = calibration.filter((one) => one.who === who)
    const shares = byLevel.map(
      ({ stated, n, right }) => `${stated} ${Math.round((100 * right) / n)} % of ${n}`,
    )
    texts.push(`${who} is right when it says ${shares.join(', ')}`)
  }
  if (reviewers.reviews > 0) {
    const mean = ({ n, critiques }: { n: number; critiques: number }): string =>
      n === 0 ? '–' : (critiques / n).toFixed(2)
    const places = reviewers.by_place.map((one) => `${one.place}: ${mean(one)}`).join(', ')
    texts.push(
      `critiques an opinion gets by its place before a reviewer: ${places}; the longest ${mean(reviewers.longer)}, the shortest ${mean(reviewers.shorter)}`,
    )
  }
  if (stability.n > 0)
    texts.push(
      `held again under another order: same grade on ${stability.same_grade} of ${stability.n}, same answer on ${stability.same_answer}`,
    )
  return texts
}
