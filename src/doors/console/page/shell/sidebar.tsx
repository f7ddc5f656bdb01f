// What waits for you, running and older traces, each a link; search above, other views below the name.

import { useRef } from 'preact/hooks'
import { stanceOf } from '../../../../render/report/document.ts'
import { count, IsolatedText } from '../elements/text.tsx'
import { Age } from '../elements/time.tsx'
import { followLink, navigate, route, tracePath } from '../route.ts'
import { hasRows, line, recentRows, running, viewer, waitingCount, waitingRows } from '../state.ts'
import type { WireRow } from '../wire.ts'
import { helpIsOpen } from './help.tsx'
import { Theme } from './theme.tsx'

export const protocolName = (protocol: string): string => protocol.split('/')[0] ?? protocol

export function standingText({ standing, waits: waiting, outcome, size }: WireRow): string {
  if (standing === 'running') return 'running'
  if (waiting > 0 && standing !== 'over') return waiting === 1 ? 'waits for you' : `${waiting} wait for you`
  const verdict = outcome && outcome.verdict !== null ? stanceOf(outcome, outcome.verdict) : null
  const result = verdict ?? outcome?.status.replaceAll('_', ' ') ?? null
  if (result !== null && result !== 'open') return result
  return standing === 'open' ? `open, ${count(size, 'event')}` : count(size, 'event')
}

const MOST_SHOWN = 60

function Entry({ row }: { readonly row: WireRow }) {
  const current = route.value
  const isHere = current.at === 'trace' && current.trace === row.trace
  const path = tracePath(row.trace)
  return (
    <li>
      <a
        class="entry"
        href={path}
        aria-current={isHere ? 'page' : undefined}
        onClick={followLink(path)}
        data-entry
      >
        <span class="entry-about">
          <IsolatedText text={row.about ?? row.trace} />
        </span>
        <span class="entry-facts">
          <span class={`kind kind-${protocolName(row.protocol)}`}>{protocolName(row.protocol)}</span>
          <span
            class={`standing standing-${row.waits > 0 && row.standing !== 'over' ? 'waiting' : row.standing}`}
          >
            <IsolatedText text={standingText(row)} />
          </span>
          <span class="spacer" />
          <Age at={row.last.at} />
        </span>
      </a>
    </li>
  )
}

function Group({
  title,
  rows,
  id,
}: {
  readonly title: string
  readonly rows: readonly WireRow[]
  readonly id: string
}) {
  if (rows.length === 0) return null
  const rest = rows.length - MOST_SHOWN
  return (
    <section class="group" aria-labelledby={`group-${id}`}>
      <h2 id={`group-${id}`}>
        {title} <span class="tally">{rows.length}</span>
      </h2>
      <ul>
        {rows.slice(0, MOST_SHOWN).map((row) => (
          <Entry key={row.trace} row={row} />
        ))}
      </ul>
      {rest > 0 && <p class="muted small">{count(rest, 'older trace')}: search for words in them.</p>}
    </section>
  )
}

function Search() {
  const input = useRef<HTMLInputElement>(null)
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const words = input.current?.value.trim() ?? ''
          if (words !== '') navigate(`/find?q=${encodeURIComponent(words)}`)
        }}
      >
        <input
          ref={input}
          id="search"
          type="search"
          placeholder="Search everything  /"
          aria-label="Search everything that was recorded"
          defaultValue={route.value.at === 'find' ? route.value.query : ''}
        />
      </form>
    </search>
  )
}

const VIEWS = [
  ['/inbox', 'Inbox', 'inbox'],
  ['/new', 'New council', 'new'],
  ['/check', 'Check a file', 'check'],
  ['/admin', 'Administration', 'admin'],
] as const

export function Sidebar() {
  return (
    <div class="sidebar">
      <header class="brand-row">
        <a class="brand" href="/" onClick={followLink('/')}>
          Witan
        </a>
        <span
          class={`dot dot-${line.value}`}
          role="img"
          aria-label={`connection: ${line.value}`}
          title={line.value}
        />
        <span class="spacer" />
        <Theme />
        <button
          type="button"
          class="quiet"
          aria-label="Keyboard help"
          title="Keyboard help  ?"
          onClick={() => {
            helpIsOpen.value = true
          }}
        >
          ?
        </button>
      </header>
      <Search />
      <nav aria-label="Views" class="views">
        {VIEWS.map(([path, title, current]) => (
          <a
            key={path}
            href={path}
            onClick={followLink(path)}
            aria-current={route.value.at === current ? 'page' : undefined}
          >
            {title}{' '}
            {current === 'inbox' && waitingCount.value > 0 && <span class="badge">{waitingCount.value}</span>}
          </a>
        ))}
      </nav>
      <nav aria-label="Traces" class="traces">
        <Group id="waiting" title="Waiting for you" rows={waitingRows.value} />
        <Group id="running" title="Running" rows={running.value} />
        <Group id="recent" title="Recent" rows={recentRows.value} />
        {hasRows.value && waitingRows.value.length + running.value.length + recentRows.value.length === 0 && (
          <p class="empty">
            Nothing was started in this home yet. Type <code>witan demo</code> in a terminal to see a whole
            council.
          </p>
        )}
      </nav>
      <footer class="small muted">
        {viewer.value && <span title={viewer.value.home}>{viewer.value.home}</span>}
      </footer>
    </div>
  )
}
