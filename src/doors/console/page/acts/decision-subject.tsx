// The subject of a decision, and its basis: the exact call or change, the reason for it, and the verdicts of policy
// and critics.

import { Quote } from '../agents/quote.tsx'
import { IsolatedText, Long } from '../elements/text.tsx'
import { Expiry } from '../elements/time.tsx'
import { followLink, tracePath } from '../route.ts'
import { ArtifactView } from '../trace/artifact-view.tsx'
import { type Decision, targetOf } from './decision.ts'
import { PolicyText } from './policy-text.tsx'

const toneOf = (line: string): string =>
  line.startsWith('+') ? 'diff-added' : line.startsWith('-') ? 'diff-removed' : ''

const INLINE_CHARS = 400

/** Shown completely, however long: what is approved must be seen. */
function StepInput({ input }: { readonly input: object }) {
  const text = JSON.stringify(input)
  if (text.length > INLINE_CHARS) return <Long text={JSON.stringify(input, null, 2)} mono />
  return (
    <code>
      <IsolatedText text={text} />
    </code>
  )
}

export function DecisionSubject({ decision }: { readonly decision: Decision }) {
  const { tool, input, diff, plan, claim } = decision
  const target = targetOf(decision)
  if (tool !== null)
    return (
      <>
        <h2 class="matter-title">
          The call:{' '}
          <code>
            <IsolatedText text={tool} />
          </code>
        </h2>
        {target !== null && (
          <p class="target">
            <IsolatedText text={target} />
          </p>
        )}
        {decision.kind === 'resolve' && (
          <p class="notice warning">
            {decision.blocked === null ? (
              'It was cut off; whether it ran is not known.'
            ) : (
              <>
                It was blocked: <IsolatedText text={decision.blocked} />
              </>
            )}
          </p>
        )}
        {diff?.length === 0 && (
          <p class="notice warning">It would change nothing: the file has this very content now.</p>
        )}
        {diff && diff.length > 0 ? (
          <pre class="code diff">
            {diff.map((line, i) => (
              <span key={i} class={toneOf(line)}>
                <IsolatedText text={line} />
                {'\n'}
              </span>
            ))}
          </pre>
        ) : (
          <Long text={JSON.stringify(input, null, 2)} mono />
        )}
        {diff && diff.length > 0 && (
          <details>
            <summary>Its arguments</summary>
            <Long text={JSON.stringify(input, null, 2)} mono />
          </details>
        )}
      </>
    )
  if (plan)
    return (
      <>
        <h2 class="matter-title">
          The plan: <IsolatedText text={plan.objective} />
        </h2>
        <p>
          Tools: <IsolatedText text={plan.required_tools.join(', ')} />
        </p>
        {plan.assumptions.length > 0 && (
          <p>
            Assumes: <IsolatedText text={plan.assumptions.join('; ')} />
          </p>
        )}
        <ol>
          {(plan.steps ?? []).map((step) => (
            <li key={step.id}>
              <code class="muted">
                <IsolatedText text={step.id} />
              </code>{' '}
              <strong>
                <IsolatedText text={step.tool} />
              </strong>{' '}
              <StepInput input={step.input} />
              <span class="block muted">
                <IsolatedText text={step.justification} />
              </span>
            </li>
          ))}
        </ol>
      </>
    )
  if (claim)
    return (
      <>
        <h2 class="matter-title">
          The claim: <IsolatedText text={claim.text} />
        </h2>
        <p class="muted">confidence {claim.confidence}</p>
        {claim.evidence.map(({ quote, artifact }) => (
          <Quote key={artifact + quote} artifact={artifact} quote={quote} />
        ))}
      </>
    )
  return decision.about.map((text) => (
    <p key={text}>
      <IsolatedText text={text} />
    </p>
  ))
}

/** What is shown above already. */
const titleOf = ({ plan, claim }: Decision): string | null => plan?.objective ?? claim?.text ?? null

export function Grounds({ decision }: { readonly decision: Decision }) {
  const { policy, said: verdicts, proof, definition, trace, policy_text: text } = decision
  return (
    <dl class="rows">
      {decision.reason !== '' && decision.reason !== titleOf(decision) && (
        <div>
          <dt>Why it is wanted</dt>
          <dd>
            <IsolatedText text={decision.reason} />
          </dd>
        </div>
      )}
      {policy && (
        <>
          <div>
            <dt>Risk</dt>
            <dd class={policy.risk === 'high' || policy.risk === 'critical' ? 'bad' : ''}>{policy.risk}</dd>
          </div>
          <div>
            <dt>The rule that asks</dt>
            <dd>
              {policy.decision}, needs {policy.needs}: <IsolatedText text={policy.reasons.join('; ')} />
            </dd>
          </div>
        </>
      )}
      {verdicts.map(({ seat, verdict, reasons, expires }) => (
        <div key={`${seat}${verdict}`}>
          <dt>
            Critic <IsolatedText text={seat} />
          </dt>
          <dd>
            {verdict}
            {reasons.length > 0 && (
              <>
                : <IsolatedText text={reasons.join('; ')} />
              </>
            )}
            {expires !== null && (
              <>
                , <Expiry at={expires} />
              </>
            )}
          </dd>
        </div>
      ))}
      {proof && (
        <div>
          <dt>Proof wanted</dt>
          <dd>{proof}</dd>
        </div>
      )}
      <div>
        <dt>Task</dt>
        <dd>
          <IsolatedText text={decision.objective} />{' '}
          <a href={tracePath(trace, 'events', 0)} onClick={followLink(tracePath(trace, 'events', 0))}>
            as it was opened
          </a>
        </dd>
      </div>
      {text !== null && (
        <div>
          <dt>Policy</dt>
          <dd>
            <PolicyText artifact={text} />
          </dd>
        </div>
      )}
      {definition && (
        <div>
          <dt>Tool definition</dt>
          <dd>
            <ArtifactView
              artifact={{
                hash: definition,
                name: decision.tool ?? 'tool',
                size: -1,
                media_type: 'application/json',
              }}
            />
          </dd>
        </div>
      )}
    </dl>
  )
}
