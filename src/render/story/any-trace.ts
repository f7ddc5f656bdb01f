// Events that every protocol has: calls that were started or interrupted, and the point that a fork continues from.

import { CALL_INDETERMINATE, CALL_LOST, CALL_STARTED } from '../../ledger/calls.ts'
import { FORKED, forkPointOf } from '../../ledger/fork.ts'
import type { Occurrence } from '../../protocol.ts'
import { line, type StoryLine } from './story-line.ts'

const action = ({ payload }: Occurrence): string => String(payload?.action)

const TELLERS: Readonly<Record<string, (event: Occurrence) => StoryLine | null>> = {
  [CALL_STARTED]: (event) => line('quiet', `${event.actor.agent} begins ${action(event)}`),
  [CALL_LOST]: (event) => line('bad', `${action(event)} was cut off, and is asked again`),
  [CALL_INDETERMINATE]: (event) => line('bad', `${action(event)} was cut off: whether it ran is not known`),
  [FORKED]: ({ payload, actor }) => {
    const parent = forkPointOf(payload)
    return parent && line('plain', `${actor.agent} continues from event ${parent.seq} of ${parent.trace}`)
  },
}

export const tell = (event: Occurrence): StoryLine | null =>
  Object.hasOwn(TELLERS, event.type) ? (TELLERS[event.type]?.(event) ?? null) : null
