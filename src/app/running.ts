// How the traces of each protocol are gone on with, forked and given up. One entry a protocol;
// its code is loaded only when a trace of it is at hand.

import type { Running } from './place.ts'

export const RUNNING: Readonly<Record<string, () => Promise<Running>>> = {
  'council/1': () => import('../doors/cli/council/running.ts'),
  'agents/1': async () => (await import('./agents/running.ts')).agentsRunning,
  'exchange/1': async () => (await import('./exchange/running.ts')).exchangeRunning,
}
