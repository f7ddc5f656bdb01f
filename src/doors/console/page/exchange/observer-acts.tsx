// The acts of the observer of an exchange: each is shown as the bytes to be signed before it counts.

import { useState } from 'preact/hooks'
import { ANSWERS } from '../../../../exchange/result.ts'
import { showFault } from '../acts/confirm.tsx'
import { post } from '../client.ts'
import { rows, viewer } from '../state.ts'
import { CourseForm } from './course-form.tsx'
import { type ActsProps, observe } from './observe.ts'
import { TermsForm } from './terms-form.tsx'

function SignalAnswer({
  trace,
  text,
  clear,
}: {
  readonly trace: string
  readonly text: string
  readonly clear: () => void
}) {
  return (
    <div class="signal">
      <h3 id="signal-title">Answer the signal</h3>
      <dl class="answers">
        <div>
          <dt>
            <button type="button" onClick={() => void observe(trace, 'acknowledge', text, { done: clear })}>
              Acknowledge…
            </button>
          </dt>
          <dd>{ANSWERS.acknowledge}</dd>
        </div>
        <div>
          <dt>
            <button
              type="button"
              class="danger"
              onClick={() => void observe(trace, 'halt', text, { done: clear })}
            >
              Halt…
            </button>
          </dt>
          <dd>{ANSWERS.halt}</dd>
        </div>
        <div>
          <dt>Amend, branch, roll back</dt>
          <dd>the forms below answer the signal too</dd>
        </div>
      </dl>
    </div>
  )
}

function Grant({ trace, state }: ActsProps) {
  const [rounds, setRounds] = useState('10')
  const resume = (): void => void post('/runs/resume', { trace }).catch(showFault)
  const isRunning = rows.value.get(trace)?.standing === 'running'
  return (
    <form
      class="actions"
      onSubmit={(event) => {
        event.preventDefault()
        void observe(trace, 'grant', rounds, { done: isRunning ? () => undefined : resume })
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
      <button type="submit">Continue…</button>
      {!isRunning && state.closed < state.until && (
        <button type="button" onClick={resume}>
          Run what is granted
        </button>
      )}
    </form>
  )
}

export function ObserverActs({ trace, state }: ActsProps) {
  const [text, setText] = useState('')
  if (viewer.value?.read_only || state.halted || state.movedTo !== null) return null
  const clear = (): void => setText('')
  const isEmpty = text.trim() === ''
  const submit = (act: 'inject' | 'say' | 'pause' | 'halt') => () =>
    void observe(trace, act, text, { done: clear })
  return (
    <section class="observer" aria-labelledby="observer-title">
      <h2 id="observer-title">You are the observer</h2>
      {state.signal && <SignalAnswer trace={trace} text={text} clear={clear} />}
      <label for="words">Words for the pool, or a reason</label>
      <textarea id="words" rows={2} value={text} onInput={(event) => setText(event.currentTarget.value)} />
      <p class="actions">
        <button type="button" disabled={isEmpty} onClick={submit('inject')}>
          Inject…
        </button>
        <button type="button" disabled={isEmpty} onClick={submit('say')}>
          {state.unanswered === null ? 'Say…' : 'Answer the audit…'}
        </button>
        {state.unanswered !== null && (
          <button type="button" onClick={() => void observe(trace, 'pass', '')}>
            Pass over the audit…
          </button>
        )}
        {state.stopped === null && (
          <button type="button" onClick={submit('pause')}>
            Pause…
          </button>
        )}
        {!state.signal && (
          <button type="button" class="danger" onClick={submit('halt')}>
            Halt for good…
          </button>
        )}
      </p>
      <Grant trace={trace} state={state} />
      <CourseForm trace={trace} state={state} />
      <TermsForm trace={trace} state={state} />
    </section>
  )
}
