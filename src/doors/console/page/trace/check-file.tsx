// Verifies a bundle from anyone that was dropped onto the page. It is sent nowhere, and its content is not
// trusted before its registry is pinned.

import { useEffect, useRef, useState } from 'preact/hooks'
import { NO_TRUST, readTrust } from '../../../../browser/trust-text.ts'
import { isWitanError } from '../../../../ledger/errors.ts'
import { bytes, IsolatedText } from '../elements/text.tsx'
import { dropped, isDragging } from './dropped-file.ts'
import { Verifier } from './examination.ts'
import { VerdictView } from './verdict-view.tsx'

function TrustForm({ verifier }: { readonly verifier: Verifier }) {
  const [text, setText] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  const submit = (event: Event): void => {
    event.preventDefault()
    try {
      const trust = readTrust(text)
      setFault(null)
      void verifier.judge(trust)
    } catch (error) {
      setFault(isWitanError(error) ? `${error.message}. ${error.next}` : String(error))
    }
  }
  return (
    <form class="trust" onSubmit={submit}>
      <label for="trust">Registry key or checkpoint text, as its sender gave it to you</label>
      <textarea id="trust" rows={3} value={text} onInput={(event) => setText(event.currentTarget.value)} />
      {fault && (
        <p class="bad" role="alert">
          <IsolatedText text={fault} />
        </p>
      )}
      <button type="submit" disabled={text.trim() === ''}>
        Check against it
      </button>
    </form>
  )
}

export function CheckFile() {
  const [verifier] = useState(() => new Verifier())
  const [name, setName] = useState<string | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const check = (file: File | undefined): void => {
    if (!file) return
    setName(`${file.name}, ${bytes(file.size)}`)
    void verifier.take(
      async () => new Uint8Array(await file.arrayBuffer()),
      async () => NO_TRUST,
    )
  }
  const file = dropped.value
  useEffect(() => {
    if (file) check(file)
  }, [file])
  return (
    <div class="check">
      <h1>Check a file</h1>
      <div class={isDragging.value ? 'drop over' : 'drop'}>
        <p>Drop a bundle here (a file that witan export or witan prove wrote), or choose one.</p>
        <input
          ref={input}
          id="file"
          type="file"
          aria-label="A bundle to check"
          onChange={(event) => check(event.currentTarget.files?.[0])}
        />
        <p class="muted small">It is checked in this page; nothing of it is sent or stored.</p>
      </div>
      {name && (
        <p>
          <IsolatedText text={name} />
        </p>
      )}
      <VerdictView state={verifier.state.value} isHere={false} />
      {verifier.state.value.is === 'judged' && <TrustForm verifier={verifier} />}
    </div>
  )
}
