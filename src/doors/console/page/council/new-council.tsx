// A new council: the question, the content, the seats, the cost limit; then exactly what would be sent to
// which provider, and only then the start.

import { useEffect, useState } from 'preact/hooks'
import { forTerminal } from '../../../../ledger/text/neutral.ts'
import { showFault } from '../acts/confirm.tsx'
import { get, post } from '../client.ts'
import { bytes, clip, IsolatedText } from '../elements/text.tsx'
import { followLink, navigate, tracePath } from '../route.ts'
import { rows, viewer } from '../state.ts'
import { CouncilPreview, type PlannedCouncil } from './council-preview.tsx'
import { type Panel, panelWords } from './panel.ts'

const splitList = (text: string): readonly string[] =>
  text
    .split(/[,\n]/)
    .map((one) => one.trim())
    .filter((one) => one !== '')

export function NewCouncil({ follow }: { readonly follow: string | null }) {
  const [question, setQuestion] = useState('')
  const [mode, setMode] = useState('ask')
  const [context, setContext] = useState('')
  const [panels, setPanels] = useState<readonly Panel[]>([])
  const [panel, setPanel] = useState('')
  const [seats, setSeats] = useState('')
  const [chair, setChair] = useState('')
  const [cost, setCost] = useState('')
  const [texts, setTexts] = useState<readonly { readonly name: string; readonly text: string }[]>([])
  const [planned, setPlanned] = useState<PlannedCouncil | null>(null)
  const [isBusy, setBusy] = useState(false)

  const readFiles = async (files: FileList | null | undefined): Promise<void> => {
    const read = await Promise.all(
      [...(files ?? [])].map(async (file) => ({ name: file.name, text: await file.text() })),
    )
    setTexts((before) => [...before.filter(({ name }) => read.every((one) => one.name !== name)), ...read])
  }
  useEffect(() => {
    if (viewer.value?.read_only) return
    get<{ panels: readonly Panel[] }>('/panels').then((answer) => setPanels(answer.panels), showFault)
  }, [])
  useEffect(() => {
    const allowDrop = (event: DragEvent): void => event.preventDefault()
    const drop = (event: DragEvent): void => {
      event.preventDefault()
      void readFiles(event.dataTransfer?.files)
    }
    addEventListener('dragover', allowDrop)
    addEventListener('drop', drop)
    return () => {
      removeEventListener('dragover', allowDrop)
      removeEventListener('drop', drop)
    }
  }, [])

  const working = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true)
    await work().catch(showFault)
    setBusy(false)
  }
  const plan = (event: Event): void => {
    event.preventDefault()
    void working(async () => {
      const councilRequest = {
        question,
        mode,
        seats: panel === '' ? splitList(seats) : [],
        panel: panel === '' ? null : panel,
        chair: chair.trim() === '' ? null : chair.trim(),
        maxCost: cost.trim() === '' ? null : Number(cost),
        context: splitList(context),
        texts,
        follow,
      }
      setPlanned(await post<PlannedCouncil>('/councils/plan', councilRequest))
    })
  }
  const start = (): void =>
    void working(async () => {
      if (!planned) return
      const { trace } = await post<{ trace: string }>('/councils/begin', { token: planned.token })
      navigate(tracePath(trace))
    })
  if (viewer.value?.read_only)
    return (
      <div class="new">
        <h1>Put a question before a council</h1>
        <p class="empty">
          This console only reads. In a terminal: <code>witan ask "…"</code>
        </p>
      </div>
    )
  return (
    <div class="new">
      <h1>{follow === null ? 'Put a question before a council' : 'Follow up'}</h1>
      {follow !== null && (
        <p class="muted">
          What{' '}
          <a href={tracePath(follow)} onClick={followLink(tracePath(follow))}>
            <IsolatedText text={clip(rows.value.get(follow)?.about ?? follow, 200)} />
          </a>{' '}
          was asked and concluded is shown to the new council.
        </p>
      )}
      {planned ? (
        <CouncilPreview planned={planned} begin={start} back={() => setPlanned(null)} />
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
            {panels.length > 0 && (
              <div>
                <label for="panel">Panel</label>
                <select id="panel" value={panel} onChange={(event) => setPanel(event.currentTarget.value)}>
                  <option value="">none</option>
                  {panels.map((choice) => (
                    <option key={choice.name} value={choice.name}>
                      {forTerminal(`${choice.name}: ${panelWords(choice)}`)}
                    </option>
                  ))}
                </select>
              </div>
            )}
            <div>
              <label for="seats">Seats (empty: all that are ready)</label>
              <input
                id="seats"
                placeholder="claude, openai:gpt-5"
                disabled={panel !== ''}
                value={seats}
                onInput={(event) => setSeats(event.currentTarget.value)}
              />
            </div>
            <div>
              <label for="chair">Chair</label>
              <input id="chair" value={chair} onInput={(event) => setChair(event.currentTarget.value)} />
            </div>
            <div>
              <label for="cost">Stop asking once spent (US dollars)</label>
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
            onChange={(event) => void readFiles(event.currentTarget.files)}
          />
          {texts.length > 0 && (
            <ul>
              {texts.map(({ name, text }) => (
                <li key={name}>
                  <code>
                    <IsolatedText text={name} />
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
