// Acts of an observer, from the command line: the trace is found, the act is signed, and the reader learns
// the new state of the exchange.

import { type Branched, type Observer, withObserver } from '../../../app/exchange/observer.ts'
import { reembed } from '../../../app/exchange/reembed.ts'
import { readTermsFile } from '../../../app/exchange/terms-file.ts'
import type { Home } from '../../../app/home/home.ts'
import { runKitOf } from '../../../app/home/signers.ts'
import type { Carry } from '../../../exchange/events.ts'
import { markOf } from '../../../exchange/means.ts'
import { exchangeValue } from '../../../exchange/result.ts'
import { MEANS_WORDS } from '../../../ledger/means.ts'
import { hintsFor } from '../../../render/exchange.ts'
import { plain } from '../../../render/plain.ts'
import { type Call, locationOf, type Verb } from '../command.ts'
import { tellRemoved } from '../terminal.ts'
import { observerProof } from './observer-key.ts'

/** A text about what was done, and the resulting trace. */
interface Done {
  readonly done: string
  readonly into?: string
}

const observerVerb =
  (work: (observer: Observer, call: Call, home: Home) => Promise<string | Done>): Verb =>
  (call) => {
    const options = { by: call.text('by'), ...observerProof(call) }
    return withObserver(locationOf(call), call.args[0] ?? '', options, async (observer, home) => {
      const result = await work(observer, call, home)
      const { done, ...more } = typeof result === 'string' ? { done: result } : result
      tellRemoved(observer.removed, call)
      return {
        value: {
          ...exchangeValue(observer.state),
          ...more,
          done,
          by: observer.name,
          ...markOf(observer.state, observer.via),
        },
        lines: [plain(done)],
        brief: [],
        hints: [`  recorded as done ${MEANS_WORDS[observer.via]}`, ...hintsFor(observer.state)],
      }
    })
  }

/** `witan exchange say`: answers the last audit, for the whole pool. */
export const say = observerVerb(
  async (observer, { args }) => `[OBSERVER] ${await observer.speak(args[1] ?? '')}`,
)

/** `witan exchange inject`: text from outside enters the pool, marked as such. */
export const inject = observerVerb(
  async (observer, { args }) => `>>> ${await observer.inject(args[1] ?? '')}`,
)

/** `witan exchange pin`: a message stays in the window, also in every branch. */
export const pin = observerVerb(async (observer, call) => {
  const message = call.args[1] ?? ''
  if (call.flag('undo')) {
    await observer.unpin(message)
    return `unpinned ${message}`
  }
  await observer.pin(message)
  return `pinned ${message}`
})

/** `witan exchange answer`: acknowledges a raised signal without any change, or halts the exchange. */
export const answer = observerVerb(async (observer, call) => {
  const reason = call.text('reason')
  if (call.text('with') === 'halt') {
    await observer.halt(reason)
    return 'the exchange is halted'
  }
  await observer.acknowledge(reason)
  return 'the signal is acknowledged; nothing changes'
})

const branchOptions = (call: Call, round: number | null) => ({
  round,
  carry: (call.text('carry') ?? 'window') as Carry,
  reason: call.text('reason'),
})

/** `witan exchange branch`: another branch from the end of a round, beside this one or replacing it. */
export const branch = observerVerb(async (observer, call): Promise<Done> => {
  const file = call.text('terms')
  const terms = file === null ? null : await readTermsFile(file)
  const course = branchOptions(call, call.count('at'))
  const { round, into }: Branched = await observer.branch({ ...course, terms, current: call.flag('current') })
  return { done: `branched after round ${round} into ${into}`, into }
})

/** `witan exchange rollback`: the exchange continues from an earlier round, in a branch. */
export const rollback = observerVerb(async (observer, call): Promise<Done> => {
  const { round, into } = await observer.rollback(branchOptions(call, call.count('to')))
  return { done: `rolled back to round ${round}; it continues in ${into}`, into }
})

/** `witan exchange terms --set`. */
export const amend: Verb = async (call) => {
  const terms = await readTermsFile(call.text('set') ?? '')
  return observerVerb(async (observer) => {
    await observer.amend(terms, call.text('reason'))
    return 'the terms are amended, from the next round on'
  })(call)
}

/** `witan exchange reembed`: every message gets a vector of the current encoder; the old vectors stay. */
export const reembedding = observerVerb(async (observer, _, home) => {
  const { count, from, to } = await reembed(runKitOf(home), observer)
  return `${count} messages have vectors of ${to} now; before, of ${from}`
})
