// The models that can be asked, the seats of a council now, and a test question to each.

import { useState } from 'preact/hooks'
import { showFault } from '../acts/confirm.tsx'
import { post } from '../client.ts'
import { type Panel, panelWords } from '../council/panel.ts'
import { IsolatedText, money, seconds } from '../elements/text.tsx'
import { viewer } from '../state.ts'
import { Part, Table } from './part.tsx'

interface TestAnswer {
  readonly seat: string
  readonly ok: boolean
  readonly transport: string
  readonly model: string | null
  readonly latency_ms: number
  readonly cost_usd: number | null
  readonly error: { readonly message: string } | null
}

interface Doctor {
  readonly providers: readonly {
    readonly provider: string
    readonly transport: string
    readonly ready: boolean
    readonly detail: string
    readonly next: string | null
  }[]
  readonly table: {
    readonly note: string | null
    readonly seats: readonly {
      readonly seat: string
      readonly model: string | null
      readonly roles: readonly string[]
      readonly ready: boolean
    }[]
  }
  readonly warnings: readonly string[]
  readonly asked: readonly TestAnswer[] | null
}

function TestQuestion() {
  const [answers, setAnswers] = useState<readonly TestAnswer[] | null>(null)
  const [isBusy, setBusy] = useState(false)
  if (viewer.value?.read_only) return null
  const ask = async (): Promise<void> => {
    setBusy(true)
    try {
      setAnswers((await post<Doctor>('/doctor/ask', {})).asked ?? [])
    } catch (error) {
      showFault(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <p class="actions">
        <button type="button" disabled={isBusy} onClick={() => void ask()}>
          Ask each a test question
        </button>
        <span class="small muted">
          One tiny call to each ready seat; it costs next to nothing and is not recorded.
        </span>
      </p>
      <div role="status">
        {answers?.length === 0 && <p class="muted">No seat to ask: no language model is ready.</p>}
        {answers && answers.length > 0 && (
          <Table columns={['Seat', 'Answer', 'Model that answered', ['Time', 'number'], ['Cost', 'number']]}>
            {answers.map((answer) => (
              <tr key={answer.seat}>
                <td>
                  <IsolatedText text={answer.seat} />
                </td>
                <td class={answer.ok ? 'wide good' : 'wide bad'}>
                  {answer.ok ? 'answered' : <IsolatedText text={answer.error?.message ?? 'failed'} />}
                </td>
                <td>
                  <IsolatedText text={answer.model ?? answer.transport} />
                </td>
                <td class="number">{seconds(answer.latency_ms)}</td>
                <td class="number">{money(answer.cost_usd)}</td>
              </tr>
            ))}
          </Table>
        )}
      </div>
    </>
  )
}

export const SeatsPart = () => (
  <Part<Doctor> title="Who can be asked" path="/doctor">
    {({ providers, table, warnings }) => (
      <>
        {warnings.map((text) => (
          <p key={text} class="notice warning">
            <IsolatedText text={text} />
          </p>
        ))}
        <p>
          A council now:{' '}
          <IsolatedText
            text={table.seats.map(({ seat, model }) => (model ? `${seat} (${model})` : seat)).join(', ')}
          />
          {table.note && (
            <span class="muted">
              {' '}
              <IsolatedText text={table.note} />
            </span>
          )}
        </p>
        <TestQuestion />
        <h3>How each can be reached</h3>
        <Table columns={['Provider', 'Way', 'Ready', 'Detail']}>
          {providers.map((provider) => (
            <tr key={provider.provider + provider.transport}>
              <td>
                <IsolatedText text={provider.provider} />
              </td>
              <td class="nowrap">{provider.transport}</td>
              <td class={provider.ready ? 'good' : 'muted'}>{provider.ready ? 'ready' : 'not ready'}</td>
              <td class="wide">
                <IsolatedText text={provider.detail} />
                {provider.next && (
                  <span class="muted block small">
                    <IsolatedText text={provider.next} />
                  </span>
                )}
              </td>
            </tr>
          ))}
        </Table>
      </>
    )}
  </Part>
)

export const PanelsPart = () => (
  <Part<{ readonly panels: readonly Panel[] }> title="Panels" path="/panels">
    {({ panels }) =>
      panels.length === 0 ? (
        <p class="empty">
          None saved. In <code>config.yaml</code> of the home:{' '}
          <code>{'panels: {fast: {seats: [claude, openai], chair: claude}}'}</code>
        </p>
      ) : (
        <Table columns={['Panel', 'Seats and limits', 'In a terminal']}>
          {panels.map((panel) => (
            <tr key={panel.name}>
              <td>
                <IsolatedText text={panel.name} />
              </td>
              <td class="wide">
                <IsolatedText text={panelWords(panel)} />
              </td>
              <td>
                <code>
                  witan ask "…" --panel <IsolatedText text={panel.name} />
                </code>
              </td>
            </tr>
          ))}
        </Table>
      )
    }
  </Part>
)
