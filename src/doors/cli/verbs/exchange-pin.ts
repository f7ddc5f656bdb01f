// `witan exchange pin`: a message stays where it can be sampled, and goes along into every branch.

import type { Verb } from '../command.ts'
import { act } from '../exchange/act.ts'

export const run: Verb = (call) =>
  act(call, async (observer, { args }) => {
    const message = args[1] ?? ''
    if (call.flag('undo')) {
      await observer.unpin(message)
      return `unpinned ${message}`
    }
    await observer.pin(message)
    return `pinned ${message}`
  })
