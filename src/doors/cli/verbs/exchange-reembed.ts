// `witan exchange reembed`: every message of the exchange gets a vector of the encoder in use now, on record and signed
// by the observer. The old vectors stay where they are.

import { openEmbedder } from '../../../app/exchange/embedder.ts'
import { reembed } from '../../../app/exchange/reembed.ts'
import type { Verb } from '../command.ts'
import { act } from '../exchange/act.ts'

export const run: Verb = (call) =>
  act(call, async (observer, _, home) => {
    const embedder = await openEmbedder(home.directory)
    try {
      const { encoder } = observer.log.state.inner
      const count = await reembed(home, observer, embedder)
      return `${count} messages have vectors of ${embedder.encoder} now; before, of ${encoder}`
    } finally {
      await embedder.close()
    }
  })
