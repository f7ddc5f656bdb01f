// Who can be asked, who would sit in a council now, and a test question to each of them.

import { useState } from 'preact/hooks'
import { tellFault } from '../acts/confirm.tsx'
import { post } from '../client.ts'
import { type Panel, panelWords } from '../council/panel.ts'
import { me } from '../state.ts'
import { money, Said, seconds } from '../words/text.tsx'
import { Part, Table } from './part.tsx'

interface Asked {
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
  readonly asked: readonly Asked[] | null
}

function TestQuestion() {
  const [asked, setAsked] = useState<readonly Asked[] | null>(null)
  const [isBusy, setBusy] = useState(false)
  if (me.value?.read_only) return null
  const ask = async (): Promise<void> => {
    setBusy(true)
    try {
      setAsked((await post<Doctor>('/doctor/ask', {})).asked ?? [])
    } catch (error) {
      tellFault(error)
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
        {asked?.length === 0 && <p class="muted">No seat to ask: no language model is ready.</p>}
        {asked && asked.length > 0 && (
          <Table columns={['Seat', 'Answer', 'Model that answered', ['Time', 'number'], ['Cost', 'number']]}>
            {asked.map((one) => (
              <tr key={one.seat}>
                <td>
                  <Said text={one.seat} />
                </td>
                <td class={one.ok ? 'wide good' : 'wide bad'}>
                  {one.ok ? 'answered' : <Said text={one.error?.message ?? 'failed'} />}
                </td>
                <td>
                  <Said text={one.model ?? one.transport} />
                </td>
                <td class="number">{seconds(one.latency_ms)}</td>
                <td class="number">{money(one.cost_usd)}</td>
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
            <Said text={text} />
          </p>
        ))}
        <p>
          A council now:{' '}
          <Said
            text={table.seats.map(({ seat, model }) => (model ? `${seat} (${model})` : seat)).join(', ')}
          />
          {table.note && (
            <span class="muted">
              {' '}
              <Said text={table.note} />
            </span>
          )}
        </p>
        <TestQuestion />
        <h3>How each can be reached</h3>
        <Table columns={['Provider', 'Way', 'Ready', 'Detail']}>
          {providers.map((way) => (
            <tr key={way.provider + way.transport}>
              <td>
                <Said text={way.provider} />
              </td>
              <td class="nowrap">{way.transport}</td>
              <td class={way.ready ? 'good' : 'muted'}>{way.ready ? 'ready' : 'not ready'}</td>
              <td class="wide">
                <Said text={way.detail} />
                {way.next && (
                  <span class="muted block small">
                    <Said text={way.next} />
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
        <Table columns={['Panel', 'Who sits there, and its limits', 'In a terminal']}>
          {panels.map((panel) => (
            <tr key={panel.name}>
              <td>
                <Said text={panel.name} />
              </td>
              <td class="wide">
                <Said text={panelWords(panel)} />
              </td>
              <td>
                <code>
                  witan ask "…" --panel <Said text={panel.name} />
                </code>
              </td>
            </tr>
          ))}
        </Table>
      )
    }
  </Part>
)
