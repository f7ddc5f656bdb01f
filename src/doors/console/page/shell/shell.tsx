// The frame: left, what waits for you, running and older traces; right, the selected view. A narrow screen
// shows one of the two.

import { useEffect } from 'preact/hooks'
import { Confirm, Notice, notice } from '../acts/confirm.tsx'
import { lazy } from '../elements/lazy.tsx'
import { followLink, route } from '../route.ts'
import { line, viewer } from '../state.ts'
import { Help } from './help.tsx'
import { Home } from './home.tsx'
import { Sidebar } from './sidebar.tsx'

const Trace = lazy(async () => (await import('../trace/trace-view.tsx')).TraceView)
const Find = lazy(async () => (await import('./find.tsx')).Find)
const Inbox = lazy(async () => (await import('../acts/inbox.tsx')).Inbox)
const NewCouncil = lazy(async () => (await import('../council/new-council.tsx')).NewCouncil)
const OpenHome = lazy(async () => (await import('../admin/admin-view.tsx')).AdminView)
const Check = lazy(async () => (await import('../trace/check-file.tsx')).CheckFile)

function CurrentView() {
  const current = route.value
  if (current.at === 'trace')
    return <Trace key={current.trace} trace={current.trace} tab={current.tab} seq={current.seq} />
  if (current.at === 'find') return <Find query={current.query} />
  if (current.at === 'check') return <Check />
  if (current.at === 'inbox') return <Inbox />
  if (current.at === 'new') return <NewCouncil key={current.follow ?? ''} follow={current.follow} />
  if (current.at === 'admin') return <OpenHome />
  return <Home />
}

const LINE_TEXTS = {
  connecting: null,
  live: null,
  lost: 'The connection is lost. Trying again; nothing is missed.',
  ended: 'This session has ended. Type witan console for a new link, and open it in this browser.',
} as const

function LineNotice() {
  const words = LINE_TEXTS[line.value]
  return (
    <div class="line-notice" role="status">
      {words && <p class="notice warning">{words}</p>}
    </div>
  )
}

export function Shell() {
  const current = route.value
  const isHome = current.at === 'home'
  // A message about an act stays on the page of the act.
  useEffect(() => {
    notice.value = null
  }, [current.at === 'trace' ? current.trace : current.at])
  useEffect(() => {
    document.title = 'Witan'
  }, [])
  return (
    <div class={isHome ? 'shell at-home' : 'shell'}>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <Sidebar />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it */}
      <main id="main" tabIndex={0}>
        <LineNotice />
        {viewer.value?.read_only && (
          <p class="read-only">Read-only: start the console at a terminal to decide and steer.</p>
        )}
        <Notice />
        {!isHome && route.value.at !== 'trace' && (
          <a class="back" href="/" onClick={followLink('/')}>
            ← All traces
          </a>
        )}
        <CurrentView />
      </main>
      <Help />
      <Confirm />
    </div>
  )
}
