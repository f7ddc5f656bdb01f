// The keyboard of the whole page. A key that is typed into a field belongs to the field; a view gets every
// other key first.

import { navigate, route, tracePath } from '../route.ts'
import { openTrace } from '../state.ts'
import { tabsOf } from '../trace/tabs.ts'
import { helpIsOpen } from './help.tsx'

type KeyHandler = (key: string) => boolean

const keyHandlers = new Set<KeyHandler>()

/** Offers every key to a view, until the returned function is called; it says whether it took the key. */
export function offerKeys(take: KeyHandler): () => void {
  keyHandlers.add(take)
  return () => keyHandlers.delete(take)
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

function moveAmongEntries(by: number): void {
  const entries = [...document.querySelectorAll<HTMLElement>('[data-entry]')].filter(
    (entry) => entry.offsetParent,
  )
  const at = entries.findIndex(
    (entry) => entry === document.activeElement || entry.getAttribute('aria-current') === 'page',
  )
  const focused = entries.indexOf(document.activeElement as HTMLElement)
  const from = focused >= 0 ? focused : at
  entries[Math.min(entries.length - 1, Math.max(0, from + by))]?.focus()
}

/** Until the trace is loaded, its tabs are not known. */
function openTab(number: number): void {
  const at = route.value
  const protocol = openTrace.value?.protocol
  if (at.at !== 'trace' || !protocol) return
  const tab = tabsOf(protocol)[number - 1]
  if (tab) navigate(tracePath(at.trace, tab.path))
}

function handleKey(key: string): boolean {
  if (key === '/') document.getElementById('search')?.focus()
  else if (key === '?') helpIsOpen.value = !helpIsOpen.value
  else if (key === 'j') moveAmongEntries(1)
  else if (key === 'k') moveAmongEntries(-1)
  else if (key === 'i') navigate('/inbox')
  else if (key === 'n') navigate('/new')
  else if (key === 'c') navigate('/check')
  else if (key === 'h') navigate('/')
  else if (/^[1-9]$/.test(key)) openTab(Number(key))
  else return false
  return true
}

export function startKeys(): void {
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
    if (event.key === 'Escape' && isTyping(event.target)) (event.target as HTMLElement).blur()
    if (isTyping(event.target) || document.querySelector('dialog[open]')) return
    const isTaken = [...keyHandlers].some((take) => take(event.key)) || handleKey(event.key)
    if (isTaken) event.preventDefault()
  })
}
