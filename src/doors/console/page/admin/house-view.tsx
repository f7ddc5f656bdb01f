// The house: who is ready to be asked, whose keys sign, what it cost, and who was turned away.

import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { get, type Refused } from '../client.ts'
import { me } from '../state.ts'
import { Id, money, Said } from '../words/text.tsx'

function useAnswer<Value>(path: string): { readonly value: Value | null; readonly fault: string | null } {
  const [value, setValue] = useState<Value | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  useEffect(() => {
    get<Value>(path).then(setValue, (error: Refused) => setFault(`${error.message}. ${error.next}`))
  }, [path])
  return { value, fault }
}

function Part<Value>({
  title,
  path,
  children,
}: {
  readonly title: string
  readonly path: string
  readonly children: (value: Value) => ComponentChildren
}) {
  const { value, fault } = useAnswer<Value>(path)
  return (
    <section>
      <h2>{title}</h2>
      {fault !== null && (
        <p class="notice bad">
          <Said text={fault} />
        </p>
      )}
      {value === null && fault === null ? <p class="loading">Looking…</p> : value !== null && children(value)}
    </section>
  )
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
}

interface Costs {
  readonly total: { readonly usd: number; readonly calls: number; readonly unpriced: number }
  readonly lines: readonly {
    readonly name: string
    readonly calls: number
    readonly unpriced: number
    readonly usd: number
    readonly input_tokens: number
    readonly output_tokens: number
  }[]
}

interface Keys {
  readonly keys: readonly {
    readonly id: string
    readonly agent: string
    readonly roles: readonly string[]
    readonly status: string
  }[]
}

interface Turned {
  readonly refused: readonly { readonly words: string; readonly count: number }[]
  readonly sessions: number
}

const Cost = ({ costs }: { readonly costs: Costs }) => {
  const most = Math.max(...costs.lines.map(({ usd }) => usd), 1e-9)
  return (
    <div class="scroll">
      <table class="list">
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col" class="number">
              Calls
            </th>
            <th scope="col" class="number">
              Tokens
            </th>
            <th scope="col" class="number">
              Cost
            </th>
            <th scope="col">Share of the dearest day</th>
          </tr>
        </thead>
        <tbody>
          {costs.lines.map((line) => (
            <tr key={line.name}>
              <td>{line.name}</td>
              <td class="number">
                {line.calls}
                {line.unpriced > 0 && <span class="muted small"> ({line.unpriced} unpriced)</span>}
              </td>
              <td class="number">{(line.input_tokens + line.output_tokens).toLocaleString('en')}</td>
              <td class="number">{money(line.usd)}</td>
              <td>
                <meter min={0} max={most} value={line.usd} aria-label={`cost of ${line.name}`} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

export function HouseView() {
  return (
    <div class="house">
      <h1>House</h1>
      {me.value && (
        <p class="muted">
          <code>{me.value.home}</code>, Witan {me.value.version}, as <strong>{me.value.person}</strong>
        </p>
      )}
      <Part<Doctor> title="Who can be asked" path="/doctor">
        {({ providers, table, warnings }) => (
          <>
            {warnings.map((text) => (
              <p key={text} class="notice warning">
                <Said text={text} />
              </p>
            ))}
            <p>
              Would sit down now:{' '}
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
            <div class="scroll">
              <table class="list">
                <thead>
                  <tr>
                    <th scope="col">Provider</th>
                    <th scope="col">Way</th>
                    <th scope="col">Ready</th>
                    <th scope="col">Detail</th>
                  </tr>
                </thead>
                <tbody>
                  {providers.map((way) => (
                    <tr key={way.provider + way.transport}>
                      <td>
                        <Said text={way.provider} />
                      </td>
                      <td>{way.transport}</td>
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
                </tbody>
              </table>
            </div>
          </>
        )}
      </Part>
      <Part<Costs> title="Costs" path="/costs">
        {(costs) =>
          costs.lines.length === 0 ? <p class="muted">Nothing was asked yet.</p> : <Cost costs={costs} />
        }
      </Part>
      <Part<Keys> title="Keys" path="/keys">
        {({ keys }) => (
          <div class="scroll">
            <table class="list">
              <thead>
                <tr>
                  <th scope="col">Who</th>
                  <th scope="col">Roles</th>
                  <th scope="col">Status</th>
                  <th scope="col">Key</th>
                </tr>
              </thead>
              <tbody>
                {keys.map((key) => (
                  <tr key={key.id}>
                    <td>
                      <Said text={key.agent} />
                    </td>
                    <td>{key.roles.join(', ')}</td>
                    <td class={key.status === 'in force' ? '' : 'muted'}>{key.status}</td>
                    <td>
                      <Id text={key.id} short />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Part>
      <Part<Turned> title="Turned away" path="/access">
        {({ refused, sessions }) => (
          <>
            <p>{sessions === 1 ? 'One session is open: this one.' : `${sessions} sessions are open.`}</p>
            {refused.length === 0 ? (
              <p class="muted">Nobody was refused since this console started.</p>
            ) : (
              <ul>
                {refused.map(({ words, count }) => (
                  <li key={words}>
                    {count} × {words}
                  </li>
                ))}
              </ul>
            )}
          </>
        )}
      </Part>
    </div>
  )
}
