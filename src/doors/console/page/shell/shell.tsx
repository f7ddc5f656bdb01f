// The frame: left, what waits for you, what runs and what there was; right, what is looked at. On a narrow screen one of
// the two is shown.

import { useEffect } from 'preact/hooks'
import { Confirm, Told, told } from '../acts/confirm.tsx'
import { route, stay } from '../route.ts'
import { line, me } from '../state.ts'
import { lazy } from '../words/lazy.tsx'
import { Help } from './help.tsx'
import { Home } from './home.tsx'
import { Sidebar } from './sidebar.tsx'

const Trace = lazy(async () => (await import('../trace/trace-view.tsx')).TraceView)
const Find = lazy(async () => (await import('./find.tsx')).Find)
const Inbox = lazy(async () => (await import('../acts/inbox.tsx')).Inbox)
const NewCouncil = lazy(async () => (await import('../council/new-council.tsx')).NewCouncil)
const OpenHome = lazy(async () => (await import('../admin/admin-view.tsx')).AdminView)
const Check = lazy(async () => (await import('../trace/check-file.tsx')).CheckFile)

function View() {
  const at = route.value
  if (at.at === 'trace') return <Trace key={at.trace} trace={at.trace} tab={at.tab} seq={at.seq} />
  if (at.at === 'find') return <Find query={at.query} />
  if (at.at === 'check') return <Check />
  if (at.at === 'inbox') return <Inbox />
  if (at.at === 'new') return <NewCouncil key={at.follow ?? ''} follow={at.follow} />
  if (at.at === 'admin') return <OpenHome />
  return <Home />
}

const LINES = {
  connecting: null,
  live: null,
  lost: 'The connection is lost. Trying again; nothing is missed.',
  ended: 'This session has ended. Type witan console for a new link, and open it in this browser.',
} as const

function LineNotice() {
  const words = LINES[line.value]
  return (
    <div class="line-notice" role="status">
      {words && <p class="notice warning">{words}</p>}
    </div>
  )
}

export function Shell() {
  const at = route.value
  const isHome = at.at === 'home'
  // What was told of an act stays where the act was done.
  useEffect(() => {
    told.value = null
  }, [at.at === 'trace' ? at.trace : at.at])
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
        {me.value?.read_only && (
          <p class="read-only">Read-only: start the console at a terminal to decide and steer.</p>
        )}
        <Told />
        {!isHome && route.value.at !== 'trace' && (
          <a class="back" href="/" onClick={stay('/')}>
            ← All traces
          </a>
        )}
        <View />
      </main>
      <Help />
      <Confirm />
    </div>
  )
}
