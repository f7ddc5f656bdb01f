// The place within the page, from its address: an address can be shared, and the browser can go back.

import { signal } from '@preact/signals'

export type Route =
  | { readonly at: 'home' | 'check' | 'inbox' | 'admin' }
  | { readonly at: 'new'; readonly follow: string | null }
  | { readonly at: 'find'; readonly query: string }
  | {
      readonly at: 'trace'
      readonly trace: string
      readonly tab: string
      readonly seq: number | null
      /** The trace that it is compared with. */
      readonly other: string | null
    }

const TRACE = /^[0-9A-Z]{26}$/

function routeIn({ pathname, search }: Pick<Location, 'pathname' | 'search'>): Route {
  const [at = '', trace = '', tab = '', seq] = pathname.split('/').slice(1)
  if (at === 't' && TRACE.test(trace)) {
    const place = seq !== undefined && /^\d{1,12}$/.test(seq) ? Number(seq) : null
    const other = new URLSearchParams(search).get('with')
    return { at: 'trace', trace, tab, seq: place, other: other !== null && TRACE.test(other) ? other : null }
  }
  if (at === 'find') return { at, query: new URLSearchParams(search).get('q') ?? '' }
  if (at === 'new') return { at, follow: TRACE.test(trace) ? trace : null }
  return at === 'check' || at === 'inbox' || at === 'admin' ? { at } : { at: 'home' }
}

export const route = signal<Route>(routeIn(location))

addEventListener('popstate', () => {
  route.value = routeIn(location)
})

export function navigate(path: string, options: { readonly replace?: boolean } = {}): void {
  if (options.replace) history.replaceState(null, '', path)
  else history.pushState(null, '', path)
  route.value = routeIn(location)
}

export const tracePath = (trace: string, tab = '', seq: number | null = null): string =>
  `/t/${trace}${tab === '' ? '' : `/${tab}`}${seq === null ? '' : `/${seq}`}`

/** A link within the page: a plain click stays here, anything else is left to the browser. */
export const followLink = (path: string) => (event: MouseEvent) => {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  navigate(path)
}
