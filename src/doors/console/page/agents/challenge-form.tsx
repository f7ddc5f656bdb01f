// A person challenges a claim: on which ground, and why. The challenge is a signed event, shown before it is signed.

import { useState } from 'preact/hooks'
import { propose } from '../acts/confirm.tsx'
import { viewer } from '../state.ts'

export function ChallengeForm({ trace, claim }: { readonly trace: string; readonly claim: string }) {
  const [ground, setGround] = useState('weak')
  const [reason, setReason] = useState('')
  if (viewer.value?.read_only) return null
  return (
    <details class="small">
      <summary>Challenge {claim}</summary>
      <label for={`ground-${claim}`}>Its evidence</label>
      <select
        id={`ground-${claim}`}
        class="medium"
        value={ground}
        onChange={(event) => setGround(event.currentTarget.value)}
      >
        <option value="weak">is weak</option>
        <option value="contradicted">contradicts it</option>
      </select>
      <label for={`challenge-${claim}`}>Reason (recorded permanently)</label>
      <input
        id={`challenge-${claim}`}
        value={reason}
        onInput={(event) => setReason(event.currentTarget.value)}
      />
      <p class="actions">
        <button
          type="button"
          disabled={reason.trim() === ''}
          onClick={() =>
            void propose(`Challenge ${claim}`, {
              act: 'decide',
              trace,
              subject: claim,
              as: 'challenge',
              ground,
              reason,
            })
          }
        >
          Challenge…
        </button>
      </p>
    </details>
  )
}
