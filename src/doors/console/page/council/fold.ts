// A council in the page: its state, and the board of seats by rounds that the terminal shows too.

import { sha256 } from '../../../../browser/bytes.ts'
import { councilProtocol } from '../../../../council/council.ts'
import { councilResult } from '../../../../council/council-result.ts'
import type { CouncilState } from '../../../../council/state.ts'
import type { WithOpenCalls } from '../../../../ledger/calls.ts'
import { type Board, EMPTY_BOARD, follow } from '../../../../render/board/board.ts'
import type { Fold } from '../trace/fold.ts'

export interface CouncilFold extends Fold {
  readonly state: WithOpenCalls<CouncilState>
  /** Seats by rounds, as the terminal shows them too. */
  readonly board: Board
}

export function councilFold(): CouncilFold {
  const protocol = councilProtocol(sha256)
  let state = protocol.initial
  let board = EMPTY_BOARD
  return {
    get state() {
      return state
    },
    get board() {
      return board
    },
    take(event) {
      state = protocol.evolve(state, event)
      board = follow(board, event)
    },
    result: () => councilResult(sha256, state.inner),
  }
}
