// `witan agents resolve`: what became of a call that was cut off is for a person to say: it counts as failed, or the
// same thing is to be intended anew. Nothing is ever run a second time by itself.

import { decideBy } from '../agents/deciding.ts'
import type { Verb } from '../command.ts'

export const run: Verb = (call) => {
  const as = call.text('as') === 'again' ? 'again' : 'failed'
  return decideBy(call, { as, reason: call.text('reason') ?? '' }, `resolved (${as})`)
}
