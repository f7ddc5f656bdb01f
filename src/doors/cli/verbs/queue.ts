// `witan wait` and `witan queue`: shows runs that workers drive.

import { withHome } from '../../../app/home/home.ts'
import type { QueueState } from '../../../app/queue/queue.ts'
import { findTrace } from '../../../app/traces/trace-name.ts'
import { WitanError } from '../../../ledger/errors.ts'
import { plain } from '../../../render/plain.ts'
import { queueLines, tenantLine } from '../../../render/queue.ts'
import { locationOf, usage, type Verb } from '../command.ts'
import { checkOutputs, type Follow, followHere } from '../run-trace.ts'
import { readMoney } from './council.ts'

/** One entry for each protocol: how a trace that is driven elsewhere is shown. */
const FOLLOWING: Readonly<Record<string, () => Promise<{ readonly follow: Follow }>>> = {
  'council/1': () => import('../council/present.ts'),
  'agents/1': () => import('../agents/running.ts'),
  'exchange/1': () => import('../exchange/run.ts'),
  'eval/1': () => import('../eval/running.ts'),
}

export const wait: Verb = async (call) => {
  await checkOutputs(call)
  return withHome({ ...locationOf(call), mode: 'write' }, async (home) => {
    const trace = await findTrace(home.store, call.args[0] ?? '')
    const protocol = (await home.store.head(trace))?.header.protocol ?? ''
    const load = Object.hasOwn(FOLLOWING, protocol) ? FOLLOWING[protocol] : undefined
    if (!load) throw new WitanError('USAGE', `${trace} is not a trace that can be run`, 'See `witan list`.')
    return followHere(home, trace, call, (await load()).follow)
  })
}

const OPEN: readonly QueueState[] = ['waiting', 'offered', 'running', 'parked', 'set aside']

export const list: Verb = async (call) => {
  const { QUEUE_STATES, viewQueue } = await import('../../../app/queue/queue.ts')
  const view = await viewQueue(locationOf(call), call.flag('all') ? QUEUE_STATES : OPEN)
  return {
    value: view,
    lines: queueLines(view, { paint: call.paint, now: new Date().toISOString() }),
    brief: view.items.map(({ trace }) => trace),
  }
}

export const cancel: Verb = async (call) => {
  const { cancelQueued } = await import('../../../app/queue/queue.ts')
  const trace = await cancelQueued(locationOf(call), call.args[0] ?? '')
  return {
    value: { trace, state: 'cancelled' },
    lines: [`${trace} is no longer in the queue`],
    brief: [],
    hints: [`What was recorded is kept. Queue it again with: witan queue retry ${trace}`],
  }
}

export const retry: Verb = async (call) => {
  const { retryQueued } = await import('../../../app/queue/queue.ts')
  const trace = await retryQueued(locationOf(call), call.args[0] ?? '')
  return {
    value: { trace, state: 'waiting' },
    lines: [`${trace} is in the queue again`],
    brief: [],
    hints: [`Follow it with: witan wait ${trace}`],
  }
}

export const limit: Verb = async (call) => {
  const { tenantLimits } = await import('../../../app/queue/queue.ts')
  const [tenant = ''] = call.args
  const [slots, usdPerDay] = [call.count('slots'), readMoney(call.text('spend'), '--spend')]
  const isGiven = slots !== null || usdPerDay !== null
  if (slots === 0) throw usage('--slots 0 lets nothing run', 'Give a number from 1 on, or cancel its traces.')
  if (isGiven && call.flag('lift')) throw usage('--lift takes no limits', 'Give either.')
  const limits = isGiven || call.flag('lift') ? { slots, usdPerDay } : null
  const tenantFigures = await tenantLimits(locationOf(call), tenant, limits)
  const { running, usd, ...now } = tenantFigures ?? { slots: null, usdPerDay: null, running: null, usd: null }
  return {
    value: { tenant, slots: now.slots, usd_per_day: now.usdPerDay, running, usd },
    lines: [tenantFigures ? tenantLine(tenantFigures) : `${plain(tenant)}: no limits`],
    brief: [],
  }
}
