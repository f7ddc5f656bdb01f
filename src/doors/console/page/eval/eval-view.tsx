// An evaluation: the verdict first, a loss before all else; then each arm, every comparison with its
// interval, further results, and the items, each with its councils. Drawn from the fold alone.

import { type EvalReport, reportOf } from '../../../../eval/report.ts'
import { isOpened } from '../../../../eval/state.ts'
import { insightTexts } from '../../../../render/eval/insight-texts.ts'
import { pText, smallestEffectText } from '../../../../render/eval/numbers.ts'
import { count, IsolatedText, money } from '../elements/text.tsx'
import { FoldView } from '../trace/fold-view.tsx'
import type { ViewProps } from '../trace/view-props.ts'
import { ArmTable, ComparisonTable } from './arm-tables.tsx'
import type { EvalFold } from './fold.ts'
import { ItemTable, TraceLink } from './item-table.tsx'

const TONES = { worse: 'bad', better: 'good', 'no difference found': 'warning' } as const

const STATUS = {
  completed: 'completed',
  open: 'not finished',
  over_budget: 'stopped at the budget',
} as const

function Verdicts({ report }: { readonly report: EvalReport }) {
  const { primary, others } = report
  const losses = others.filter(({ verdict }) => verdict === 'worse')
  const shown = primary.verdict === 'worse' ? [primary, ...losses] : [...losses, primary]
  return (
    <>
      {shown.map((comparison) => (
        <p key={comparison.against} class={`conclusion ${TONES[comparison.verdict]}`}>
          <IsolatedText text={comparison.words} />,{' '}
          {comparison === primary ? pText(comparison.p) : `${pText(comparison.p_adjusted)} after Holm`}
        </p>
      ))}
    </>
  )
}

const Facts = ({ report }: { readonly report: EvalReport }) => (
  <dl class="facts">
    <div>
      <dt>Set</dt>
      <dd>
        <IsolatedText text={report.set.name} />
      </dd>
    </div>
    <div>
      <dt>Status</dt>
      <dd>{STATUS[report.status]}</dd>
    </div>
    <div>
      <dt>Graded</dt>
      <dd>
        {report.graded} of {report.units}
      </dd>
    </div>
    <div>
      <dt>Seats</dt>
      <dd>
        <IsolatedText
          text={report.seats
            .map(({ seat, model }) => (model === null || model === seat ? seat : `${seat} (${model})`))
            .join(', ')}
        />
      </dd>
    </div>
    <div>
      <dt>Cost</dt>
      <dd>
        {money(report.spent.usd)}
        {report.spent.unknown > 0 && (
          <span class="muted"> and {count(report.spent.unknown, 'unpriced call')}</span>
        )}
      </dd>
    </div>
  </dl>
)

function ReportPart({ report }: { readonly report: EvalReport }) {
  return (
    <div class="eval">
      <Verdicts report={report} />
      <Facts report={report} />
      <h2>Arms</h2>
      <ArmTable report={report} />
      {report.equal_cost.map(({ arm, mean, by }) => (
        <p key={arm} class="small muted">
          <IsolatedText
            text={`${arm}: ${mean.toFixed(1)} answers an item, as many as the council’s ${by.join(' and ')} buys`}
          />
        </p>
      ))}
      <h2>Comparisons</h2>
      <ComparisonTable report={report} />
      <h2>What else it shows</h2>
      <ul>
        {insightTexts(report).map((text) => (
          <li key={text}>
            <IsolatedText text={text} />
          </li>
        ))}
      </ul>
      <p class="muted">{smallestEffectText(report.smallest_effect)}</p>
      <h2 id="items">Items</h2>
      <ItemTable report={report} />
    </div>
  )
}

export function EvalView({ model }: ViewProps) {
  return (
    <FoldView model={model}>
      {(fold) => {
        const { inner } = (fold as EvalFold).state
        if (isOpened(inner)) return <ReportPart report={reportOf(inner)} />
        const { outcome } = inner
        if (outcome === null) return <p class="notice warning">How this evaluation was opened was erased.</p>
        return (
          <p>
            The council <TraceLink trace={outcome.council.trace} /> turned out{' '}
            <strong>{outcome.outcome ?? 'as noted'}</strong>
            {outcome.note !== '' && (
              <>
                : <IsolatedText text={outcome.note} />
              </>
            )}
          </p>
        )
      }}
    </FoldView>
  )
}
