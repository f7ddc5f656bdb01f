// A session: proposals, the intents and executions under each, and the claims, as a tree from plan to proof,
// as a graph, or over time. Drawn from the fold.

import { useState } from 'preact/hooks'
import type { Claim, Intent, Proposal, SessionState } from '../../../../agents/state.ts'
import { MEANS_WORDS } from '../../../../ledger/means.ts'
import { clip, count, IsolatedText, Long, money } from '../elements/text.tsx'
import { Expiry } from '../elements/time.tsx'
import { followLink, tracePath } from '../route.ts'
import { FoldView } from '../trace/fold-view.tsx'
import type { ViewProps } from '../trace/view-props.ts'
import { AtWork } from './at-work.tsx'
import { ClaimView } from './claim-view.tsx'
import type { AgentsFold } from './fold.ts'
import { SessionActs } from './session-acts.tsx'
import { SessionGraph } from './session-graph.tsx'
import { SessionTimeline } from './session-timeline.tsx'
import { callText, inputText, statusText, toneOf } from './session-words.ts'

const Status = ({ status }: { readonly status: string }) => (
  <span class={`status ${toneOf(status)}`}>{statusText(status)}</span>
)

/** For other critics the name of the seat is enough. */
const isMeans = (via: string): via is keyof typeof MEANS_WORDS => Object.hasOwn(MEANS_WORDS, via)

function IntentView({ intent }: { readonly intent: Intent }) {
  const { assessment } = intent
  return (
    <li class="intent">
      <details>
        <summary>
          <code class="muted">{intent.id}</code>{' '}
          <strong>
            <IsolatedText text={intent.tool} />
          </strong>{' '}
          <span class="call">
            <IsolatedText text={clip(callText(intent), 120)} />
          </span>{' '}
          <Status status={intent.status} />
        </summary>
        <Long text={inputText(intent)} mono />
        <p>
          Why: <IsolatedText text={intent.justification} />
        </p>
        {assessment && (
          <p class="small">
            Policy: {assessment.decision}, risk {assessment.risk}, needs {assessment.needs}{' '}
            <span class="muted">
              <IsolatedText text={[...assessment.deciding, ...assessment.reasons].join('; ')} />
            </span>
          </p>
        )}
        {intent.approvals.map(({ seat, expires }) => (
          <p key={seat} class="small good">
            approved by <IsolatedText text={seat} />, <Expiry at={expires} />
          </p>
        ))}
        {intent.reason !== null && (
          <p class="small">
            {intent.blockedBy && (
              <>
                blocked by <IsolatedText text={intent.blockedBy} />:{' '}
              </>
            )}
            <IsolatedText text={intent.reason} />
          </p>
        )}
        {intent.council && (
          <p class="small">
            <a href={tracePath(intent.council.trace)} onClick={followLink(tracePath(intent.council.trace))}>
              The council over it
            </a>
          </p>
        )}
      </details>
    </li>
  )
}

function ProposalView({
  proposal,
  state,
  trace,
}: {
  readonly proposal: Proposal
  readonly state: SessionState
  readonly trace: string
}) {
  const intents = [...state.intents.values()].filter((intent) => intent.proposal === proposal.id)
  const claims: readonly Claim[] = [...state.claims.values()].filter(
    (claim) => claim.proposal === proposal.id,
  )
  const { plan } = proposal
  return (
    <section class="proposal" aria-label={`Proposal ${proposal.id}`}>
      <h2>
        <code class="muted">{proposal.id}</code> <IsolatedText text={plan.objective} />{' '}
        <Status status={proposal.closed?.outcome ?? proposal.status} />
      </h2>
      {proposal.revises && <p class="small muted">replaces {proposal.revises}</p>}
      <ul class="reviews">
        {[...proposal.reviews.values()].map((review) => (
          <li key={review.seat} class="small">
            <strong>
              <IsolatedText text={review.seat} />
            </strong>{' '}
            <Status status={review.verdict} /> <IsolatedText text={review.reasons.join('; ')} />{' '}
            <span class="muted">{isMeans(review.via) && MEANS_WORDS[review.via]}</span>
          </li>
        ))}
      </ul>
      {proposal.closed && proposal.closed.reason !== '' && (
        <p class="small muted">
          <IsolatedText text={proposal.closed.reason} />
        </p>
      )}
      <div class="chain">
        <div>
          <h3>Calls</h3>
          {intents.length === 0 ? (
            <p class="muted small">none yet</p>
          ) : (
            <ol class="intents">
              {intents.map((intent) => (
                <IntentView key={intent.id} intent={intent} />
              ))}
            </ol>
          )}
        </div>
        <div>
          <h3>Claims</h3>
          {claims.length === 0 ? (
            <p class="muted small">none yet</p>
          ) : (
            claims.map((claim) => <ClaimView key={claim.id} claim={claim} state={state} trace={trace} />)
          )}
        </div>
      </div>
    </section>
  )
}

function Facts({ state }: { readonly state: SessionState }) {
  const { task } = state
  if (!task) return null
  return (
    <dl class="facts">
      <div>
        <dt>Phase</dt>
        <dd>{state.phase}</dd>
      </div>
      <div>
        <dt>Critics</dt>
        <dd>
          <IsolatedText text={task.roles.critics.map(({ seat }) => seat).join(', ')} />
        </dd>
      </div>
      {task.tools.length > 0 && (
        <div>
          <dt>Tools</dt>
          <dd>
            <IsolatedText text={task.tools.map(({ name }) => name).join(', ')} />
          </dd>
        </div>
      )}
      <div>
        <dt>Steps</dt>
        <dd>
          {state.steps} of {task.limits.steps}
        </dd>
      </div>
      <div>
        <dt>Cost</dt>
        <dd>{money(state.cost)}</dd>
      </div>
      <div>
        <dt>Approval needs</dt>
        <dd>{task.policy.approval_proof ?? 'terminal'}</dd>
      </div>
    </dl>
  )
}

export function SessionView({ model }: ViewProps) {
  const [layout, setLayout] = useState<'tree' | 'graph' | 'timeline'>('tree')
  return (
    <FoldView model={model}>
      {(fold) => {
        const { inner: state, open } = (fold as AgentsFold).state
        const { statement } = state
        const { steps } = fold as AgentsFold
        const isLost = state.phase === 'aborted' || state.phase === 'failed'
        return (
          <div class="session">
            <Facts state={state} />
            <SessionActs trace={model.trace} state={state} />
            <AtWork trace={model.trace} open={open} />
            {isLost && (
              <p class="notice warning">
                <IsolatedText text={steps.shown.at(-1)?.words ?? state.phase} />
              </p>
            )}
            {state.limit && <p class="notice warning">A limit was reached: {state.limit}.</p>}
            {statement && (
              <p class="notice">
                Final statement: {count(statement.claims.length, 'claim')} proven, {statement.unproven.length}{' '}
                not.
              </p>
            )}
            <p class="actions" role="toolbar" aria-label="Ways to look at it">
              {(['tree', 'graph', 'timeline'] as const).map((name) => (
                <button
                  key={name}
                  type="button"
                  aria-pressed={layout === name}
                  onClick={() => setLayout(name)}
                >
                  {name}
                </button>
              ))}
            </p>
            {layout === 'tree' &&
              [...state.proposals.values()].map((proposal) => (
                <ProposalView key={proposal.id} proposal={proposal} state={state} trace={model.trace} />
              ))}
            {layout === 'graph' && <SessionGraph state={state} />}
            {layout === 'timeline' && <SessionTimeline steps={steps} />}
            {state.proposals.size === 0 && <p class="empty">Nothing was proposed yet.</p>}
          </div>
        )
      }}
    </FoldView>
  )
}
