// `witan agents block`: a person forbids one intent, or rejects a proposal; the reason goes back for revision.

import { decideBy } from '../agents/deciding.ts'
import type { Verb } from '../command.ts'

export const run: Verb = (call) =>
  decideBy(call, { as: 'block', reason: call.text('reason') ?? '' }, 'blocked')
