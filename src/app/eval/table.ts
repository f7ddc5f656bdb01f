// The table of a recorded evaluation, with the models that can be asked on this machine now.

import type { EvalOpened } from '../../eval/events.ts'
import type { Settings } from '../config/config.ts'
import { seatsOnRecord, type World } from '../council/seating.ts'
import { policyIn, recordsOf, type TableFor } from './eval.ts'

export const tableFromSettings =
  (settings: () => Promise<Settings>, world: World, convener: string): TableFor =>
  async (opened: EvalOpened) => {
    const records = recordsOf(opened)
    const policy = policyIn(opened)
    const seats = await seatsOnRecord(
      records,
      { mode: 'ask', timeouts: policy.timeouts },
      await settings(),
      world,
    )
    return { records, chairs: opened.chairs, seats, policy, convener }
  }
