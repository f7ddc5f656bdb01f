// What was spent: over the days, or by seat, model, mode, protocol or trace.

import { useState } from 'preact/hooks'
import { IsolatedText, money } from '../elements/text.tsx'
import { Part, Table } from './part.tsx'

interface Line {
  readonly name: string
  readonly calls: number
  readonly unpriced: number
  readonly usd: number
  readonly input_tokens: number
  readonly output_tokens: number
}

interface Costs {
  readonly total: Line
  readonly lines: readonly Line[]
}

const GROUPS = ['day', 'seat', 'model', 'mode', 'protocol', 'trace'] as const
const SPANS = [
  ['', 'all time'],
  ['7d', '7 days'],
  ['30d', '30 days'],
] as const

function Lines({ costs, by }: { readonly costs: Costs; readonly by: string }) {
  const highest = Math.max(...costs.lines.map(({ usd }) => usd), 1e-9)
  return (
    <Table
      columns={[
        by,
        ['Calls', 'number'],
        ['Tokens', 'number'],
        ['Cost', 'number'],
        'Beside the most expensive',
      ]}
    >
      {[...costs.lines, { ...costs.total, name: 'total' }].map((line) => (
        <tr key={line.name} class={line.name === 'total' ? 'total' : ''}>
          <td>
            <IsolatedText text={line.name} />
          </td>
          <td class="number">
            {line.calls}
            {line.unpriced > 0 && <span class="muted small"> ({line.unpriced} unpriced)</span>}
          </td>
          <td class="number">{(line.input_tokens + line.output_tokens).toLocaleString('en')}</td>
          <td class="number">{money(line.usd)}</td>
          <td>
            {line.name !== 'total' && (
              <meter min={0} max={highest} value={line.usd} aria-label={`cost of ${line.name}`} />
            )}
          </td>
        </tr>
      ))}
    </Table>
  )
}

export function CostsPart() {
  const [by, setBy] = useState<string>('day')
  const [since, setSince] = useState('')
  return (
    <Part<Costs> title="Costs" path={`/costs?by=${by}&since=${since}`}>
      {(costs) => (
        <>
          <p class="actions">
            <label class="inline" for="costs-by">
              By
            </label>
            <select
              id="costs-by"
              class="short"
              value={by}
              onChange={(event) => setBy(event.currentTarget.value)}
            >
              {GROUPS.map((group) => (
                <option key={group}>{group}</option>
              ))}
            </select>
            <label class="inline" for="costs-since">
              over
            </label>
            <select
              id="costs-since"
              class="short"
              value={since}
              onChange={(event) => setSince(event.currentTarget.value)}
            >
              {SPANS.map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          </p>
          {costs.lines.length === 0 ? (
            <p class="empty">Nothing was asked yet.</p>
          ) : (
            <Lines costs={costs} by={by} />
          )}
        </>
      )}
    </Part>
  )
}
