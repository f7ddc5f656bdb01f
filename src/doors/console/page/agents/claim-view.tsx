// A claim with its evidence, its challenges and who accepted it.

import type { Claim, SessionState } from '../../../../agents/state.ts'
import { IsolatedText } from '../elements/text.tsx'
import { ChallengeForm } from './challenge-form.tsx'
import { Quote } from './quote.tsx'

export function ClaimView({
  claim,
  state,
  trace,
}: {
  readonly claim: Claim
  readonly state: SessionState
  readonly trace: string
}) {
  return (
    <div class="claim">
      <p>
        <code class="muted">{claim.id}</code>{' '}
        <strong>
          <IsolatedText text={claim.text} />
        </strong>{' '}
        <span class="muted small">confidence {claim.confidence}</span>{' '}
        <span class={claim.status === 'issued' ? 'good small' : 'warning small'}>{claim.status}</span>
      </p>
      {claim.evidence.map(({ artifact, quote }, i) => (
        <div key={i}>
          <Quote artifact={artifact} quote={quote} />
          <span class="small muted">left by {state.produced.get(artifact)?.intent ?? 'an execution'}</span>
        </div>
      ))}
      {claim.challenges.map(({ seat, ground, reason }) => (
        <p key={`${seat}${reason}`} class="warning small">
          <IsolatedText text={`${seat} challenges it as ${ground}: ${reason}`} />
        </p>
      ))}
      {state.phase === 'claiming' && claim.status === 'issued' && (
        <ChallengeForm trace={trace} claim={claim.id} />
      )}
      {claim.accepted.length > 0 && (
        <p class="good small">
          accepted by <IsolatedText text={claim.accepted.join(', ')} />
        </p>
      )}
    </div>
  )
}
