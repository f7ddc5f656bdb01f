// An exchange: where it stands, what waits for its observer, its themes, and what stands in the pool, newest last. Drawn
// from the fold alone.

import { isRestart, type Message } from '../../../../exchange/messages.ts'
import type { ExchangeState } from '../../../../exchange/state.ts'
import { stay, tracePath } from '../route.ts'
import { Folded } from '../trace/folded.tsx'
import type { ViewProps } from '../trace/view-props.ts'
import { count, money, parts, Said } from '../words/text.tsx'
import type { ExchangeFold } from './fold.ts'
import { ObserverActs } from './observer-acts.tsx'

const KINDS: Readonly<Record<Message['kind'], string>> = {
  mind: '',
  injection: 'injected',
  audit: 'audit',
  auditor_role: 'auditor’s role',
  observer_role: 'observer’s role',
  observer: 'observer',
}

function MessageView({ message }: { readonly message: Message }) {
  const [trace = '', seq = ''] = message.event.split('/')
  const path = tracePath(trace, 'events', Number(seq))
  return (
    <li class={`message message-${message.kind}${isRestart(message) ? ' asks-restart' : ''}`}>
      <p class="message-head small">
        <strong>
          <Said text={message.author} />
        </strong>{' '}
        <span class="muted">{KINDS[message.kind]}</span>
        {isRestart(message) && <span class="bad"> asks for a restart</span>}
        <span class="spacer" />
        {message.cluster !== null && (
          <span class="theme">
            <Said text={message.cluster} />
          </span>
        )}{' '}
        <a href={path} onClick={stay(path)}>
          {message.id}
        </a>
      </p>
      <div dir="auto" class="message-text">
        {parts(message.text)}
        {message.cut && <span class="muted"> […]</span>}
      </div>
    </li>
  )
}

const order = (one: Message, other: Message): number => {
  const [a, b] = [one.event.split('/'), other.event.split('/')]
  return a[0] === b[0] ? Number(a[1]) - Number(b[1]) : one.round - other.round
}

function Facts({ state }: { readonly state: ExchangeState }) {
  const { totals, level } = state
  const standing = state.halted
    ? 'halted'
    : state.movedTo
      ? 'goes on elsewhere'
      : state.stopped !== null
        ? 'stopped'
        : 'open'
  return (
    <dl class="facts">
      <div>
        <dt>Status</dt>
        <dd>{standing}</dd>
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
          <Said text={state.terms?.observer.name ?? 'erased'} />
        </dd>
      </div>
    </dl>
  )
}

export function PoolView({ model }: ViewProps) {
  return (
    <Folded model={model}>
      {(fold) => {
        const state = (fold as ExchangeFold).state.inner
        const messages = [...state.pool, ...state.protocol, ...state.due.map(({ message }) => message)]
        const all = [...new Map(messages.map((message) => [message.id, message])).values()].sort(order)
        return (
          <div class="pool">
            <Facts state={state} />
            {state.signal && (
              <p class="notice warning" role="status">
                Restart signal {state.signal.number}: {count(state.signal.asked.length, 'message')} asked for
                a change. The observer has to answer.
              </p>
            )}
            {state.stopped !== null && (
              <p class="notice warning">
                Stopped: <Said text={state.stopped} />
              </p>
            )}
            {state.movedTo && (
              <p class="notice">
                It goes on in{' '}
                <a href={tracePath(state.movedTo)} onClick={stay(tracePath(state.movedTo))}>
                  {state.movedTo}
                </a>
              </p>
            )}
            <ObserverActs trace={model.trace} state={state} />
            <div class="pool-columns">
              <section aria-labelledby="pool-title">
                <h2 id="pool-title">
                  Pool <span class="muted">the last {all.length}</span>
                </h2>
                <ol class="messages">
                  {all.map((message) => (
                    <MessageView key={message.id} message={message} />
                  ))}
                </ol>
              </section>
              <section aria-labelledby="themes-title">
                <h2 id="themes-title">Themes</h2>
                {state.clusters === null ? (
                  <p class="muted">None yet.</p>
                ) : (
                  <ul class="themes">
                    {state.clusters.notes.map((note) => (
                      <li key={note.id}>
                        <strong>
                          <Said text={note.label} />
                        </strong>{' '}
                        <span class="muted small">
                          {note.size}, {Math.round(note.share * 100)} %
                        </span>
                      </li>
                    ))}
                  </ul>
                )}
                {state.terms && (
                  <>
                    <h2>Terms</h2>
                    <div class="terms">
                      <Said text={state.terms.pool.prompt} />
                    </div>
                  </>
                )}
              </section>
            </div>
          </div>
        )
      }}
    </Folded>
  )
}
