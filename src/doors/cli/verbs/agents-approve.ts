// `witan agents approve`: a person allows one intent, once, for a while; or a proposal.

import { decideBy } from '../../agents/deciding.ts'
import type { Verb } from '../command.ts'

const MINUTES = 15

export const run: Verb = (call) =>
  decideBy(
    call,
    { as: 'approve', minutes: call.count('minutes') ?? MINUTES, reason: call.text('reason') ?? 'approved' },
    'approved',
  )
