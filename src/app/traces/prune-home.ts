// Prunes a home: determines what would be erased, has it approved, erases it, and removes it from the queue
// too. Traces that workers are still to drive stay, however old they are.

import type { Queue } from '../../stores/queue.ts'
import { type Home, type HomeLocation, withHome } from '../home/home.ts'
import { findQueue, OPEN_STATES } from '../queue/queue.ts'
import { type PrunePlan, planPrune, prune } from './prune.ts'
import { sinceMoment } from './since.ts'

export interface Pruning {
  /** A date, a time, or how long ago. */
  readonly before: string
  readonly unfinished: boolean
  readonly reason: string
  /** Who requests it; by default the user of this machine. */
  readonly by: string | null
  /** Called with what would be erased; false leaves everything as it is. */
  approve(plan: PrunePlan): Promise<boolean>
}

export interface Pruned extends Omit<PrunePlan, 'targets'> {
  readonly erased: boolean
  readonly payloads: number
  readonly artifacts: number
  readonly by: string | null
  readonly reason: string | null
  readonly store: string
}

async function pruneWith(home: Home, queue: Queue | null, pruning: Pruning): Promise<Pruned> {
  const before = sinceMoment(pruning.before, Date.now(), '--before')
  const queued = new Set((await queue?.list(OPEN_STATES))?.map(({ trace }) => trace))
  const { targets, ...plan } = await planPrune(home, { before, unfinished: pruning.unfinished, queued })
  const erased = targets.length > 0 && (await pruning.approve({ ...plan, targets }))
  const erasure = erased ? await prune(home, { ...plan, targets }, pruning) : null
  if (erased) await queue?.forget(plan.traces.map(({ trace }) => trace))
  const payloads = targets.filter(({ seq }) => seq !== null).length
  return {
    ...plan,
    erased,
    payloads,
    artifacts: targets.length - payloads,
    by: erasure?.by ?? null,
    reason: erasure?.reason ?? null,
    store: home.store.kind,
  }
}

export const pruneHome = (location: HomeLocation, pruning: Pruning): Promise<Pruned> =>
  withHome({ ...location, mode: 'write' }, async (home) => {
    const queue = await findQueue(location)
    try {
      return await pruneWith(home, queue, pruning)
    } finally {
      await queue?.close()
    }
  })
