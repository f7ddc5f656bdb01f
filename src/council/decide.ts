// What a council does next. Seats of a round are asked together; everything else is one step at a time. The input of
// an action says who is asked for what; the prompt is built from the minutes by `promptFor`.

import type { Action } from '../protocol.ts'
import { stageOf } from './stage.ts'
import { type CouncilState, isConvened } from './state.ts'

const record = (id: string, input: Action['input']): readonly Action[] => [{ id, call: 'record', input }]

/** First part of the id → what it is answered by is in `ANSWERS`. */
export function decide(state: CouncilState): readonly Action[] {
  if (!isConvened(state) || state.isClosed) return []
  const stage = stageOf(state)
  switch (stage.is) {
    case 'asking': {
      const kind = stage.round === 'R1' ? 'opinion' : 'review'
      return stage.seats.map(({ seat }) => ({
        id: `${kind}/${seat}`,
        call: 'ask',
        input: { round: stage.round, seat },
      }))
    }
    case 'synthesis': {
      const { n, seat, mend } = stage
      return [{ id: `report/${n}`, call: 'ask', input: { round: 'R3', seat, n, mend } }]
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
