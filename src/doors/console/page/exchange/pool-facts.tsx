// The state of an exchange, its themes, its terms and their history; who is writing now.

import type { ExchangeState } from '../../../../exchange/state.ts'
import type { OpenCall } from '../../../../ledger/calls.ts'
import { IsolatedText, money } from '../elements/text.tsx'
import { Clock } from '../elements/time.tsx'
import { followLink, tracePath } from '../route.ts'
import type { TermsStep } from './pool-notes.ts'

const statusText = ({ halted, movedTo, stopped }: ExchangeState): string => {
  if (halted) return 'halted'
  if (movedTo !== null) return 'continues elsewhere'
  return stopped === null ? 'open' : 'stopped'
}

export function Facts({ state }: { readonly state: ExchangeState }) {
  const { totals, level } = state
  return (
    <dl class="facts">
      <div>
        <dt>Status</dt>
        <dd>{statusText(state)}</dd>
      </div>
      <div>
        <dt>Round</dt>
        <dd>
          {state.closed} of {state.until} granted
        </dd>
      </div>
      <div>
        <dt>Messages</dt>
        <dd>{totals.messages.toLocaleString('en')}</dd>
      </div>
      <div>
        <dt>Restart level</dt>
        <dd>
          <meter
            min={0}
            max={1}
            high={state.terms?.restart.raise ?? 1}
            value={level.level}
            aria-label="Restart level"
          />{' '}
          {level.level.toFixed(2)}
        </dd>
      </div>
      <div>
        <dt>Cost</dt>
        <dd>{money(totals.usd)}</dd>
      </div>
      <div>
        <dt>Observer</dt>
        <dd>
          <IsolatedText text={state.terms?.observer.name ?? 'erased'} />
        </dd>
      </div>
    </dl>
  )
}

/** The minds whose calls are open: `mind/ROUND/NAME/…`. */
export function Writers({
  open,
  state,
}: {
  readonly open: ReadonlyMap<string, OpenCall>
  readonly state: ExchangeState
}) {
  const names = [...open.keys()].flatMap(
    (action) => state.terms?.pool.minds.find((mind) => action.split('/').includes(mind)) ?? [],
  )
  const others = open.size - names.length
  if (open.size === 0) return null
  return (
    <p class="muted" role="status">
      <IsolatedText text={[...names, ...(others > 0 ? ['the auditor'] : [])].join(', ')} />{' '}
      {open.size === 1 ? 'is writing…' : 'are writing…'}
    </p>
  )
}

export function Themes({ state }: { readonly state: ExchangeState }) {
  return (
    <>
      <h2 id="themes-title">Themes</h2>
      {state.clusters === null ? (
        <p class="muted">None yet.</p>
      ) : (
        <ul class="themes">
          {state.clusters.notes.map((note) => (
            <li key={note.id}>
              <span class="theme">{note.id}</span>{' '}
              <strong>
                <IsolatedText text={note.label} />
              </strong>{' '}
              <span class="muted small nowrap">
                {note.size}, {Math.round(note.share * 100)} %
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

export function TermsNow({
  state,
  steps,
}: {
  readonly state: ExchangeState
  readonly steps: readonly TermsStep[]
}) {
  const { terms } = state
  if (terms === null) return null
  return (
    <>
      <h2>Terms</h2>
      <div class="terms">
        <IsolatedText text={terms.pool.prompt} />
      </div>
      <p class="small muted">
        {terms.pool.minds.length} minds, each shown {terms.pool.sample} of the last {terms.pool.window}; an
        audit every {terms.auditor.every} rounds; a signal at {terms.restart.raise}
      </p>
      <h3>Their history</h3>
      <ol class="small">
        {steps.map(({ trace, seq, at, changed, reason }) => (
          <li key={`${trace}/${seq}`}>
            <a href={tracePath(trace, 'events', seq)} onClick={followLink(tracePath(trace, 'events', seq))}>
              <Clock at={at} day />
            </a>{' '}
            {changed.length === 0 ? 'as they were opened' : changed.join(', ')}
            {reason && (
              <span class="muted">
                {' '}
                because <IsolatedText text={reason} />
              </span>
            )}
          </li>
        ))}
      </ol>
    </>
  )
}
