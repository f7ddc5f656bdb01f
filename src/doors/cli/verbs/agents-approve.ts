// `witan agents approve`: a person allows one intent, once, for a while; or a proposal.

import { decideBy } from '../agents/deciding.ts'
import type { Verb } from '../command.ts'
import { usage } from '../parse.ts'

const MINUTES = 15

export const run: Verb = async (call) => {
  const minutes = call.count('minutes') ?? MINUTES
  if (minutes === 0)
    throw usage('an approval for 0 minutes allows nothing', 'Leave --minutes out, or give more.')
  return decideBy(call, { as: 'approve', minutes, reason: call.text('reason') ?? 'approved' }, 'approved')
}
