// `witan exchange pin`: a message stays where it can be sampled, and goes along into every branch.

import { act } from '../../exchange/act.ts'
import type { Verb } from '../command.ts'

export const run: Verb = (call) =>
  act(call, async (observer, { args }) => {
    const undo = call.flag('undo')
    await observer.pin(args[1] ?? '', undo)
    return `${undo ? 'unpinned' : 'pinned'} ${args[1] ?? ''}`
  })
