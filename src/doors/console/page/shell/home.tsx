// The start page: what needs attention, and where to begin.

import { Scroll } from '../elements/scroll.tsx'
import { count, IsolatedText, money } from '../elements/text.tsx'
import { Age } from '../elements/time.tsx'
import { followLink, tracePath } from '../route.ts'
import { hasRows, listedRows, recentRows, running, waitingRows } from '../state.ts'
import type { WireRow } from '../wire.ts'
import { protocolName, standingText } from './sidebar.tsx'

const Row = ({ row }: { readonly row: WireRow }) => (
  <tr>
    <td>
      <span class={`kind kind-${protocolName(row.protocol)}`}>{protocolName(row.protocol)}</span>
    </td>
    <td class="wide">
      <a href={tracePath(row.trace)} onClick={followLink(tracePath(row.trace))}>
        <IsolatedText text={row.about ?? row.trace} />
      </a>
    </td>
    <td>
      <IsolatedText text={standingText(row)} />
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

const MAX_ROWS = 40

export function Home() {
  if (!hasRows.value) return <p class="loading">Reading the home…</p>
  return (
    <div class="home">
      <h1>
        {waitingRows.value.length > 0
          ? `${count(waitingRows.value.length, 'trace')} ${waitingRows.value.length === 1 ? 'waits' : 'wait'} for you`
          : running.value.length > 0
            ? `${count(running.value.length, 'trace')} running`
            : 'Nothing waits for you'}
      </h1>
      {waitingRows.value.length > 0 && <Table title="Waiting for you" rows={waitingRows.value} />}
      {running.value.length > 0 && <Table title="Running" rows={running.value} />}
      {recentRows.value.length > 0 && <Table title="Recent" rows={recentRows.value.slice(0, MAX_ROWS)} />}
      {listedRows.value.length === 0 && (
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
