// One message of the pool: its text, what its author was shown, and for an audit what it cites and what it left out.

import { isRestart, type Message } from '../../../../exchange/messages.ts'
import { IsolatedText, safeParts } from '../elements/text.tsx'
import { followLink, tracePath } from '../route.ts'
import { viewer } from '../state.ts'
import { observe } from './observe.ts'
import type { PoolNotes } from './pool-notes.ts'

const KINDS: Readonly<Record<Message['kind'], string>> = {
  mind: '',
  injection: 'injected',
  audit: 'audit',
  auditor_role: 'auditor’s role',
  observer_role: 'observer’s role',
  observer: 'observer',
}

/** A message of the pool that is shown on this page, by its id. */
const Ref = ({ id }: { readonly id: string }) => (
  <a class="citation" href={`#m-${id}`}>
    {id}
  </a>
)

function Shown({ message, notes }: { readonly message: Message; readonly notes: PoolNotes }) {
  const ids = notes.sampleOf(message)
  if (ids === null) return null
  return (
    <details class="small">
      <summary class="muted">shown {ids.length}</summary>
      {ids.length === 0 ? 'Its author was shown no message.' : 'Its author was shown '}
      {ids.map((id) => (
        <Ref key={id} id={id} />
      ))}
    </details>
  )
}

function Audit({ message, notes }: { readonly message: Message; readonly notes: PoolNotes }) {
  const audit = notes.auditAt(message)
  if (audit === null) return null
  return (
    <details class="small" open>
      <summary>What it rests on</summary>
      <ul>
        {audit.points.map(({ text, cites }) => (
          <li key={text}>
            <IsolatedText text={text} />{' '}
            {cites.map((id) => (
              <Ref key={id} id={id} />
            ))}
          </li>
        ))}
      </ul>
      <p class={audit.left_out.length > 0 ? 'warning' : 'muted'}>
        {audit.left_out.length > 0 ? (
          <>
            Left out: <IsolatedText text={audit.left_out.join(', ')} />
          </>
        ) : (
          'It left no theme out.'
        )}
      </p>
      {audit.rejected.map(({ text }) => (
        <p key={text} class="warning">
          Not passed on, since it cites nothing that was shown: <IsolatedText text={text} />
        </p>
      ))}
    </details>
  )
}

export function MessageView({
  message,
  notes,
  pool,
  isPinned,
  canAct,
}: {
  readonly message: Message
  readonly notes: PoolNotes
  /** The trace of the acts. */
  readonly pool: string
  readonly isPinned: boolean
  readonly canAct: boolean
}) {
  const [trace = '', seq = ''] = message.event.split('/')
  const path = tracePath(trace, 'events', Number(seq))
  const pin = isPinned ? 'unpin' : 'pin'
  return (
    <li
      id={`m-${message.id}`}
      class={`message message-${message.kind}${isRestart(message) ? ' asks-restart' : ''}`}
    >
      <p class="message-head small">
        <strong>
          <IsolatedText text={message.author} />
        </strong>{' '}
        <span class="muted">{KINDS[message.kind]}</span>
        {isPinned && <span class="theme">pinned</span>}
        {isRestart(message) && <span class="bad"> asks for a restart</span>}
        <span class="spacer" />
        {message.cluster !== null && (
          <span class="theme">
            <IsolatedText text={message.cluster} />
          </span>
        )}{' '}
        {canAct && !viewer.value?.read_only && (
          <button
            type="button"
            class="link small"
            aria-label={`${pin} ${message.id}`}
            onClick={() => void observe(pool, pin, message.id, { about: `${message.id}, ${message.text}` })}
          >
            {pin}
          </button>
        )}
        <a href={path} onClick={followLink(path)}>
          {message.id}
        </a>
      </p>
      <div dir="auto" class="message-text">
        {safeParts(message.text)}
        {message.cut && <span class="muted"> […]</span>}
      </div>
      {message.kind === 'mind' && <Shown message={message} notes={notes} />}
      {message.kind === 'audit' && <Audit message={message} notes={notes} />}
    </li>
  )
}
