// Downloads and checks of a trace: export, proof of an event, replay.

import { useState } from 'preact/hooks'
import { showFault } from '../acts/confirm.tsx'
import { get, getBytes } from '../client.ts'
import { bytes, count, Id, IsolatedText } from '../elements/text.tsx'
import { followLink, tracePath } from '../route.ts'
import type { ViewProps } from './view-props.ts'

const FORMS = [
  ['bundle', 'Bundle', 'everything an outsider needs to verify it', 'witan'],
  ['page', 'Page', 'one file that shows and verifies itself in any browser', 'html'],
  ['bare', 'Bundle without content', 'headers, hashes and signatures alone', 'witan'],
] as const

/** Offers bytes to the browser as a file. */
function save(content: Uint8Array, name: string): void {
  const url = URL.createObjectURL(new Blob([content.slice().buffer], { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

interface Replayed {
  readonly decisions: number
  readonly digest: string
  readonly divergences: readonly { readonly event: string; readonly action: string; readonly what: string }[]
  readonly next: readonly string[]
}

function Replay({ trace }: { readonly trace: string }) {
  const [outcome, setOutcome] = useState<Replayed | null>(null)
  const run = (): void => void get<Replayed>(`/traces/${trace}/replay`).then(setOutcome, showFault)
  return (
    <section aria-labelledby="replay-title">
      <h2 id="replay-title">Replay</h2>
      <p class="muted">
        Decides everything in it again from its own record. No model is asked; a difference says that the
        program, not the trace, has changed.
      </p>
      <p class="actions">
        <button type="button" onClick={run}>
          Replay it
        </button>
      </p>
      {outcome && (
        <div role="status" data-replayed={outcome.divergences.length}>
          <p class={outcome.divergences.length === 0 ? 'good' : 'warning'}>
            {outcome.divergences.length === 0
              ? `${count(outcome.decisions, 'call')} decided again, no difference.`
              : `${count(outcome.divergences.length, 'difference')} in ${count(outcome.decisions, 'call')}.`}
          </p>
          <ul>
            {outcome.divergences.map(({ event, action, what }) => {
              const [origin = '', seq = ''] = event.split('/')
              const path = tracePath(origin, 'events', Number(seq))
              return (
                <li key={event + action}>
                  <a href={path} onClick={followLink(path)}>
                    event {seq}
                  </a>{' '}
                  <code>{action}</code> <IsolatedText text={what} />
                </li>
              )
            })}
          </ul>
          <p class="small muted">
            digest <Id text={outcome.digest} />
          </p>
        </div>
      )}
    </section>
  )
}

export function ExportTab({ model }: ViewProps) {
  const { trace } = model
  const [seq, setSeq] = useState('0')
  const [saved, setSaved] = useState<string | null>(null)
  const download = async (form: string, name: string, query = ''): Promise<void> => {
    setSaved(null)
    try {
      const content = await getBytes(`/traces/${trace}/export?form=${form}${query}`)
      save(content, name)
      setSaved(`${name}, ${bytes(content.length)}`)
    } catch (error) {
      showFault(error)
    }
  }
  const isEvent = /^\d+$/.test(seq) && Number(seq) < model.count.value
  return (
    <div class="keep">
      <h2>Export</h2>
      <dl class="answers">
        {FORMS.map(([form, title, words, ending]) => (
          <div key={form}>
            <dt>
              <button type="button" onClick={() => void download(form, `${trace}.${ending}`)}>
                {title}
              </button>
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      <h2>Prove one event</h2>
      <form
        class="actions"
        onSubmit={(event) => {
          event.preventDefault()
          if (isEvent) void download('proof', `${trace}.${seq}.proof.witan`, `&seq=${seq}`)
        }}
      >
        <label class="inline" for="prove-seq">
          Event (0 to {model.count.value - 1})
        </label>
        <input
          id="prove-seq"
          class="short"
          inputMode="numeric"
          value={seq}
          onInput={(event) => setSeq(event.currentTarget.value)}
        />
        <button type="submit" disabled={!isEvent}>
          Prove it
        </button>
        <span class="small muted">The proof shows that event and no other.</span>
      </form>
      <p role="status">
        {saved !== null && <>Saved {saved}. Its reader checks it with “Check a file”, or witan verify.</>}
      </p>
      <Replay trace={trace} />
    </div>
  )
}
