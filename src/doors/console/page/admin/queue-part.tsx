// The queue and its workers, where the ledger is in PostgreSQL; and the evaluations.

import { count, IsolatedText, money } from '../elements/text.tsx'
import { Age, Clock } from '../elements/time.tsx'
import { followLink, tracePath } from '../route.ts'
import { standingText } from '../shell/sidebar.tsx'
import { listedRows } from '../state.ts'
import { Part, Table } from './part.tsx'

interface QueueView {
  /** Null where this home can have no queue. */
  readonly queue: {
    readonly items: readonly {
      readonly trace: string
      readonly state: string
      readonly tenant: string
      readonly worker: string | null
      readonly failures: number
      readonly error: string | null
      readonly changed: string
      readonly usd: number | null
    }[]
    readonly workers: readonly {
      readonly name: string
      readonly version: string
      readonly slots: number
      readonly running: number
      readonly tags: readonly string[]
      readonly beat: string
      readonly stopping: boolean
    }[]
    readonly held: readonly { readonly provider: string; readonly until: string }[]
  } | null
}

const Link = ({ trace }: { readonly trace: string }) => (
  <a href={tracePath(trace)} onClick={followLink(tracePath(trace))}>
    <code>{trace}</code>
  </a>
)

function statesOf(items: readonly { readonly state: string }[]): string {
  const states = new Map<string, number>()
  for (const { state } of items) states.set(state, (states.get(state) ?? 0) + 1)
  return states.size === 0 ? 'none' : [...states].map(([state, n]) => `${n} ${state}`).join(', ')
}

const LOOK_MS = 3_000

export const QueuePart = () => (
  <Part<QueueView> title="Queue and workers" path="/queue" everyMs={LOOK_MS}>
    {({ queue }) =>
      queue === null ? (
        <p class="empty">
          No queue: this home keeps its ledger in a file. A queue and workers need PostgreSQL
          (docs/workers.md).
        </p>
      ) : (
        <>
          <p>
            {count(queue.workers.length, 'worker')}; runs: {statesOf(queue.items)}
          </p>
          {queue.workers.length === 0 && queue.items.some(({ state }) => state === 'waiting') && (
            <p class="notice warning">
              No worker is there. Start one: <code>witan worker</code>
            </p>
          )}
          {queue.held.map(({ provider, until }) => (
            <p key={provider} class="warning">
              No worker asks <IsolatedText text={provider} /> before <Clock at={until} />: it answered that it
              is asked too often.
            </p>
          ))}
          {queue.workers.length > 0 && (
            <Table columns={['Worker', 'Version', ['At work', 'number'], 'Tags', 'Last heard of']}>
              {queue.workers.map((worker) => (
                <tr key={worker.name}>
                  <td>
                    <IsolatedText text={worker.name} />
                    {worker.stopping && <span class="warning"> stopping</span>}
                  </td>
                  <td>{worker.version}</td>
                  <td class="number">
                    {worker.running} of {worker.slots}
                  </td>
                  <td>
                    <IsolatedText text={worker.tags.join(', ')} />
                  </td>
                  <td>
                    <Age at={worker.beat} />
                  </td>
                </tr>
              ))}
            </Table>
          )}
          {queue.items.length > 0 && (
            <Table columns={['Trace', 'State', 'Tenant', 'Worker', ['Cost', 'number'], 'Changed']}>
              {queue.items.map((item) => (
                <tr key={item.trace}>
                  <td>
                    <Link trace={item.trace} />
                  </td>
                  <td>
                    {item.state}
                    {item.error !== null && (
                      <span class="bad block small">
                        <IsolatedText text={item.error} />
                      </span>
                    )}
                  </td>
                  <td>
                    <IsolatedText text={item.tenant} />
                  </td>
                  <td>
                    <IsolatedText text={item.worker ?? ''} />
                  </td>
                  <td class="number">{money(item.usd)}</td>
                  <td>
                    <Age at={item.changed} />
                  </td>
                </tr>
              ))}
            </Table>
          )}
        </>
      )
    }
  </Part>
)

export function EvalsPart() {
  const evals = listedRows.value.filter(({ protocol }) => protocol.startsWith('eval/'))
  return (
    <section aria-label="Evaluations">
      <h2>Evaluations</h2>
      {evals.length === 0 ? (
        <p class="empty">
          None yet. <code>witan eval SET</code> measures a council against single models.
        </p>
      ) : (
        <Table columns={['What', 'Came to', ['Cost', 'number'], 'Age']}>
          {evals.map((row) => (
            <tr key={row.trace}>
              <td class="wide">
                <a href={tracePath(row.trace)} onClick={followLink(tracePath(row.trace))}>
                  <IsolatedText text={row.about ?? row.trace} />
                </a>
              </td>
              <td>{standingText(row)}</td>
              <td class="number">{money(row.outcome?.cost_usd ?? null)}</td>
              <td>
                <Age at={row.last.at} />
              </td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  )
}
