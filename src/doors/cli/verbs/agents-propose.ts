// `witan agents propose`: a proposal by hand for a session that waits for one.

import { logOf } from '../../../app/agents/decide.ts'
import { proposeByHand } from '../../../app/agents/propose.ts'
import { withHome } from '../../../app/home/home.ts'
import { employ, personName } from '../../../app/home/signers.ts'
import { findTrace } from '../../../app/traces/trace-name.ts'
import { planLines } from '../../../render/pending.ts'
import { plain } from '../../../render/plain.ts'
import { unproven } from '../agents/presence.ts'
import type { Verb } from '../command.ts'
import { isAtTerminal } from '../passphrase.ts'
import { saidHere } from '../said-here.ts'

export const run: Verb = (call) =>
  withHome({ directory: call.home, mode: 'write', postgres: call.postgres }, async (home) => {
    const [name = '', file = ''] = call.args
    const trace = await findTrace(home.store, name)
    const log = await logOf(home.ports, trace)
    const registrar = await employ(home, [{ agent: 'planner', roles: ['planner'] }])
    const { proposal, via } = await proposeByHand(registrar, log, {
      file,
      revises: call.text('revises'),
      means: async (plan, policy) => {
        if (!isAtTerminal() && !policy.unproven)
          throw unproven(policy, 'no terminal to ask a person on', personName())
        if (isAtTerminal()) process.stderr.write(`${planLines(plan, call).join('\n')}\n`)
        return saidHere('Is that your proposal? [y/N] ')
      },
    })
    return {
      value: { trace, proposal, event: 'proposal_created', via },
      lines: [`${plain(proposal)} is proposed in ${trace}, and goes before its critics`],
      brief: [plain(proposal)],
      hints: [`Go on with: witan resume ${trace}`],
    }
  })
