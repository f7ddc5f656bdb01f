// The question before every act: these are the bytes that will be signed, by this key. Nothing is signed by closing it.

import { signal } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import { post, type Refused } from '../client.ts'
import { Id, Long, Said } from '../words/text.tsx'
import { Expiry } from '../words/time.tsx'

interface ToBeSigned {
  readonly actor: { readonly agent: string; readonly role: string; readonly key: string }
  readonly message: string
  readonly header: string
  readonly payload: string
  readonly hash: string
}

interface Prepared {
  readonly token: string
  readonly events: readonly ToBeSigned[]
  readonly passphrase_of: string | null
  /** Until when it can be signed. */
  readonly until: string
}

/** What the server says of an act that is signed. */
export interface Done {
  readonly said: string
  /** Where an exchange has another course now. */
  readonly into?: string
}

interface Asking {
  readonly title: string
  readonly prepared: Prepared
  readonly danger: boolean
  readonly done: (done: Done | null) => void
}

const asking = signal<Asking | null>(null)
/** What was last done, or why it was not. */
export const told = signal<{ readonly text: string; readonly tone: 'good' | 'bad' } | null>(null)

export const tellFault = (error: unknown): void => {
  const { message, next = '' } = error as Partial<Refused> & Error
  told.value = { text: `${message}. ${next}`.trim(), tone: 'bad' }
}

/** Shows what an act would sign; `done` is called once it is signed, or with null when that failed. */
export async function propose(
  title: string,
  act: object,
  {
    danger = false,
    done = () => undefined,
  }: { readonly danger?: boolean; readonly done?: (done: Done | null) => void } = {},
): Promise<void> {
  told.value = null
  try {
    asking.value = { title, prepared: await post<Prepared>('/acts/prepare', act), danger, done }
  } catch (error) {
    tellFault(error)
  }
}

function pretty(payload: string): string {
  try {
    return JSON.stringify(JSON.parse(payload), null, 2)
  } catch {
    // Shown as it is, then.
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
    <Long text={pretty(event.payload)} mono />
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
  const now = asking.value
  useEffect(() => {
    const { current } = dialog
    setFault(null)
    setPassphrase('')
    if (now && current && !current.open) current.showModal()
    if (!now && current?.open) current.close()
  }, [now])
  // On a small screen what was wrong, and what can be done, would be out of sight.
  useEffect(() => {
    if (fault !== null) dialog.current?.querySelector('.actions')?.scrollIntoView({ block: 'end' })
  }, [fault])
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    if (!now || isBusy) return
    setBusy(true)
    try {
      const { token, passphrase_of: of } = now.prepared
      const done = await post<Done>('/acts/confirm', {
        token,
        passphrase: of === null ? null : passphrase,
      })
      asking.value = null
      told.value = { text: `${now.title}: ${done.said}.`, tone: 'good' }
      now.done(done)
    } catch (error) {
      const { code, message, next } = error as Refused
      if (code === 'KEY_LOCKED') setFault(`${message}. ${next}`)
      else {
        asking.value = null
        tellFault(error)
        now.done(null)
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
        asking.value = null
      }}
    >
      {now && (
        <form onSubmit={(event) => void submit(event)}>
          <h2 id="confirm-title">
            <Said text={now.title} />
          </h2>
          {now.prepared.events.map((event) => (
            <Event key={event.hash} event={event} />
          ))}
          {now.prepared.passphrase_of !== null && (
            <>
              <label for="passphrase">
                Passphrase of <Said text={now.prepared.passphrase_of} />
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
              <Said text={fault} />
            </p>
          )}
          <p class="actions">
            <button type="submit" class={now.danger ? 'danger' : 'primary'} disabled={isBusy}>
              Sign it
            </button>
            <button
              type="button"
              onClick={() => {
                asking.value = null
              }}
            >
              Do nothing
            </button>
            <span class="small muted">
              What is shown <Expiry at={now.prepared.until} />
            </span>
          </p>
        </form>
      )}
    </dialog>
  )
}

export function Told() {
  const { value } = told
  return (
    <div role="status" class="told-line">
      {value && (
        <p class={`notice ${value.tone === 'bad' ? 'bad' : ''}`}>
          <Said text={value.text} />{' '}
          <button
            type="button"
            class="link"
            onClick={() => {
              told.value = null
            }}
          >
            dismiss
          </button>
        </p>
      )}
    </div>
  )
}
