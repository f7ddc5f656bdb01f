// What a council records by rule is allowed at one moment only. At another it is refused with the actual
// state of the council, which is more helpful than saying that no such action is open.

import type { Occurrence, Refusal } from '../protocol.ts'
import type { Edition } from './editions.ts'
import { lacksAt } from './erased-evidence.ts'
import type { SeatRecord } from './events.ts'
import * as is from './events.ts'
import type { CouncilPolicy } from './policy.ts'
import { lastReport, type Stage, stageOf } from './stage.ts'
import { type CouncilState, isOpenedCouncil, type OpenedCouncil } from './state.ts'

const STAGE_OF: ReadonlyMap<string, Stage['is']> = new Map([
  [is.AGREEMENT_SCORED, 'scoring'],
  [is.SHORT_CIRCUIT_DECIDED, 'deciding'],
  [is.REPORT_ASSEMBLED, 'assembling'],
  [is.CLOSED, 'closing'],
])

function stageInWords(stage: Stage): string {
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

/** Once a chair has reported, it ends this way, no matter what else is still to be asked. */
function refuseEnding(state: OpenedCouncil, { type, payload }: Occurrence): Refusal | null {
  if (type !== is.CLOSED || lastReport(state) === null || payload?.status === 'reported') return null
  return { code: 'ORDER_VIOLATION', message: 'a chair has reported: it is to be closed as reported' }
}

export function refuseMisplaced(state: CouncilState, event: Occurrence): Refusal | null {
  const { type } = event
  const moment = STAGE_OF.get(type)
  if (moment === undefined || !isOpenedCouncil(state) || state.isClosed) return null
  const stage = stageOf(state)
  if (stage.is === moment) return null
  const message = `${type} while ${stageInWords(stage)}`
  const besides = refuseEnding(state, event)
  return { code: 'ORDER_VIOLATION', message, lacks: lacksAt(state, stage, type), ...(besides && { besides }) }
}

// Members of an opening or a fork that exist only since edition 2. A trace of edition 1 with them was refused
// when edition 1 was current, and is refused forever.

interface NewerFields {
  readonly policy?: CouncilPolicy
  readonly retry?: readonly string[]
  readonly left_out?: readonly object[]
  readonly scripted?: true
  readonly portions?: number
  readonly unseen?: object
  readonly seats?: readonly SeatRecord[]
}

const SEAT_MEMBERS = ['prompt_chars', 'stance', 'temperature', 'thinking'] as const

const isNewer = ({
  policy,
  retry,
  left_out,
  scripted,
  portions,
  unseen,
  seats = [],
}: NewerFields): string | null => {
  const member = SEAT_MEMBERS.find((name) => seats.some((seat) => seat[name] !== undefined))
  if (member) return `seats.${member}`
  if (retry !== undefined) return 'amend.retry'
  if (left_out !== undefined) return 'left_out'
  if (scripted !== undefined) return 'scripted'
  if (portions !== undefined) return 'portions'
  if (unseen !== undefined) return 'unseen'
  if (policy?.short_circuit.conditions.skip_r2_if.includes('always')) return 'skip_r2_if: always'
  if (policy?.timeouts.r3_round !== undefined) return 'policy.timeouts.r3_round'
  return policy?.timeouts.each === undefined ? null : 'policy.timeouts.each'
}

export function refuseNewer(fields: NewerFields, { additions }: Edition): Refusal | null {
  const member = additions ? null : isNewer(fields)
  return member === null ? null : { code: 'SCHEMA_INVALID', message: `${member} is not of this edition` }
}
