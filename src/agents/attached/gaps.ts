// A gap is an event of its own and never an execution: a verifier reports it as a warning.

import type { Occurrence } from '../../protocol.ts'
import { payloadOf, shapeFault } from '../events.ts'

export const GAP_WORDS = {
  unannounced: 'it was told of only after it had run',
  unrecorded: 'it was let pass though it could not be recorded',
  unseen: 'only the transcript of the host knows of it',
  hooks_changed: 'the hooks of the host were changed or removed',
} as const

export function warnOfGap({ type, payload }: Occurrence): string | null {
  if (type !== 'gap_recorded' || !payload || shapeFault(type, payload)) return null
  const { why, tool, call, reason } = payloadOf({ payload }, 'gap_recorded')
  const about = tool === null ? '' : `a call of ${tool}${call === null ? '' : ` (${call})`}: `
  return `${about}${GAP_WORDS[why]}; ${reason}`
}
