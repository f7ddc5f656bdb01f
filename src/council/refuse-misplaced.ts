// What a council records by rule has one moment. Said at another it is refused with where the council really stands,
// which tells more than that no such action is open.

import type { Occurrence, Refusal } from '../protocol.ts'
import * as is from './events.ts'
import { type Stage, stageOf } from './stage.ts'
import { type CouncilState, isConvened } from './state.ts'

const MOMENT: ReadonlyMap<string, Stage['is']> = new Map([
  [is.AGREEMENT_SCORED, 'scoring'],
  [is.SHORT_CIRCUIT_DECIDED, 'deciding'],
  [is.REPORT_ASSEMBLED, 'assembling'],
  [is.CLOSED, 'closing'],
])

function inWords(stage: Stage): string {
  switch (stage.is) {
    case 'asking':
      return `${stage.round} waits for ${stage.seats.map(({ seat }) => seat).join(', ')}`
    case 'waiting':
      return 'an answer is awaited'
    case 'synthesis':
      return `${stage.seat} is to report`
    case 'scoring':
      return 'recommendations are to be compared'
    case 'deciding':
      return `it is to be decided what follows ${stage.after}`
    case 'assembling':
      return 'a report is to be put together'
    case 'closing':
      return `it is to be closed as ${stage.status}`
  }
}

export function refuseMisplaced(state: CouncilState, { type }: Occurrence): Refusal | null {
  const moment = MOMENT.get(type)
  if (moment === undefined || !isConvened(state) || state.isClosed) return null
  const stage = stageOf(state)
  if (stage.is === moment) return null
  return { code: 'ORDER_VIOLATION', message: `${type} while ${inWords(stage)}`, lacks: true }
}
