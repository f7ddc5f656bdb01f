// The map of an exchange for a page that follows it: computed again only when the trace has grown, and once
// for all pages that ask meanwhile.

import type { ExchangeMap } from '../exchange/build-map.ts'
import { type HomeLocation, withHome } from '../home/home.ts'
import { findTrace } from '../traces/trace-name.ts'

const KEPT = 4

export function poolMap(location: HomeLocation): (name: string) => Promise<ExchangeMap> {
  const cache = new Map<string, { readonly hash: string; readonly map: Promise<ExchangeMap> }>()
  return (name) =>
    withHome({ ...location, mode: 'read' }, async (home) => {
      const trace = await findTrace(home.store, name)
      const hash = (await home.store.head(trace))?.hash ?? ''
      const known = cache.get(trace)
      if (known?.hash === hash) return known.map
      const { exchangeMap } = await import('../exchange/build-map.ts')
      const map = exchangeMap(home, trace, { live: true })
      cache.set(trace, { hash, map })
      map.catch(() => cache.delete(trace))
      for (const oldest of [...cache.keys()].slice(0, -KEPT)) cache.delete(oldest)
      return await map
    })
}
