// `witan exchange status`: where an exchange stands: its round, its themes, and whether the pool asks for a restart.

import { logOf } from '../../../app/exchange/open-exchange.ts'
import { commandsFor, exchangeLines, exchangeValue } from '../../../app/exchange/running.ts'
import { withHome } from '../../../app/home/home.ts'
import { findTrace } from '../../../app/traces/trace-name.ts'
import type { Verb } from '../command.ts'

export const run: Verb = (call) =>
  withHome({ directory: call.home, mode: 'read', postgres: call.postgres }, async (home) => {
    const trace = await findTrace(home.store, call.args[0] ?? 'last')
    const { inner } = (await logOf(home, trace)).state
    return {
      value: exchangeValue(trace, inner),
      lines: exchangeLines(trace, inner, call),
      hints: commandsFor(trace, inner).map((command) => `  ${command}`),
    }
  })
