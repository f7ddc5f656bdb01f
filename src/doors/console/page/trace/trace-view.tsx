// A trace: its subject, its state, and its tabs. Everything here comes from its own events.

import { useEffect } from 'preact/hooks'
import { forTerminal } from '../../../../ledger/text/neutral.ts'
import { lazy } from '../elements/lazy.tsx'
import { clip, count, Id, IsolatedText, money } from '../elements/text.tsx'
import { Clock } from '../elements/time.tsx'
import { followLink, route, tracePath } from '../route.ts'
import { protocolName, standingText } from '../shell/sidebar.tsx'
import { missingTrace, openTrace, rows } from '../state.ts'
import { EventsTab } from './events-tab.tsx'
import { hasView, tabsOf } from './tabs.ts'
import type { ViewProps } from './view-props.ts'

const Council = lazy(async () => (await import('../council/council-view.tsx')).CouncilView)
const Session = lazy(async () => (await import('../agents/session-view.tsx')).SessionView)
const Pool = lazy(async () => (await import('../exchange/pool-view.tsx')).PoolView)
const PoolMap = lazy(async () => (await import('../exchange/map-view.tsx')).MapView)
const Branches = lazy(async () => (await import('../exchange/branches-view.tsx')).BranchesView)
const Evaluation = lazy(async () => (await import('../eval/eval-view.tsx')).EvalView)
const Verify = lazy(async () => (await import('./verify-tab.tsx')).VerifyTab)
const ExportView = lazy(async () => (await import('./export-tab.tsx')).ExportTab)
const Result = lazy(async () => (await import('./result-tab.tsx')).ResultTab)

function TraceHead({ trace }: { readonly trace: string }) {
  const row = rows.value.get(trace)
  return (
    <header class="trace-head">
      <a class="back" href="/" onClick={followLink('/')}>
        ← All traces
      </a>
      <h1>
        <IsolatedText text={row?.about ?? trace} />
      </h1>
      <p class="trace-facts">
        {row && (
          <>
            <span class={`kind kind-${protocolName(row.protocol)}`}>{protocolName(row.protocol)}</span>
            <span
              class={`standing standing-${row.waits > 0 && row.standing !== 'over' ? 'waiting' : row.standing}`}
            >
              <IsolatedText text={standingText(row)} />
            </span>
            {!standingText(row).includes('event') && <span>{count(row.size, 'event')}</span>}
            {row.outcome?.cost_usd != null && <span>{money(row.outcome.cost_usd)}</span>}
            <span>
              begun <Clock at={row.started} day />
            </span>
          </>
        )}
        <Id text={trace} />
      </p>
      {row?.failure && (
        <p class="notice bad" role="status">
          It stopped here: <IsolatedText text={`${row.failure.message}. ${row.failure.next}`} />
        </p>
      )}
    </header>
  )
}

function Tabs({
  trace,
  tab,
  protocol,
}: {
  readonly trace: string
  readonly tab: string
  readonly protocol: string | null
}) {
  return (
    <nav class="tabs" aria-label="Views of this trace">
      {tabsOf(protocol).map(({ path, title }, i) => (
        <a
          key={path}
          href={tracePath(trace, path)}
          onClick={followLink(tracePath(trace, path))}
          aria-current={path === tab ? 'page' : undefined}
          title={`${title}  ${i + 1}`}
        >
          {title}
        </a>
      ))}
    </nav>
  )
}

const MissingTrace = ({ trace }: { readonly trace: string }) => (
  <article class="trace">
    <h1>There is no such trace in this home</h1>
    <p class="empty">
      <Id text={trace} /> may be in another home.{' '}
      <a href="/" onClick={followLink('/')}>
        All traces of this home
      </a>
    </p>
  </article>
)

function FirstView({ model: looked }: ViewProps) {
  const { protocol } = looked
  if (protocol === 'council/1') return <Council model={looked} />
  if (protocol === 'agents/1') return <Session model={looked} />
  if (protocol === 'exchange/1') return <Pool model={looked} />
  if (protocol === 'eval/1') return <Evaluation model={looked} />
  return <EventsTab model={looked} seq={null} />
}

export function TraceView({
  trace,
  tab,
  seq,
}: {
  readonly trace: string
  readonly tab: string
  readonly seq: number | null
}) {
  const looked = openTrace.value
  const about = rows.value.get(trace)?.about
  useEffect(() => {
    document.title = `${forTerminal(clip(about ?? trace, 200))}: Witan`
    return () => {
      document.title = 'Witan'
    }
  }, [about, trace])
  if (!looked || looked.trace !== trace || route.value.at !== 'trace') return null
  if (missingTrace.value === trace) return <MissingTrace trace={trace} />
  const isEmpty = looked.count.value === 0
  const protocol = isEmpty ? null : looked.protocol
  const fallback = protocol !== null && !hasView(protocol) && tab === '' ? 'events' : tab
  return (
    <article class="trace" data-folded={`${trace}/${looked.folding.size.value}`}>
      <TraceHead trace={trace} />
      <Tabs trace={trace} tab={fallback} protocol={protocol} />
      {isEmpty && <p class="loading">Reading the trace…</p>}
      {!isEmpty && fallback === '' && <FirstView model={looked} />}
      {!isEmpty && fallback === 'events' && <EventsTab model={looked} seq={seq} />}
      {!isEmpty && fallback === 'map' && <PoolMap model={looked} />}
      {!isEmpty && fallback === 'branches' && <Branches model={looked} />}
      {!isEmpty && fallback === 'verify' && <Verify model={looked} />}
      {!isEmpty && fallback === 'keep' && <ExportView model={looked} />}
      {!isEmpty && fallback === 'result' && <Result model={looked} />}
    </article>
  )
}
