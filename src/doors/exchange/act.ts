// One act of the observer, from the command line: the trace is found, the act is signed, and the reader learns where
// the exchange stands now.

import type { Call, Outcome } from '../cli/command.ts'
import { plain } from '../cli/plain.ts'
import { findTrace } from '../cli/trace-name.ts'
import { withHome } from '../home.ts'
import { Observer } from './observing.ts'
import { commandsFor, exchangeValue } from './running.ts'

/** `work` gives the words for what was done. */
export const act = (
  call: Call,
  work: (observer: Observer, call: Call) => Promise<string>,
): Promise<Outcome> =>
  withHome({ directory: call.home, mode: 'write', postgres: call.postgres }, async (home) => {
    const trace = await findTrace(home.vault, call.args[0] ?? '')
    const observer = await Observer.at(home, trace, call.text('by'))
    const done = await work(observer, call)
    const { inner } = observer.book.state
    return {
      value: { ...exchangeValue(trace, inner), done },
      lines: [plain(done)],
      brief: [],
      hints: commandsFor(trace, inner).map((command) => `  ${command}`),
    }
  })
