// Erases a payload or an artifact permanently: the registry records who requested it and why, and that is shown
// before it is signed.

import { useState } from 'preact/hooks'
import { propose } from '../acts/confirm.tsx'
import { reloadTrace, viewer } from '../state.ts'

export function RedactForm({
  trace,
  seq,
  artifact,
}: {
  readonly trace: string
  readonly seq: number | null
  readonly artifact: string | null
}) {
  const [reason, setReason] = useState('')
  if (viewer.value?.read_only) return null
  const erased = seq === null ? 'this artifact' : `the content of event ${seq}`
  const id = `redact-${seq ?? artifact}`
  return (
    <details class="redact">
      <summary class="small">Erase {erased}</summary>
      <p class="small warning">
        It cannot be had back. The event, its hash and its signature stay; artifacts that it names, and
        prompts that quote it, are erased each by itself.
      </p>
      <label for={id}>Reason (recorded permanently)</label>
      <input id={id} value={reason} onInput={(event) => setReason(event.currentTarget.value)} />
      <p class="actions">
        <button
          type="button"
          class="danger"
          disabled={reason.trim() === ''}
          onClick={() =>
            void propose(
              `Erase ${erased} for good`,
              { act: 'redact', trace, seq, artifact, reason },
              { danger: true, done: (done) => done && reloadTrace() },
            )
          }
        >
          Erase…
        </button>
      </p>
    </details>
  )
}
