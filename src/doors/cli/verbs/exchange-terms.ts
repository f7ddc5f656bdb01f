// `witan exchange terms`: shows the terms in force, or amends them.

import { logOf } from '../../../app/exchange/open-exchange.ts'
import { readTermsFile } from '../../../app/exchange/terms-file.ts'
import { withHome } from '../../../app/home/home.ts'
import { findTrace } from '../../../app/traces/trace-name.ts'
import { block } from '../../../render/plain.ts'
import type { Verb } from '../command.ts'
import { act } from '../exchange/act.ts'

export const run: Verb = async (call) => {
  const file = call.text('set')
  if (file !== null) {
    const terms = await readTermsFile(file)
    return act(call, async (observer) => {
      await observer.amend(terms, call.text('reason'))
      return 'the terms are amended, from the next round on'
    })
  }
  return withHome({ directory: call.home, mode: 'read', postgres: call.postgres }, async (home) => {
    const trace = await findTrace(home.store, call.args[0] ?? '')
    const { terms, termsHash } = (await logOf(home, trace)).state.inner
    const { stringify } = await import('yaml')
    return {
      value: { trace, hash: termsHash, terms },
      lines: [`# terms of ${trace}`, `# ${termsHash}`, ...block(stringify(terms, { lineWidth: 72 }), '')],
    }
  })
}
