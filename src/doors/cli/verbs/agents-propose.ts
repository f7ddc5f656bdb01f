// `witan agents propose`: a proposal by hand for a session that waits for one.

import { logOf } from '../../../app/agents/decide.ts'
import { proposeByHand } from '../../../app/agents/propose.ts'
import { withHome } from '../../../app/home/home.ts'
import { employ } from '../../../app/home/signers.ts'
import { findTrace } from '../../../app/traces/trace-name.ts'
import { plain } from '../../../render/plain.ts'
import { isAtTerminal } from '../agents/presence.ts'
import type { Verb } from '../command.ts'

export const run: Verb = (call) =>
  withHome({ directory: call.home, mode: 'write', postgres: call.postgres }, async (home) => {
    const [name = '', file = ''] = call.args
    const trace = await findTrace(home.store, name)
    const log = await logOf(home.ports, trace)
    const registrar = await employ(home, [{ agent: 'planner', roles: ['planner'] }])
    const proposal = await proposeByHand(registrar, log, { file, revises: call.text('revises') })
    return {
      value: { trace, proposal, event: 'proposal_created', via: isAtTerminal() ? 'terminal' : 'none' },
      lines: [`${plain(proposal)} is proposed in ${trace}, and goes before its critics`],
      brief: [plain(proposal)],
      hints: [`Go on with: witan resume ${trace}`],
    }
  })
