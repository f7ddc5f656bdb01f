// `witan exchange status`: where an exchange stands: its round, its themes, and whether the pool asks for a restart.

import { bookOf } from '../../exchange/opening.ts'
import { commandsFor, exchangeLines, exchangeValue } from '../../exchange/running.ts'
import { withHome } from '../../home.ts'
import type { Verb } from '../command.ts'
import { findTrace } from '../trace-name.ts'

export const run: Verb = (call) =>
  withHome({ directory: call.home, mode: 'read', postgres: call.postgres }, async (home) => {
    const trace = await findTrace(home.vault, call.args[0] ?? 'last')
    const { inner } = (await bookOf(home, trace)).state
    return {
      value: exchangeValue(trace, inner),
      lines: exchangeLines(trace, inner, call),
      hints: commandsFor(trace, inner).map((command) => `  ${command}`),
    }
  })
