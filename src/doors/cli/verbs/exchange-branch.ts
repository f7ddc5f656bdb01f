// `witan exchange branch`: another course from the end of a round, beside this one or in its place.

import type { Carry } from '../../../exchange/events.ts'
import { act } from '../../exchange/act.ts'
import { readTermsFile } from '../../exchange/terms-file.ts'
import type { Verb } from '../command.ts'

export const run: Verb = (call) =>
  act(call, async (observer) => {
    const file = call.text('terms')
    const round = call.count('at') ?? observer.book.state.inner.closed
    const into = await observer.branch({
      round,
      carry: (call.text('carry') ?? 'window') as Carry,
      terms: file === null ? null : await readTermsFile(file),
      // A signal is answered by going on there.
      current: call.flag('current') || observer.book.state.inner.signal !== null,
      reason: call.text('reason'),
    })
    return { done: `branched after round ${round} into ${into}`, into }
  })
