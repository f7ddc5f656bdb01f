// One event in full: a description, its content, its header and its raw bytes.

import { CALL_INDETERMINATE, CALL_LOST, CALL_STARTED } from '../../../../ledger/calls.ts'
import { artifactsOf, type Header, REGISTRY_PROTOCOL } from '../../../../ledger/event.ts'
import { FORKED } from '../../../../ledger/fork.ts'
import { bytes, count, Id, IsolatedText, Long } from '../elements/text.tsx'
import { ArtifactView } from './artifact-view.tsx'
import { PayloadView } from './payload-view.tsx'
import { RedactForm } from './redact-form.tsx'
import { type SeenEvent, storyOf } from './seen-event.ts'

/** Never erased: the record of a call, or of the place of a fork. */
const NOT_ERASABLE: ReadonlySet<string> = new Set([CALL_STARTED, CALL_LOST, CALL_INDETERMINATE, FORKED])

const Facts = ({ header, event }: { readonly header: Header; readonly event: SeenEvent }) => (
  <dl class="rows">
    <div>
      <dt>time</dt>
      <dd>{header.at} (UTC)</dd>
    </div>
    <div>
      <dt>type</dt>
      <dd>
        <code>{header.type}</code>
      </dd>
    </div>
    <div>
      <dt>signed by</dt>
      <dd>
        {header.actor.agent}, as {header.actor.role}
      </dd>
    </div>
    <div>
      <dt>key</dt>
      <dd>
        <Id text={header.actor.key} />
      </dd>
    </div>
    <div>
      <dt>event hash</dt>
      <dd>
        <Id text={event.wire.hash} />
      </dd>
    </div>
    <div>
      <dt>previous</dt>
      <dd>
        <Id text={header.prev} />
      </dd>
    </div>
    <div>
      <dt>payload hash</dt>
      <dd>
        <Id text={header.payload_hash} />
      </dd>
    </div>
    <div>
      <dt>registry</dt>
      <dd>
        at size {header.registry.size} <Id text={header.registry.hash} />
      </dd>
    </div>
  </dl>
)

function Content({ event }: { readonly event: SeenEvent }) {
  const { payload } = event
  if (payload === null)
    return <p class="muted">The content was erased; the registry says who erased it and why.</p>
  if (typeof payload === 'string')
    return (
      <p class="bad">
        <IsolatedText text={payload} />
      </p>
    )
  const artifacts = artifactsOf(payload)
  const trace = typeof event.header === 'object' ? event.header.trace : null
  const isErasable =
    typeof event.header === 'object' &&
    event.header.protocol !== REGISTRY_PROTOCOL &&
    !NOT_ERASABLE.has(event.header.type)
  return (
    <>
      <PayloadView payload={payload} />
      {artifacts.length > 0 && (
        <section>
          <h3>{count(artifacts.length, 'artifact')}</h3>
          {artifacts.map((artifact) => (
            <div key={artifact.hash}>
              <ArtifactView artifact={artifact} />
              {trace !== null && <RedactForm trace={trace} seq={null} artifact={artifact.hash} />}
            </div>
          ))}
        </section>
      )}
      {isErasable && trace !== null && <RedactForm trace={trace} seq={event.seq} artifact={null} />}
    </>
  )
}

export function EventDetail({ event, close }: { readonly event: SeenEvent; readonly close: () => void }) {
  const { header, wire, seq } = event
  const storyLine = storyOf(event)
  return (
    <section class="detail" aria-label={`Event ${seq}`}>
      <header class="detail-head">
        <h2>
          Event {seq}
          {typeof header === 'object' && <span class="muted"> {header.type}</span>}
        </h2>
        <button type="button" class="quiet" aria-label="Close" title="Close  Esc" onClick={close}>
          ✕
        </button>
      </header>
      {storyLine && (
        <p class={`tone-${storyLine.tone}`}>
          <IsolatedText text={storyLine.text} />
        </p>
      )}
      {storyLine?.more.slice(0, 20).map((text, i) => (
        <Long key={i} text={text} />
      ))}
      <h3>Content</h3>
      <Content event={event} />
      <details>
        <summary>Header</summary>
        {typeof header === 'string' ? (
          <p class="bad">
            <IsolatedText text={header} />
          </p>
        ) : (
          <Facts header={header} event={event} />
        )}
      </details>
      <details>
        <summary>Raw: the bytes that are signed and hashed</summary>
        <h4>Header, {bytes(wire.event.length)}</h4>
        <Long text={wire.event} mono />
        <h4>Payload</h4>
        {wire.payload === null ? <p class="muted">erased</p> : <Long text={wire.payload} mono />}
        <h4>Salt</h4>
        <Id text={wire.salt ?? 'erased'} />
        <h4>Signature (Ed25519 over the DSSE encoding of the header)</h4>
        <Id text={wire.signature} />
      </details>
    </section>
  )
}
