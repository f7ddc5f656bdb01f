// A council from the page: the question, what is laid before it, who sits, what it may cost; then exactly what would be
// sent to whom, and only then the beginning.

import { useEffect, useState } from 'preact/hooks'
import { tellFault } from '../acts/confirm.tsx'
import { post } from '../client.ts'
import { go, tracePath } from '../route.ts'
import { me } from '../state.ts'
import { bytes, count, Long, money, Said } from '../words/text.tsx'

interface Preview {
  readonly sends: boolean
  readonly files: readonly { readonly path: string; readonly bytes: number; readonly lines: number }[]
  readonly left_out: readonly { readonly path: string; readonly reason: string }[]
  readonly parts: readonly { readonly name: string; readonly text: string }[]
  readonly seats_left_out: readonly { readonly seat: string; readonly reason: string }[]
  readonly estimate: {
    readonly calls: number
    readonly tokens_in: number
    readonly tokens_out: number
    readonly cost: number | null
    readonly unknown: readonly string[]
  }
  readonly seats: readonly {
    readonly seat: string
    readonly provider: string
    readonly model: string | null
  }[]
}

interface Planned {
  readonly token: string
  readonly preview: Preview
  readonly removed: number
}

const list = (text: string): readonly string[] =>
  text
    .split(/[,\n]/)
    .map((one) => one.trim())
    .filter((one) => one !== '')

function PreviewView({
  planned,
  begin,
  back,
}: {
  readonly planned: Planned
  readonly begin: () => void
  readonly back: () => void
}) {
  const { preview, removed } = planned
  const { estimate } = preview
  return (
    <section class="preview" aria-labelledby="preview-title">
      <h2 id="preview-title">{preview.sends ? 'This would be sent' : 'Nothing would leave this machine'}</h2>
      <dl class="facts">
        <div>
          <dt>To</dt>
          <dd>
            <Said
              text={preview.seats.map(({ seat, model }) => (model ? `${seat} (${model})` : seat)).join(', ')}
            />
          </dd>
        </div>
        <div>
          <dt>At most</dt>
          <dd>
            {count(estimate.calls, 'call')}, {estimate.tokens_in.toLocaleString('en')} tokens in,{' '}
            {estimate.tokens_out.toLocaleString('en')} out
          </dd>
        </div>
        <div>
          <dt>Estimated cost</dt>
          <dd>
            {estimate.cost === null ? `not known for ${estimate.unknown.join(', ')}` : money(estimate.cost)}
          </dd>
        </div>
      </dl>
      {removed > 0 && <p class="notice warning">{count(removed, 'secret')} taken out of what you typed.</p>}
      {preview.seats_left_out.map(({ seat, reason }) => (
        <p key={seat} class="warning small">
          <Said text={`${seat} is left out: ${reason}`} />
        </p>
      ))}
      {preview.files.length > 0 && (
        <>
          <h3>{count(preview.files.length, 'file')}</h3>
          <ul>
            {preview.files.map((file) => (
              <li key={file.path}>
                <code>
                  <Said text={file.path} />
                </code>{' '}
                <span class="muted small">{bytes(file.bytes)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      {preview.left_out.length > 0 && (
        <details>
          <summary>{count(preview.left_out.length, 'file')} left out</summary>
          <ul>
            {preview.left_out.map(({ path, reason }) => (
              <li key={path}>
                <code>
                  <Said text={path} />
                </code>{' '}
                <span class="muted">
                  <Said text={reason} />
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {preview.parts.map((part, i) => (
        <details key={i}>
          <summary>
            The very text: <Said text={part.name} />
          </summary>
          <Long text={part.text} mono />
        </details>
      ))}
      <p class="actions">
        <button type="button" class="primary" onClick={begin}>
          {preview.sends ? 'Send it and begin' : 'Begin'}
        </button>
        <button type="button" onClick={back}>
          Change it
        </button>
      </p>
    </section>
  )
}

export function NewCouncil({ follow }: { readonly follow: string | null }) {
  const [question, setQuestion] = useState('')
  const [mode, setMode] = useState('ask')
  const [context, setContext] = useState('')
  const [seats, setSeats] = useState('')
  const [chair, setChair] = useState('')
  const [cost, setCost] = useState('')
  const [texts, setTexts] = useState<readonly { readonly name: string; readonly text: string }[]>([])
  const [planned, setPlanned] = useState<Planned | null>(null)
  const [isBusy, setBusy] = useState(false)

  const take = async (files: FileList | null | undefined): Promise<void> => {
    const read = await Promise.all(
      [...(files ?? [])].map(async (file) => ({ name: file.name, text: await file.text() })),
    )
    setTexts((before) => [...before.filter(({ name }) => read.every((one) => one.name !== name)), ...read])
  }
  useEffect(() => {
    const over = (event: DragEvent): void => event.preventDefault()
    const drop = (event: DragEvent): void => {
      event.preventDefault()
      void take(event.dataTransfer?.files)
    }
    addEventListener('dragover', over)
    addEventListener('drop', drop)
    return () => {
      removeEventListener('dragover', over)
      removeEventListener('drop', drop)
    }
  }, [])

  const working = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true)
    await work().catch(tellFault)
    setBusy(false)
  }
  const plan = (event: Event): void => {
    event.preventDefault()
    void working(async () => {
      const wish = {
        question,
        mode,
        seats: list(seats),
        chair: chair.trim() === '' ? null : chair.trim(),
        maxCost: cost.trim() === '' ? null : Number(cost),
        context: list(context),
        texts,
        follow,
      }
      setPlanned(await post<Planned>('/councils/plan', wish))
    })
  }
  const begin = (): void =>
    void working(async () => {
      if (!planned) return
      const { trace } = await post<{ trace: string }>('/councils/begin', { token: planned.token })
      go(tracePath(trace))
    })
  if (me.value?.read_only) return <p class="empty">This console only reads. In a terminal: witan ask "…"</p>
  return (
    <div class="new">
      <h1>{follow === null ? 'Put a question before a council' : 'Follow up'}</h1>
      {follow !== null && (
        <p class="muted">
          What <code>{follow}</code> was asked and concluded is laid before the new council.
        </p>
      )}
      {planned ? (
        <PreviewView planned={planned} begin={begin} back={() => setPlanned(null)} />
      ) : (
        <form onSubmit={plan}>
          <label for="question">Question</label>
          <textarea
            id="question"
            rows={4}
            required
            placeholder="Shall we …?"
            value={question}
            onInput={(event) => setQuestion(event.currentTarget.value)}
          />
          <div class="fields">
            <div>
              <label for="mode">Mode</label>
              <select id="mode" value={mode} onChange={(event) => setMode(event.currentTarget.value)}>
                <option value="ask">ask: a question</option>
                <option value="architecture">architecture: a decision with alternatives</option>
                <option value="review">review: files as they stand</option>
              </select>
            </div>
            <div>
              <label for="seats">Seats (empty: all that are ready)</label>
              <input
                id="seats"
                placeholder="claude, openai:gpt-5"
                value={seats}
                onInput={(event) => setSeats(event.currentTarget.value)}
              />
            </div>
            <div>
              <label for="chair">Chair</label>
              <input id="chair" value={chair} onInput={(event) => setChair(event.currentTarget.value)} />
            </div>
            <div>
              <label for="cost">Ask nobody more once this much is spent, in dollars</label>
              <input
                id="cost"
                inputMode="decimal"
                value={cost}
                onInput={(event) => setCost(event.currentTarget.value)}
              />
            </div>
          </div>
          <label for="context">
            Files and folders to lay before it, one a line (from where the console was started)
          </label>
          <textarea
            id="context"
            rows={2}
            value={context}
            onInput={(event) => setContext(event.currentTarget.value)}
          />
          <label for="dropped">Or drop files anywhere on this page</label>
          <input
            id="dropped"
            type="file"
            multiple
            onChange={(event) => void take(event.currentTarget.files)}
          />
          {texts.length > 0 && (
            <ul>
              {texts.map(({ name, text }) => (
                <li key={name}>
                  <code>
                    <Said text={name} />
                  </code>{' '}
                  <span class="muted small">{bytes(text.length)}</span>{' '}
                  <button
                    type="button"
                    class="link"
                    onClick={() => setTexts(texts.filter((one) => one.name !== name))}
                  >
                    remove
                  </button>
                </li>
              ))}
            </ul>
          )}
          <p class="actions">
            <button type="submit" class="primary" disabled={isBusy || question.trim() === ''}>
              {isBusy ? 'Looking who is ready…' : 'Show what would be sent'}
            </button>
            <span class="small muted">Nothing is sent or recorded by looking.</span>
          </p>
        </form>
      )}
    </div>
  )
}
