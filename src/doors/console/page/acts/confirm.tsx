// The confirmation before every act: these are the bytes that will be signed, by this key. Closing it signs nothing.

import { signal } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import { post, type RefusedRequest } from '../client.ts'
import { Id, IsolatedText, Long } from '../elements/text.tsx'
import { Expiry } from '../elements/time.tsx'

interface ToBeSigned {
  readonly actor: { readonly agent: string; readonly role: string; readonly key: string }
  readonly message: string
  readonly header: string
  readonly payload: string
  readonly hash: string
}

interface PreparedAct {
  readonly token: string
  readonly events: readonly ToBeSigned[]
  readonly passphrase_of: string | null
  /** Until when it can be signed. */
  readonly until: string
}

/** The server's answer about a signed act. */
export interface ConfirmedAct {
  readonly said: string
  /** The trace in which an exchange continues. */
  readonly into?: string
}

interface PendingConfirmation {
  readonly title: string
  readonly prepared: PreparedAct
  readonly danger: boolean
  readonly done: (done: ConfirmedAct | null) => void
}

const pendingConfirmation = signal<PendingConfirmation | null>(null)
/** The last act, or why it failed. */
export const notice = signal<{ readonly text: string; readonly tone: 'good' | 'bad' } | null>(null)

export const showFault = (error: unknown): void => {
  const { message, next = '' } = error as Partial<RefusedRequest> & Error
  notice.value = { text: `${message}. ${next}`.trim(), tone: 'bad' }
}

/** Shows what an act would sign; `done` is called once it is signed, or with null when that failed. */
export async function propose(
  title: string,
  act: object,
  {
    danger = false,
    done = () => undefined,
  }: { readonly danger?: boolean; readonly done?: (done: ConfirmedAct | null) => void } = {},
): Promise<void> {
  notice.value = null
  try {
    pendingConfirmation.value = {
      title,
      prepared: await post<PreparedAct>('/acts/prepare', act),
      danger,
      done,
    }
  } catch (error) {
    showFault(error)
  }
}

function indentedJson(payload: string): string {
  try {
    return JSON.stringify(JSON.parse(payload), null, 2)
  } catch {
    // Then it is shown as it is.
    return payload
  }
}

const Event = ({ event }: { readonly event: ToBeSigned }) => (
  <div class="to-sign">
    <p>
      Signed as <strong>{event.actor.agent}</strong>, {event.actor.role}, by the key{' '}
      <Id text={event.actor.key} />
    </p>
    <h3>What it says</h3>
    <Long text={indentedJson(event.payload)} mono />
    <details open>
      <summary>The exact bytes that are signed</summary>
      <Long text={event.message} mono />
      <p class="small muted">
        The header names the payload by its salted hash: <code>payload_hash</code>.
      </p>
    </details>
  </div>
)

export function Confirm() {
  const dialog = useRef<HTMLDialogElement>(null)
  const [passphrase, setPassphrase] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const pending = pendingConfirmation.value
  useEffect(() => {
    const { current } = dialog
    setFault(null)
    setPassphrase('')
    if (pending && current && !current.open) current.showModal()
    if (!pending && current?.open) current.close()
  }, [pending])
  // On a small screen the error and its next step would be out of sight.
  useEffect(() => {
    if (fault !== null) dialog.current?.querySelector('.actions')?.scrollIntoView({ block: 'end' })
  }, [fault])
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    if (!pending || isBusy) return
    setBusy(true)
    try {
      const { token, passphrase_of: passphraseOwner } = pending.prepared
      const done = await post<ConfirmedAct>('/acts/confirm', {
        token,
        passphrase: passphraseOwner === null ? null : passphrase,
      })
      pendingConfirmation.value = null
      notice.value = { text: `${pending.title}: ${done.said}.`, tone: 'good' }
      pending.done(done)
    } catch (error) {
      const { code, message, next } = error as RefusedRequest
      if (code === 'KEY_LOCKED') setFault(`${message}. ${next}`)
      else {
        pendingConfirmation.value = null
        showFault(error)
        pending.done(null)
      }
    } finally {
      setBusy(false)
    }
  }
  return (
    <dialog
      ref={dialog}
      class="confirm"
      aria-labelledby="confirm-title"
      onClose={() => {
        pendingConfirmation.value = null
      }}
    >
      {pending && (
        <form onSubmit={(event) => void submit(event)}>
          <h2 id="confirm-title">
            <IsolatedText text={pending.title} />
          </h2>
          {pending.prepared.events.map((event) => (
            <Event key={event.hash} event={event} />
          ))}
          {pending.prepared.passphrase_of !== null && (
            <>
              <label for="passphrase">
                Passphrase of <IsolatedText text={pending.prepared.passphrase_of} />
              </label>
              <input
                id="passphrase"
                type="password"
                autocomplete="off"
                value={passphrase}
                onInput={(event) => setPassphrase(event.currentTarget.value)}
              />
            </>
          )}
          {fault && (
            <p class="bad" role="alert">
              <IsolatedText text={fault} />
            </p>
          )}
          <p class="actions">
            <button type="submit" class={pending.danger ? 'danger' : 'primary'} disabled={isBusy}>
              Sign it
            </button>
            <button
              type="button"
              onClick={() => {
                pendingConfirmation.value = null
              }}
            >
              Do nothing
            </button>
            <span class="small muted">
              What is shown <Expiry at={pending.prepared.until} />
            </span>
          </p>
        </form>
      )}
    </dialog>
  )
}

export function Notice() {
  const { value } = notice
  return (
    <div role="status" class="told-line">
      {value && (
        <p class={`notice ${value.tone === 'bad' ? 'bad' : ''}`}>
          <IsolatedText text={value.text} />{' '}
          <button
            type="button"
            class="link"
            onClick={() => {
              notice.value = null
            }}
          >
            dismiss
          </button>
        </p>
      )}
    </div>
  )
}
