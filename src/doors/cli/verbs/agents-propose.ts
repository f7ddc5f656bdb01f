// `witan agents propose`: a proposal by hand for a session that waits for one.

import { proposeByHand } from '../../agents/by-hand.ts'
import { bookOf } from '../../agents/decision.ts'
import { isAtTerminal } from '../../agents/presence.ts'
import { withHome } from '../../home.ts'
import { employ } from '../../signers.ts'
import type { Verb } from '../command.ts'
import { plain } from '../plain.ts'
import { findTrace } from '../trace-name.ts'

export const run: Verb = (call) =>
  withHome({ directory: call.home, mode: 'write', postgres: call.postgres }, async (home) => {
    const [name = '', file = ''] = call.args
    const trace = await findTrace(home.vault, name)
    const book = await bookOf(home.office, trace)
    const registrar = await employ(home, [{ agent: 'planner', roles: ['planner'] }])
    const proposal = await proposeByHand(registrar, book, { file, revises: call.text('revises') })
    return {
      value: { trace, proposal, event: 'proposal_created', via: isAtTerminal() ? 'terminal' : 'none' },
      lines: [`${plain(proposal)} is proposed in ${trace}, and goes before its critics`],
      brief: [plain(proposal)],
      hints: [`Go on with: witan resume ${trace}`],
    }
  })
