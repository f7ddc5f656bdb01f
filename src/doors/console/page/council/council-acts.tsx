// What can be done with a council that is over: ask again who failed, let another seat chair, follow it up; with one that
// stands still: go on.

import { useState } from 'preact/hooks'
import { endOfRound } from '../../../../council/follow-up.ts'
import { canRetry, retryableFailures } from '../../../../council/retry.ts'
import type { OpenedCouncil } from '../../../../council/state.ts'
import { tellFault } from '../acts/confirm.tsx'
import { post } from '../client.ts'
import { go, stay, tracePath } from '../route.ts'
import { me, rows } from '../state.ts'
import { Said } from '../words/text.tsx'

export function CouncilActs({ trace, state }: { readonly trace: string; readonly state: OpenedCouncil }) {
  const [chair, setChair] = useState('')
  const [isBusy, setBusy] = useState(false)
  if (me.value?.read_only) return null
  const begin = async (path: string, body: object): Promise<void> => {
    setBusy(true)
    try {
      go(tracePath((await post<{ trace: string }>(path, body)).trace))
    } catch (error) {
      tellFault(error)
    }
    setBusy(false)
  }
  const standing = rows.value.get(trace)?.standing
  if (!state.isClosed)
    return standing === 'running' ? null : (
      <p class="actions">
        <button type="button" disabled={isBusy} onClick={() => void begin('/runs/resume', { trace })}>
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
          onClick={() => void begin('/councils/retry', { trace, seats: [] })}
        >
          Ask again who failed: <Said text={failed.join(', ')} />
        </button>
      )}
      {endOfRound(state, 'R2') !== null && others.length > 1 && (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            if (chair !== '') void begin('/councils/fork', { trace, after: 'R2', chair })
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
      <a class="button" href={`/new/${trace}`} onClick={stay(`/new/${trace}`)}>
        Follow up
      </a>
    </div>
  )
}
