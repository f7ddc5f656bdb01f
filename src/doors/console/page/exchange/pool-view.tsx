// An exchange: its state, what waits for its observer, and the messages of the pool, newest last. Drawn from
// the fold and from notes that were taken while folding.

import type { Message } from '../../../../exchange/messages.ts'
import type { ExchangeState, RaisedSignal } from '../../../../exchange/state.ts'
import { count, IsolatedText } from '../elements/text.tsx'
import { followLink, tracePath } from '../route.ts'
import { FoldView } from '../trace/fold-view.tsx'
import type { ViewProps } from '../trace/view-props.ts'
import type { ExchangeFold } from './fold.ts'
import { ObserverActs } from './observer-acts.tsx'
import { Facts, TermsNow, Themes, Writers } from './pool-facts.tsx'
import { MessageView } from './pool-message.tsx'

const byEvent = (one: Message, other: Message): number => {
  const [a, b] = [one.event.split('/'), other.event.split('/')]
  return a[0] === b[0] ? Number(a[1]) - Number(b[1]) : one.round - other.round
}

/** Everything that can still be shown to a mind, once. */
function shownMessages({ pool, protocol, due, pins }: ExchangeState): readonly Message[] {
  const messages = [...pool, ...protocol, ...due.map(({ message }) => message), ...pins]
  return [...new Map(messages.map((message) => [message.id, message])).values()].sort(byEvent)
}

const RaisedSignalNotice = ({ signal }: { readonly signal: RaisedSignal }) => (
  <div class="notice warning" role="status">
    <p>
      Restart signal {signal.number}: {count(signal.asked.length, 'message')} asked for a change, most plainly{' '}
      {signal.asked.slice(0, 8).map((id) => (
        <a key={id} class="citation" href={`#m-${id}`}>
          {id}
        </a>
      ))}
      . The observer has to answer.
    </p>
  </div>
)

export function PoolView({ model }: ViewProps) {
  return (
    <FoldView model={model}>
      {(fold) => {
        const { state: called, notes } = fold as ExchangeFold
        const { inner: state, open } = called
        const all = shownMessages(state)
        const pinned = new Set(state.pins.map(({ id }) => id))
        const canAct = !state.halted && state.movedTo === null
        return (
          <div class="pool">
            <Facts state={state} />
            {state.signal && <RaisedSignalNotice signal={state.signal} />}
            {state.stopped !== null && (
              <p class="notice warning">
                Stopped: <IsolatedText text={state.stopped} />
              </p>
            )}
            {state.movedTo && (
              <p class="notice">
                It continues in{' '}
                <a href={tracePath(state.movedTo)} onClick={followLink(tracePath(state.movedTo))}>
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
                    <MessageView
                      key={message.id}
                      message={message}
                      notes={notes}
                      pool={model.trace}
                      isPinned={pinned.has(message.id)}
                      canAct={canAct}
                    />
                  ))}
                </ol>
                {all.length === 0 && <p class="empty">No messages yet. Let it think for some rounds.</p>}
                <Writers open={open} state={state} />
              </section>
              <section aria-labelledby="themes-title">
                <Themes state={state} />
                <TermsNow state={state} steps={notes.terms} />
              </section>
            </div>
          </div>
        )
      }}
    </FoldView>
  )
}
