// `witan exchange say`: the observer answers the last audit, in the pool's hearing.

import type { Verb } from '../command.ts'
import { act } from '../exchange/act.ts'

export const run: Verb = (call) =>
  act(call, async (observer, { args }) => {
    return `[OBSERVER] ${await observer.speak(args[1] ?? '')}`
  })
