// `witan exchange rollback`: the exchange goes on from an earlier round, in a branch; what came after stays on record.

import type { Carry } from '../../../exchange/events.ts'
import type { Verb } from '../command.ts'
import { act } from '../exchange/act.ts'

export const run: Verb = (call) =>
  act(call, async (observer) => {
    const { lastAudit } = observer.log.state.inner
    const round = call.count('to') ?? lastAudit
    const carry = (call.text('carry') ?? 'window') as Carry
    const into = await observer.branch({
      round,
      carry,
      terms: null,
      current: true,
      reason: call.text('reason'),
    })
    return { done: `rolled back to round ${round}; it goes on in ${into}`, into }
  })
