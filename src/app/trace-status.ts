// How a trace stands in words, where its protocol has words for it. One entry a protocol; its code is loaded only when
// a trace of it is shown.

import type { Standing } from './agents/session-status.ts'
import type { Home } from './home/home.ts'

const STANDINGS: Readonly<Record<string, () => Promise<(home: Home, trace: string) => Promise<Standing>>>> = {
  'agents/1': async () => (await import('./agents/session-status.ts')).standingOf,
}

/** Null for protocols that have no word for it. */
export async function standingOf(protocol: string, home: Home, trace: string): Promise<Standing | null> {
  const load = Object.hasOwn(STANDINGS, protocol) ? STANDINGS[protocol] : undefined
  return load ? (await load())(home, trace) : null
}
