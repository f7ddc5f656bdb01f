// The report: the decision first, then reasons for doubt, then actions, then its basis. Every citation leads
// to the text that it names.

import type { CouncilResult } from '../../../../council/council-result.ts'
import type { CouncilFinalReport } from '../../../../council/report/report.ts'
import { stanceOf, tallyOf } from '../../../../render/report/document.ts'
import { Markdown } from '../elements/markdown.tsx'
import { IsolatedText } from '../elements/text.tsx'
import { Citations, List } from './citations.tsx'

/** Everything that can be cited in this council, by its id: its author. */
function namesOfCited({ rounds: [first, second] }: CouncilResult): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const { id, seat, findings } of first.opinions) {
    names.set(id, seat)
    for (const i of findings.keys()) names.set(`${id}.f${i + 1}`, `${seat}, finding ${i + 1}`)
  }
  for (const { id, seat, targets } of second.reviews) {
    names.set(id, `review by ${seat}`)
    const critiques = targets.reduce((sum, target) => sum + target.critiques.length, 0)
    for (let i = 1; i <= critiques; i++) names.set(`${id}.c${i}`, `${seat}, critique ${i}`)
  }
  return names
}

const withFullStop = (text: string): string => (/[.!?…:]$/.test(text.trim()) ? text : `${text}.`)

interface DoubtsProps {
  readonly report: CouncilFinalReport
  readonly mode: string | null
  readonly known: ReadonlyMap<string, string>
}

function Doubts({ report, mode, known }: DoubtsProps) {
  const { stance, counts, departed } = report.majority
  const tally = tallyOf({ mode }, counts)
  return (
    <div class="doubts">
      {tally !== '' && (
        <p>
          First round: <IsolatedText text={tally} />;{' '}
          {stance === null ? 'no majority' : `majority for ${stanceOf({ mode }, stance)}`}
          {departed && <strong class="warning"> The chair departed from it.</strong>}
        </p>
      )}
      {report.position_changes.map(({ seat, before, after, why }) => (
        <p key={seat}>
          <strong>
            <IsolatedText text={seat} />
          </strong>{' '}
          changed position from {stanceOf({ mode }, before)} to {stanceOf({ mode }, after)}:{' '}
          <IsolatedText text={why} />
        </p>
      ))}
      {report.disagreements.map((dispute, i) => (
        <details key={i}>
          <summary>
            Disagreement: <IsolatedText text={dispute.topic} />
          </summary>
          <ul>
            {dispute.positions.map(({ held_by, position }) => (
              <li key={position}>
                <IsolatedText text={position} /> <Citations ids={held_by} known={known} />
              </li>
            ))}
          </ul>
          <p>
            <IsolatedText text={`${withFullStop(dispute.resolution)} ${dispute.why}`} />
          </p>
        </details>
      ))}
      {report.unresolved.map(({ id, severity, description }) => (
        <p key={id} class="warning">
          Not answered: {severity}, <Citations ids={[id]} known={known} /> <IsolatedText text={description} />
        </p>
      ))}
      {report.unsupported.map(({ place, cited }) => (
        <p key={place} class="warning">
          Not supported: <code>{place}</code>{' '}
          {cited.length > 0 ? (
            <>
              cites <IsolatedText text={cited.join(', ')} />, which names nothing
            </>
          ) : (
            'cites nothing'
          )}
        </p>
      ))}
    </div>
  )
}

export function ReportView({ result }: { readonly result: CouncilResult }) {
  const { report } = result
  if (report === null) return null
  const known = namesOfCited(result)
  return (
    <section class="report" aria-labelledby="report-title">
      <h2 id="report-title">
        <span class={`stance stance-${report.decision}`}>{stanceOf(result, report.decision)}</span>{' '}
        <span class="muted">confidence {report.confidence}</span>
      </h2>
      {report.notices.map((text) => (
        <p key={text} class="notice warning">
          <IsolatedText text={text} />
        </p>
      ))}
      <p class="conclusion">
        <IsolatedText text={report.conclusion} />
      </p>
      {report.need_info_reason !== '' && (
        <p>
          <IsolatedText text={report.need_info_reason} />
        </p>
      )}
      {report.summary !== '' && report.summary !== report.conclusion && <Markdown text={report.summary} />}
      <Doubts report={report} mode={result.mode} known={known} />
      {report.rationale.length > 0 && (
        <>
          <h3>Why</h3>
          <ol class="rationale">
            {report.rationale.map(({ point, supported_by }, i) => (
              <li key={i}>
                <IsolatedText text={point} /> <Citations ids={supported_by} known={known} />
              </li>
            ))}
          </ol>
        </>
      )}
      {report.findings.length > 0 && (
        <>
          <h3>Findings</h3>
          <ul class="report-findings">
            {report.findings.map((finding) => (
              <li key={finding.id}>
                <span class={`severity severity-${finding.severity}`}>{finding.severity}</span>{' '}
                <strong>{finding.id}</strong> <IsolatedText text={finding.description} />
                {finding.file !== null && (
                  <code class="block">
                    <IsolatedText
                      text={`${finding.file}${finding.line === null ? '' : `:${finding.line}`}`}
                    />
                  </code>
                )}
                {finding.fix !== '' && (
                  <span class="block muted">
                    Fix: <IsolatedText text={finding.fix} />
                  </span>
                )}
                <Citations ids={finding.sources} known={known} />
              </li>
            ))}
          </ul>
        </>
      )}
      {report.risks.length > 0 && (
        <>
          <h3>Risks</h3>
          <ul>
            {report.risks.map((risk, i) => (
              <li key={i}>
                <span class={`severity severity-${risk.severity}`}>{risk.severity}</span>{' '}
                <IsolatedText text={risk.description} />
                {risk.status === 'disputed' && <span class="warning"> disputed</span>}
                {risk.mitigation !== '' && (
                  <span class="block muted">
                    Against it: <IsolatedText text={risk.mitigation} />
                  </span>
                )}
                <Citations ids={risk.mentioned_by} known={known} />
              </li>
            ))}
          </ul>
        </>
      )}
      {report.next_actions.length > 0 && (
        <>
          <h3>Next</h3>
          <ol>
            {report.next_actions.map((action, i) => (
              <li key={i}>
                <span class="muted">{action.priority}</span> <IsolatedText text={action.action} />
                {action.success_criteria !== '' && (
                  <span class="block muted">
                    Done when: <IsolatedText text={action.success_criteria} />
                  </span>
                )}
              </li>
            ))}
          </ol>
        </>
      )}
      <List title="Agreed" items={report.consensus_points} />
      <List
        title="Not known"
        items={report.uncertainties.map(({ point, verification }) =>
          verification === '' ? point : `${withFullStop(point)} To find out: ${verification}`,
        )}
      />
      {report.answered_critiques.length > 0 && (
        <details>
          <summary>What became of critiques</summary>
          <ul>
            {report.answered_critiques.map(({ critique, answer }) => (
              <li key={critique}>
                <Citations ids={[critique]} known={known} /> <IsolatedText text={answer} />
              </li>
            ))}
          </ul>
        </details>
      )}
      <p class="small muted">
        {report.chair === null ? 'No model wrote this report.' : `Written by ${report.chair}.`} Rounds:{' '}
        {report.rounds_completed.join(', ')}
        {report.short_circuit.triggered && `; skipped: ${report.short_circuit.rounds_skipped.join(', ')}`}
      </p>
    </section>
  )
}
