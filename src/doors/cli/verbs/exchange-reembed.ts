// `witan exchange reembed`: every message of the exchange gets a vector of the encoder in use now, on record and signed
// by the observer. The old vectors stay where they are.

import { act } from '../../exchange/act.ts'
import { reembed } from '../../exchange/reembedding.ts'
import { openSense } from '../../exchange/senses.ts'
import type { Verb } from '../command.ts'

export const run: Verb = (call) =>
  act(call, async (observer, _, home) => {
    const sense = await openSense(home.directory)
    try {
      const { encoder } = observer.book.state.inner
      const count = await reembed(home, observer, sense)
      return `${count} messages have vectors of ${sense.encoder} now; before, of ${encoder}`
    } finally {
      await sense.close()
    }
  })
