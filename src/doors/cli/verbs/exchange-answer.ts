// `witan exchange answer`: a raised signal is acknowledged and nothing changes, or the exchange is halted.

import type { Verb } from '../command.ts'
import { act } from '../exchange/act.ts'

export const run: Verb = (call) =>
  act(call, async (observer) => {
    const reason = call.text('reason')
    if (call.text('with') === 'halt') await observer.halt(reason)
    else await observer.acknowledge(reason)
    return call.text('with') === 'halt'
      ? 'the exchange is halted'
      : 'the signal is acknowledged; nothing changes'
  })
