// Where one arrives: what needs attention, and where to begin.

import { stay, tracePath } from '../route.ts'
import { hasRows, listed, recent, running, waiting } from '../state.ts'
import type { WireRow } from '../wire.ts'
import { Scroll } from '../words/scroll.tsx'
import { count, money, Said } from '../words/text.tsx'
import { Age } from '../words/time.tsx'
import { kindOf, standingText } from './sidebar.tsx'

const Row = ({ row }: { readonly row: WireRow }) => (
  <tr>
    <td>
      <span class={`kind kind-${kindOf(row.protocol)}`}>{kindOf(row.protocol)}</span>
    </td>
    <td class="wide">
      <a href={tracePath(row.trace)} onClick={stay(tracePath(row.trace))}>
        <Said text={row.about ?? row.trace} />
      </a>
    </td>
    <td>
      <Said text={standingText(row)} />
    </td>
    <td class="number">{row.size.toLocaleString('en')}</td>
    <td class="number">{money(row.outcome?.cost_usd ?? null)}</td>
    <td class="number">
      <Age at={row.last.at} />
    </td>
  </tr>
)

const Table = ({ rows, title }: { readonly rows: readonly WireRow[]; readonly title: string }) => (
  <section>
    <h2>{title}</h2>
    <Scroll>
      <table class="list">
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">About</th>
            <th scope="col">Came to</th>
            <th scope="col" class="number">
              Events
            </th>
            <th scope="col" class="number">
              Cost
            </th>
            <th scope="col" class="number">
              Age
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.trace} row={row} />
          ))}
        </tbody>
      </table>
    </Scroll>
  </section>
)

const MOST = 40

export function Home() {
  if (!hasRows.value) return <p class="loading">Reading the home…</p>
  return (
    <div class="home">
      <h1>
        {waiting.value.length > 0
          ? `${count(waiting.value.length, 'trace')} ${waiting.value.length === 1 ? 'waits' : 'wait'} for you`
          : running.value.length > 0
            ? `${count(running.value.length, 'trace')} running`
            : 'Nothing waits for you'}
      </h1>
      {waiting.value.length > 0 && <Table title="Waiting for you" rows={waiting.value} />}
      {running.value.length > 0 && <Table title="Running" rows={running.value} />}
      {recent.value.length > 0 && <Table title="Recent" rows={recent.value.slice(0, MOST)} />}
      {listed.value.length === 0 && (
        <section class="empty">
          <h2>Begin in a terminal</h2>
          <dl class="commands">
            <div>
              <dt>
                <code>witan demo</code>
              </dt>
              <dd>a whole council with scripted members: no key, no cost</dd>
            </div>
            <div>
              <dt>
                <code>witan ask "Should we …?"</code>
              </dt>
              <dd>a council of every model that is ready</dd>
            </div>
            <div>
              <dt>
                <code>witan exchange run --demo</code>
              </dt>
              <dd>a pool of messages, its audits and its map</dd>
            </div>
          </dl>
          <p>What is started there appears here as it happens.</p>
        </section>
      )}
    </div>
  )
}
