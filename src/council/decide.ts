// Decides the next actions of a council. Seats of a round are asked together; everything else is one step at
// a time. The input of an action says who is asked for what; `promptFor` builds the prompt from the trace.

import type { Action } from '../protocol.ts'
import { actionFor } from './actions.ts'
import { isInParts, isShortDue, nextPart } from './size/parts.ts'
import { stageOf } from './stage.ts'
import { type CouncilState, isOpenedCouncil, pendingOf } from './state.ts'

const record = (id: string, input: Action['input']): readonly Action[] => [{ id, call: 'record', input }]

/** First part of the id → the events that answer it are in `ANSWERS`. */
export function decide(state: CouncilState): readonly Action[] {
  if (!isOpenedCouncil(state) || state.isClosed) return []
  const stage = stageOf(state)
  switch (stage.is) {
    case 'asking': {
      const { round, joins } = stage
      const asks = stage.seats.map(({ seat }): Action => {
        const pending = pendingOf(state, round, seat)
        const part = round === 'R1' && isInParts(state) ? nextPart(state, seat) : null
        const isShort = pending === null && isShortDue(state, round, seat, part)
        return {
          id: actionFor(round, seat, { part, isShort, completes: pending !== null }),
          call: 'ask',
          input: {
            round,
            seat,
            ...(part !== null && { part }),
            ...(pending && { completes: pending.event }),
          },
        }
      })
      return [...asks, ...joins.flatMap((seat) => record(`join/${seat}`, { seat }))]
    }
    case 'synthesis': {
      const { n, seat, mend, completes } = stage
      const input = { round: 'R3', seat, n, mend, ...(completes !== null && { completes }) }
      return [{ id: `report/${n}`, call: 'ask', input }]
    }
    case 'waiting':
      return []
    case 'scoring':
      return record('score/R1', {})
    case 'deciding':
      return record(`short_circuit/${stage.after}`, { after: stage.after })
    case 'assembling':
      return record('assemble', { synthesis: stage.synthesis })
    case 'closing':
      return record('close', { status: stage.status })
  }
}
