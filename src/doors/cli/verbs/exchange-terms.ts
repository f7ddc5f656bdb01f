// `witan exchange terms`: shows the terms in force, or amends them.

import { act } from '../../exchange/act.ts'
import { bookOf } from '../../exchange/opening.ts'
import { readTermsFile } from '../../exchange/terms-file.ts'
import { withHome } from '../../home.ts'
import type { Verb } from '../command.ts'
import { block } from '../plain.ts'
import { findTrace } from '../trace-name.ts'

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
    const trace = await findTrace(home.vault, call.args[0] ?? '')
    const { terms, termsHash } = (await bookOf(home, trace)).state.inner
    const { stringify } = await import('yaml')
    return {
      value: { trace, hash: termsHash, terms },
      lines: [`# terms of ${trace}`, `# ${termsHash}`, ...block(stringify(terms, { lineWidth: 72 }), '')],
    }
  })
}
