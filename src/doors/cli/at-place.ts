// From the name of a trace to the code that goes on with it, forks it or gives it up.

import { withHome } from '../../app/home/home.ts'
import type { Place, Running } from '../../app/place.ts'
import { findTrace } from '../../app/traces/trace-name.ts'
import { WitanError } from '../../ledger/errors.ts'
import { REGISTRY_PROTOCOL } from '../../ledger/event.ts'
import type { Call, Outcome } from './command.ts'

/** One entry a protocol; its code is loaded only when a trace of it is at hand. */
const RUNNING: Readonly<Record<string, () => Promise<Running>>> = {
  'council/1': () => import('./council/running.ts'),
  'agents/1': async () => (await import('../../app/agents/running.ts')).agentsRunning,
  'exchange/1': async () => (await import('../../app/exchange/running.ts')).exchangeRunning,
}

const unfit = (protocol: string): WitanError =>
  protocol === REGISTRY_PROTOCOL
    ? new WitanError('USAGE', 'the registry is no trace to be run', 'See `witan list` for those there are.')
    : new WitanError('PROTOCOL_UNKNOWN', `this version cannot run traces of ${protocol}`, 'Update Witan.')

/** Opens the home for writing and hands the trace to its protocol. */
export const atPlace = (
  call: Call,
  work: (running: Running, place: Place, protocol: string) => Promise<Outcome>,
): Promise<Outcome> =>
  withHome({ directory: call.home, mode: 'write', postgres: call.postgres }, async (home) => {
    const trace = await findTrace(home.store, call.args[0] ?? '')
    const protocol = (await home.store.head(trace))?.header.protocol ?? ''
    const load = Object.hasOwn(RUNNING, protocol) ? RUNNING[protocol] : undefined
    if (!load) throw unfit(protocol)
    return work(await load(), { home, trace, call }, protocol)
  })
