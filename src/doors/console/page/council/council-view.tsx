// A council: its report once there is one, its seats, and who said what about which opinion. Drawn from the fold
// alone.

import { sha256 } from '../../../../browser/bytes.ts'
import { councilResult } from '../../../../council/council-result.ts'
import { isOpenedCouncil } from '../../../../council/state.ts'
import { count, IsolatedText, money, seconds } from '../elements/text.tsx'
import { FoldView } from '../trace/fold-view.tsx'
import type { ViewProps } from '../trace/view-props.ts'
import { CouncilActs } from './council-acts.tsx'
import type { CouncilFold } from './fold.ts'
import { MatrixView } from './matrix-view.tsx'
import { ReportView } from './report-view.tsx'
import { SeatsView } from './seats-view.tsx'

function Facts({ fold }: { readonly fold: CouncilFold }) {
  const state = fold.state.inner
  if (!isOpenedCouncil(state)) return null
  const { opened, cost } = state
  const result = councilResult(sha256, state)
  const { metrics } = result
  return (
    <dl class="facts">
      <div>
        <dt>Mode</dt>
        <dd>{opened.mode}</dd>
      </div>
      <div>
        <dt>Status</dt>
        <dd>
          {result.status?.replaceAll('_', ' ') ?? 'under way'}
          {result.degraded && result.status !== 'degraded' && <span class="warning"> degraded</span>}
        </dd>
      </div>
      <div>
        <dt>Calls</dt>
        <dd>{count(cost.calls, 'call')}</dd>
      </div>
      <div>
        <dt>Cost</dt>
        <dd>
          {money(cost.known)}
          {cost.unknown > 0 && <span class="muted"> and {count(cost.unknown, 'unpriced call')}</span>}
        </dd>
      </div>
      <div>
        <dt>Thinking</dt>
        <dd>{seconds(state.thinkingMs)}</dd>
      </div>
      {opened.context.kind !== 'none' && (
        <div>
          <dt>Before it</dt>
          <dd>{count(metrics && opened.context.files.length, 'file')}</dd>
        </div>
      )}
    </dl>
  )
}

export function CouncilView({ model }: ViewProps) {
  return (
    <FoldView model={model}>
      {(fold) => {
        const council = fold as CouncilFold
        const state = council.state.inner
        if (!isOpenedCouncil(state))
          return <p class="notice warning">How this council was opened was erased.</p>
        const result = councilResult(sha256, state)
        return (
          <div class="council">
            <Facts fold={council} />
            {result.status !== null && result.report === null && (
              <p class="notice warning">
                It ended without a report: <IsolatedText text={result.reason} />
              </p>
            )}
            <CouncilActs trace={model.trace} state={state} />
            <ReportView result={result} />
            <SeatsView board={council.board} state={state} result={result} />
            <MatrixView result={result} state={state} />
          </div>
        )
      }}
    </FoldView>
  )
}
