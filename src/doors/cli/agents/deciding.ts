// What `approve`, `block` and `resolve` have in common: who speaks, about what, and what happens next.

import { VIA_WORDS } from '../../../agents/approval-proof.ts'
import { decideAs, logOf, pendingNamed, personOf, type Verdict } from '../../../app/agents/decide.ts'
import { withHome } from '../../../app/home/home.ts'
import { personName } from '../../../app/home/signers.ts'
import { findTrace } from '../../../app/traces/trace-name.ts'
import { tellRemoved } from '../../../app/typed-words.ts'
import { pendingLines } from '../../../render/pending.ts'
import { plain } from '../../../render/plain.ts'
import type { Call, Outcome } from '../command.ts'
import { askPassphrase } from '../passphrase.ts'
import { meansOf } from './presence.ts'

export const decideBy = (call: Call, verdict: Verdict, done: string): Promise<Outcome> =>
  withHome({ directory: call.home, mode: 'write', postgres: call.postgres }, async (home) => {
    const [name = '', subject = null] = call.args
    const trace = await findTrace(home.store, name)
    const registrar = await home.registrar()
    const log = await logOf(home.ports, trace)
    const pending = pendingNamed(log, subject)
    const path = call.text('key')
    const person = await personOf(home, registrar, {
      name: call.text('by') ?? personName(),
      keyFile: path === null ? null : { path, askPassphrase },
      means: ({ agent }, key) => {
        const { policy } = log.state.inner.task ?? {}
        const shown = [
          ...pendingLines(pending, log, call),
          `${plain(agent)}: ${done} ${plain(pending.subject)}`,
        ]
        return policy ? meansOf(policy, key, { name: agent, shown }) : Promise.resolve('none')
      },
    })
    const { event, removed } = await decideAs(person, trace, subject, verdict)
    tellRemoved(removed, call)
    return {
      value: { trace, subject: pending.subject, event, by: person.actor.agent, via: person.via },
      lines: [
        `${plain(person.actor.agent)} ${done} ${plain(pending.subject)} in ${trace}, ${VIA_WORDS[person.via]}`,
      ],
      brief: [],
      hints: [`Go on with: witan resume ${trace}`],
    }
  })
