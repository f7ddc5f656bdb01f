// The results and usage of each arm of an evaluation, and the differences: each is drawn with its interval
// beside its numbers.

import type { ComparisonReport, EvalReport } from '../../../../eval/report.ts'
import { costOf, lossesFirst, percent, points, pText } from '../../../../render/eval/numbers.ts'
import { Table } from '../admin/part.tsx'
import { IsolatedText } from '../elements/text.tsx'

export const ArmTable = ({ report }: { readonly report: EvalReport }) => (
  <Table
    columns={[
      'Arm',
      ['Right', 'number'],
      ['Share', 'number'],
      ['95 %', 'number'],
      ['Cost an item', 'number'],
      ['Seconds', 'number'],
    ]}
  >
    {report.arms.map((arm) => (
      <tr key={arm.arm}>
        <td>
          <IsolatedText text={arm.arm} />
        </td>
        <td class="number">
          {arm.right} of {arm.n}
          {arm.ungraded > 0 && <span class="muted"> ({arm.ungraded} ungraded)</span>}
        </td>
        <td class="number">{percent(arm.share)}</td>
        <td class="number">
          {percent(arm.low)} – {percent(arm.high)}
        </td>
        <td class="number">{costOf(arm)}</td>
        <td class="number">{arm.seconds.toFixed(1)}</td>
      </tr>
    ))}
  </Table>
)

const TONES = { worse: 'bad', better: 'good', 'no difference found': 'muted' } as const

/** The interval of a difference on a line from −most to +most, the difference itself a dot. */
function Interval({ comparison, most }: { readonly comparison: ComparisonReport; readonly most: number }) {
  const at = (share: number): string => `${(50 + (share / most) * 50).toFixed(1)}%`
  return (
    <span class={`interval ${TONES[comparison.verdict]}`} aria-hidden="true">
      <span class="interval-zero" />
      <span
        class="interval-bar"
        style={{
          left: at(comparison.low),
          width: `${(((comparison.high - comparison.low) / most) * 50).toFixed(1)}%`,
        }}
      />
      <span class="interval-dot" style={{ left: at(comparison.difference) }} />
    </span>
  )
}

export function ComparisonTable({ report }: { readonly report: EvalReport }) {
  const { primary, others } = report
  const all = [primary, ...lossesFirst(others)]
  const most = Math.max(0.05, ...all.flatMap(({ low, high }) => [Math.abs(low), Math.abs(high)]))
  return (
    <Table
      columns={['Comparison', ['Points', 'number'], ['95 %', 'number'], 'Worse, better', 'Test', 'Verdict']}
    >
      {all.map((comparison) => (
        <tr key={comparison.against}>
          <td>
            <IsolatedText text={`${comparison.arm} against ${comparison.against}`} />
            {comparison === primary && <span class="muted"> primary</span>}
          </td>
          <td class="number">{points(comparison.difference)}</td>
          <td class="number">
            {points(comparison.low)} to {points(comparison.high)}
          </td>
          <td>
            <Interval comparison={comparison} most={most} />
          </td>
          <td class="nowrap">
            {comparison === primary ? pText(comparison.p) : `${pText(comparison.p_adjusted)} after Holm`}
          </td>
          <td class={TONES[comparison.verdict]}>{comparison.verdict}</td>
        </tr>
      ))}
    </Table>
  )
}
