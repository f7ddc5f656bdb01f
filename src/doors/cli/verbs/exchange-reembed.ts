// `witan exchange reembed`: every message that can be sampled gets a vector of the encoder in use now, on record and
// signed by the observer. The old vectors stay where they are.

import { regardWith } from '../../../clerk/exchange/regard.ts'
import { visible } from '../../../exchange/state.ts'
import { WitanError } from '../../../ledger/errors.ts'
import { act } from '../../exchange/act.ts'
import { judgeWith } from '../../exchange/judging.ts'
import { scorerIn } from '../../exchange/scorers.ts'
import { openSense } from '../../exchange/senses.ts'
import type { Verb } from '../command.ts'

export const run: Verb = (call) =>
  act(call, async (observer, _, home) => {
    const sense = await openSense(home.directory)
    try {
      const state = observer.book.state.inner
      const ids = [...new Set([...visible(state), ...state.pending].map(({ id }) => id))]
      const judge = judgeWith(sense, () => scorerIn(home.directory, sense))
      const regard = regardWith({ vault: home.vault, sense, judge })
      const made = await regard(state, ids, new AbortController().signal)
      if (typeof made === 'string') {
        throw new WitanError('SENSE_FAILED', made, 'Nothing was changed; try again, or use another encoder.')
      }
      await observer.reembed(made)
      return `${ids.length} messages have vectors of ${sense.encoder} now; before, of ${state.encoder}`
    } finally {
      await sense.close()
    }
  })
