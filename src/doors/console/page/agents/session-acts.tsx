// Acts on a session: resume it, challenge a claim, or end it.

import { useState } from 'preact/hooks'
import type { SessionState } from '../../../../agents/state.ts'
import { propose, showFault } from '../acts/confirm.tsx'
import { post } from '../client.ts'
import { followLink } from '../route.ts'
import { rows, viewer } from '../state.ts'

const ENDED_STATUSES: readonly string[] = ['completed', 'failed', 'aborted']

export function SessionActs({ trace, state }: { readonly trace: string; readonly state: SessionState }) {
  const [reason, setReason] = useState('')
  const row = rows.value.get(trace)
  if (viewer.value?.read_only || ENDED_STATUSES.includes(state.phase)) return null
  return (
    <form
      class="actions"
      onSubmit={(event) => {
        event.preventDefault()
        void propose('Abort this session', { act: 'abort', trace, reason }, { danger: true })
      }}
    >
      {row && row.waits > 0 && (
        <a class="button" href="/inbox" onClick={followLink('/inbox')}>
          Decide what waits
        </a>
      )}
      {row && row.standing !== 'running' && (
        <button type="button" onClick={() => void post('/runs/resume', { trace }).catch(showFault)}>
          Resume it here
        </button>
      )}
      <label class="inline" for="abort-reason">
        End it before its time, because
      </label>
      <input
        id="abort-reason"
        class="medium"
        value={reason}
        onInput={(event) => setReason(event.currentTarget.value)}
      />
      <button type="submit" class="danger" disabled={reason.trim() === ''}>
        Abort…
      </button>
    </form>
  )
}
