// `witan exchange branch`: another course from the end of a round, beside this one or in its place.

import { readTermsFile } from '../../../app/exchange/terms-file.ts'
import type { Carry } from '../../../exchange/events.ts'
import type { Verb } from '../command.ts'
import { act } from '../exchange/act.ts'

export const run: Verb = (call) =>
  act(call, async (observer) => {
    const file = call.text('terms')
    const round = call.count('at') ?? observer.log.state.inner.closed
    const into = await observer.branch({
      round,
      carry: (call.text('carry') ?? 'window') as Carry,
      terms: file === null ? null : await readTermsFile(file),
      // A signal is answered by going on there.
      current: call.flag('current') || observer.log.state.inner.signal !== null,
      reason: call.text('reason'),
    })
    return { done: `branched after round ${round} into ${into}`, into }
  })
