// Acts on a council: ask failed seats again, choose another chair, or follow it up when it is over; resume it
// when it has stopped.

import { useState } from 'preact/hooks'
import { endOfRound } from '../../../../council/follow-up.ts'
import { canRetry, retryableFailures } from '../../../../council/retry.ts'
import type { OpenedCouncil } from '../../../../council/state.ts'
import { showFault } from '../acts/confirm.tsx'
import { post } from '../client.ts'
import { IsolatedText } from '../elements/text.tsx'
import { followLink, navigate, tracePath } from '../route.ts'
import { rows, viewer } from '../state.ts'

export function CouncilActs({ trace, state }: { readonly trace: string; readonly state: OpenedCouncil }) {
  const [chair, setChair] = useState('')
  const [isBusy, setBusy] = useState(false)
  if (viewer.value?.read_only) return null
  const start = async (path: string, body: object): Promise<void> => {
    setBusy(true)
    try {
      navigate(tracePath((await post<{ trace: string }>(path, body)).trace))
    } catch (error) {
      showFault(error)
    }
    setBusy(false)
  }
  const standing = rows.value.get(trace)?.standing
  if (!state.isClosed)
    return standing === 'running' ? null : (
      <p class="actions">
        <button type="button" disabled={isBusy} onClick={() => void start('/runs/resume', { trace })}>
          Resume it here
        </button>
      </p>
    )
  const failed = [...new Set(retryableFailures(state).map(({ seat }) => seat))]
  const others = state.seats.filter(({ embedded }) => !embedded)
  return (
    <div class="actions council-acts">
      {canRetry(state) && (
        <button
          type="button"
          disabled={isBusy}
          onClick={() => void start('/councils/retry', { trace, seats: [] })}
        >
          Ask again who failed: <IsolatedText text={failed.join(', ')} />
        </button>
      )}
      {endOfRound(state, 'R2') !== null && others.length > 1 && (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            if (chair !== '') void start('/councils/fork', { trace, after: 'R2', chair })
          }}
        >
          <label class="inline" for="chair">
            Same opinions and reviews, chaired by
          </label>
          <select id="chair" value={chair} onChange={(event) => setChair(event.currentTarget.value)}>
            <option value="">…</option>
            {others.map(({ seat }) => (
              <option key={seat} value={seat}>
                {seat}
              </option>
            ))}
          </select>
          <button type="submit" disabled={isBusy || chair === ''}>
            Fork
          </button>
        </form>
      )}
      <a class="button" href={`/new/${trace}`} onClick={followLink(`/new/${trace}`)}>
        Follow up
      </a>
    </div>
  )
}
