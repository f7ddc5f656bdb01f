// One act of the observer, from the command line: the trace is found, the act is signed, and the reader learns where
// the exchange stands now.

import { Observer } from '../../../app/exchange/observer.ts'
import { commandsFor, exchangeValue } from '../../../app/exchange/running.ts'
import { type Home, withHome } from '../../../app/home/home.ts'
import { findTrace } from '../../../app/traces/trace-name.ts'
import { tellRemoved } from '../../../app/typed-words.ts'
import { plain } from '../../../render/plain.ts'
import type { Call, Outcome } from '../command.ts'

/** The words for what was done, and the trace that came of it. */
interface Done {
  readonly done: string
  readonly into: string
}

/** `work` gives the words for what was done. */
export const act = (
  call: Call,
  work: (observer: Observer, call: Call, home: Home) => Promise<string | Done>,
): Promise<Outcome> =>
  withHome({ directory: call.home, mode: 'write', postgres: call.postgres }, async (home) => {
    const trace = await findTrace(home.store, call.args[0] ?? '')
    const observer = await Observer.at(home, trace, call.text('by'))
    const said = await work(observer, call, home)
    const { done, ...more } = typeof said === 'string' ? { done: said } : said
    tellRemoved(observer.removed, call)
    const { inner } = observer.log.state
    return {
      value: { ...exchangeValue(trace, inner), ...more, done },
      lines: [plain(done)],
      brief: [],
      hints: commandsFor(trace, inner).map((command) => `  ${command}`),
    }
  })
