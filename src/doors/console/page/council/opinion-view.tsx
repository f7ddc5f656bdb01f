// An opinion of round one, in full.

import type { CouncilOpinion } from '../../../../council/replies/opinion.ts'
import { Markdown } from '../elements/markdown.tsx'
import { IsolatedText } from '../elements/text.tsx'
import { followLink, tracePath } from '../route.ts'
import { Citable, CitedText, List } from './citations.tsx'

function eventPath(event: string, tab = 'events'): string {
  const [trace = '', seq = ''] = event.split('/')
  return tracePath(trace, tab, Number(seq))
}

/** An event of this council, with what the model was shown and what it wrote. */
export const EventLink = ({ event }: { readonly event: string }) => (
  <a class="small" href={eventPath(event)} onClick={followLink(eventPath(event))}>
    on record
  </a>
)

export function OpinionView({ opinion }: { readonly opinion: CouncilOpinion }) {
  const { details, id } = opinion
  return (
    <Citable id={id} class="opinion">
      <CitedText title="In short" text={opinion.summary} />
      <CitedText title="Understanding" text={details.understanding} />
      {details.recommendation !== '' && (
        <>
          <h4>Recommendation</h4>
          <Markdown text={details.recommendation} />
        </>
      )}
      <CitedText title="Why" text={details.rationale} />
      <List title="Considerations" items={details.key_considerations} />
      {opinion.risks.length > 0 && (
        <div class="word-list">
          <h4>Risks</h4>
          <ul>
            {opinion.risks.map((risk, i) => (
              <li key={i}>
                <span class={`severity severity-${risk.severity}`}>{risk.severity}</span>{' '}
                <IsolatedText text={risk.description} />
                {risk.mitigation !== '' && (
                  <span class="muted">
                    {' '}
                    Against it: <IsolatedText text={risk.mitigation} />
                  </span>
                )}
              </li>
            ))}
          </ul>
        </div>
      )}
      {opinion.findings.map((finding, i) => (
        <Citable key={`${id}.f${i + 1}`} id={`${id}.f${i + 1}`} class="cited-part">
          <span class={`severity severity-${finding.severity}`}>{finding.severity}</span>{' '}
          <IsolatedText text={finding.description} />
          {finding.file !== null && (
            <code>
              {' '}
              <IsolatedText text={`${finding.file}${finding.line === null ? '' : `:${finding.line}`}`} />
            </code>
          )}
        </Citable>
      ))}
      <List title="Assumes" items={opinion.assumptions} />
      <List title="Asks" items={opinion.questions} />
      <EventLink event={opinion.event} />
    </Citable>
  )
}
