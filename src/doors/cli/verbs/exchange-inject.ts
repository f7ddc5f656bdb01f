// `witan exchange inject`: words from outside enter the pool, marked as such.

import type { Verb } from '../command.ts'
import { act } from '../exchange/act.ts'

export const run: Verb = (call) =>
  act(call, async (observer, { args }) => {
    return `>>> ${await observer.inject(args[1] ?? '')}`
  })
