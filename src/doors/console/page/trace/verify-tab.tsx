// Verifies the selected trace in this page, against the registry key of the home.

import { useEffect, useState } from 'preact/hooks'
import { get, getBytes } from '../client.ts'
import { Verifier } from './examination.ts'
import { VerdictView } from './verdict-view.tsx'
import type { ViewProps } from './view-props.ts'

export function VerifyTab({ model }: ViewProps) {
  const { trace } = model
  const [verifier] = useState(() => new Verifier())
  const run = (): void =>
    void verifier.take(
      () => getBytes(`/traces/${trace}/bundle`),
      async () => ({ keys: (await get<{ keys: readonly string[] }>('/trust')).keys, checkpoints: [] }),
    )
  useEffect(run, [trace])
  const state = verifier.state.value
  return (
    <section class="verify" aria-label="Verification">
      <VerdictView state={state} isHere />
      {state.is !== 'busy' && (
        <p>
          <button type="button" onClick={run}>
            Check again
          </button>{' '}
          <span class="muted small">
            Checked in this browser. The same on the command line: <code>witan verify {trace}</code>
          </span>
        </p>
      )}
    </section>
  )
}
