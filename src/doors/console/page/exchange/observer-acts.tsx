// What the observer of an exchange can do from here: every act is shown as the bytes it signs before it counts.

import { useState } from 'preact/hooks'
import { ANSWERS } from '../../../../exchange/result.ts'
import type { ExchangeState } from '../../../../exchange/state.ts'
import { propose, tellFault } from '../acts/confirm.tsx'
import { post } from '../client.ts'
import { me, rows } from '../state.ts'

export const observe = (
  trace: string,
  does: string,
  text: string,
  done: () => void = () => undefined,
): Promise<void> =>
  propose(
    `${does}${text === '' ? '' : `: ${text.slice(0, 60)}`}`,
    { act: 'observe', trace, does, text },
    { danger: does === 'halt', done },
  )

export function ObserverActs({ trace, state }: { readonly trace: string; readonly state: ExchangeState }) {
  const [text, setText] = useState('')
  const [rounds, setRounds] = useState('10')
  if (me.value?.read_only || state.halted || state.movedTo !== null) return null
  const clear = (): void => setText('')
  const resume = (): void => void post('/runs/resume', { trace }).catch(tellFault)
  const isRunning = rows.value.get(trace)?.standing === 'running'
  return (
    <section class="observer" aria-labelledby="observer-title">
      <h2 id="observer-title">You are the observer</h2>
      {state.signal && (
        <div class="signal">
          <p>Answer the signal:</p>
          <p class="actions">
            <button
              type="button"
              onClick={() => void observe(trace, 'acknowledge', text, clear)}
              title={ANSWERS.acknowledge}
            >
              Acknowledge
            </button>
            <button
              type="button"
              class="danger"
              onClick={() => void observe(trace, 'halt', text, clear)}
              title={ANSWERS.halt}
            >
              Halt
            </button>
            <span class="small muted">
              amend, branch and rollback: <code>witan exchange answer {trace.slice(0, 10)}…</code>
            </span>
          </p>
        </div>
      )}
      <label for="words">Words for the pool, or a reason</label>
      <textarea id="words" rows={2} value={text} onInput={(event) => setText(event.currentTarget.value)} />
      <p class="actions">
        <button
          type="button"
          disabled={text.trim() === ''}
          onClick={() => void observe(trace, 'inject', text, clear)}
        >
          Inject
        </button>
        <button
          type="button"
          disabled={text.trim() === ''}
          onClick={() => void observe(trace, 'say', text, clear)}
        >
          {state.unanswered === null ? 'Say' : 'Answer the audit'}
        </button>
        {state.unanswered !== null && (
          <button type="button" onClick={() => void observe(trace, 'pass', '')}>
            Pass over the audit
          </button>
        )}
        {state.stopped === null && (
          <button type="button" onClick={() => void observe(trace, 'pause', text, clear)}>
            Pause
          </button>
        )}
        {!state.signal && (
          <button type="button" class="danger" onClick={() => void observe(trace, 'halt', text, clear)}>
            Halt for good
          </button>
        )}
      </p>
      <form
        class="actions"
        onSubmit={(event) => {
          event.preventDefault()
          void observe(trace, 'grant', rounds, isRunning ? undefined : resume)
        }}
      >
        <label class="inline" for="rounds">
          Let it think for rounds
        </label>
        <input
          id="rounds"
          class="short"
          inputMode="numeric"
          value={rounds}
          onInput={(event) => setRounds(event.currentTarget.value)}
        />
        <button type="submit">Continue</button>
        {!isRunning && state.closed < state.until && (
          <button type="button" onClick={resume}>
            Run what is granted
          </button>
        )}
      </form>
    </section>
  )
}
