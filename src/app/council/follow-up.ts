// A question about a finished council: what it was asked and what it concluded is laid before the next one, as data,
// with the very event that it comes from.

import type { Ports } from '../../clerk/ports.ts'
import type { Follow } from '../../council/events.ts'
import { followOf } from '../../council/follow-up.ts'
import { isConvened } from '../../council/state.ts'
import { WitanError } from '../../ledger/errors.ts'
import { findTrace } from '../traces/trace-name.ts'
import { logOf } from './council.ts'

export async function followUp(home: { readonly ports: Ports }, name: string): Promise<Follow> {
  const trace = await findTrace(home.ports.store, name)
  const log = await logOf(home, trace)
  const { inner: state } = log.state
  const follow = isConvened(state) && state.isClosed ? followOf(state, log.head) : null
  if (follow) return follow
  const next = state.isClosed ? 'Ask anew.' : `Finish it first: witan resume ${trace}`
  throw new WitanError('USAGE', `${trace} has no report that could be followed up`, next)
}
