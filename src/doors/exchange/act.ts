// One act of the observer, from the command line: the trace is found, the act is signed, and the reader learns where
// the exchange stands now.

import type { Call, Outcome } from '../cli/command.ts'
import { plain } from '../cli/plain.ts'
import { findTrace } from '../cli/trace-name.ts'
import { type Home, withHome } from '../home.ts'
import { Observer } from './observing.ts'
import { commandsFor, exchangeValue } from './running.ts'

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
    const trace = await findTrace(home.vault, call.args[0] ?? '')
    const observer = await Observer.at(home, trace, call.text('by'))
    const said = await work(observer, call, home)
    const { done, ...more } = typeof said === 'string' ? { done: said } : said
    const { inner } = observer.book.state
    return {
      value: { ...exchangeValue(trace, inner), ...more, done },
      lines: [plain(done)],
      brief: [],
      hints: commandsFor(trace, inner).map((command) => `  ${command}`),
    }
  })
