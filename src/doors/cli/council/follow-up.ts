// A question upon a finished council: what it was asked and what it concluded is laid before the next one, as data,
// with the very event that it comes from.

import type { Follow } from '../../../council/events.ts'
import { followOf } from '../../../council/sequel.ts'
import { isConvened } from '../../../council/state.ts'
import { WitanError } from '../../../ledger/errors.ts'
import type { Home } from '../../home.ts'
import { findTrace } from '../trace-name.ts'
import { bookOf } from './book.ts'

export async function followUp(home: Home, name: string): Promise<Follow> {
  const trace = await findTrace(home.vault, name)
  const book = await bookOf(home, trace)
  const { inner: state } = book.state
  const follow = isConvened(state) && state.isClosed ? followOf(state, book.head) : null
  if (follow) return follow
  const next = state.isClosed ? 'Ask anew.' : `Finish it first: witan resume ${trace}`
  throw new WitanError('USAGE', `${trace} has no report that could be followed up`, next)
}
