// What `approve`, `block` and `resolve` have in common: who speaks, about what, and what happens next.

import type { Call, Outcome } from '../cli/command.ts'
import { plain } from '../cli/plain.ts'
import { findTrace } from '../cli/trace-name.ts'
import { withHome } from '../home.ts'
import { personName } from '../signers.ts'
import { decideAs, personOf, type Verdict } from './decision.ts'

export const decideBy = (call: Call, verdict: Verdict, done: string): Promise<Outcome> =>
  withHome({ directory: call.home, mode: 'write', postgres: call.postgres }, async (home) => {
    const [name = '', subject = null] = call.args
    const trace = await findTrace(home.vault, name)
    const registrar = await home.registrar()
    const person = await personOf(home, registrar, {
      name: call.text('by') ?? personName(),
      keyFile: call.text('key'),
      via: 'terminal',
    })
    const { pending, event } = await decideAs(person, trace, subject, verdict)
    return {
      value: { trace, subject: pending.subject, event, by: person.actor.agent, via: person.via },
      lines: [`${plain(person.actor.agent)} ${done} ${plain(pending.subject)} in ${trace}`],
      brief: [],
      hints: [`Go on with: witan resume ${trace}`],
    }
  })
