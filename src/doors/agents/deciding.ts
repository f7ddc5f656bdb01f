// What `approve`, `block` and `resolve` have in common: who speaks, about what, and what happens next.

import { VIA_WORDS } from '../../agents/proof.ts'
import type { Call, Outcome } from '../cli/command.ts'
import { plain } from '../cli/plain.ts'
import { findTrace } from '../cli/trace-name.ts'
import { withHome } from '../home.ts'
import { personName } from '../signers.ts'
import { bookOf, decideAs, pendingNamed, personOf, type Verdict } from './decision.ts'
import { pendingLines } from './pending-lines.ts'
import { meansOf } from './presence.ts'

export const decideBy = (call: Call, verdict: Verdict, done: string): Promise<Outcome> =>
  withHome({ directory: call.home, mode: 'write', postgres: call.postgres }, async (home) => {
    const [name = '', subject = null] = call.args
    const trace = await findTrace(home.vault, name)
    const registrar = await home.registrar()
    const book = await bookOf(home.office, trace)
    const pending = pendingNamed(book, subject)
    const person = await personOf(home, registrar, {
      name: call.text('by') ?? personName(),
      keyFile: call.text('key'),
      means: ({ agent, key }) => {
        const { policy } = book.state.inner.task ?? {}
        const shown = [
          ...pendingLines(pending, book, call),
          `${plain(agent)}: ${done} ${plain(pending.subject)}`,
        ]
        return policy ? meansOf(home, policy, { name: agent, key, shown }) : Promise.resolve('none')
      },
    })
    const { event } = await decideAs(person, trace, subject, verdict)
    return {
      value: { trace, subject: pending.subject, event, by: person.actor.agent, via: person.via },
      lines: [
        `${plain(person.actor.agent)} ${done} ${plain(pending.subject)} in ${trace}, ${VIA_WORDS[person.via]}`,
      ],
      brief: [],
      hints: [`Go on with: witan resume ${trace}`],
    }
  })
