// Shows a council on stderr while it goes on: at a terminal a board that is drawn anew in place, with a lasting line
// for every answer; elsewhere those lines alone. It owns the bottom lines of the terminal only while nothing else
// writes there.

import type { Round } from '../../../council/events.ts'
import type { Occurrence } from '../../../protocol.ts'
import { type Board, EMPTY_BOARD, follow, ROUNDS } from '../../../render/board/board.ts'
import { boardLines, settledLine } from '../../../render/board/board-lines.ts'
import type { Paint } from '../../../render/paint.ts'

export interface Screen {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

export interface Live {
  tell(event: Occurrence): void
  readonly board: () => Board
  /** Takes the board away for something else to be shown; what is told meanwhile waits. */
  pause(): void
  resume(): void
  end(): void
}

const REDRAW_MS = 200
const NARROWEST = 40

const UP = (lines: number): string => (lines === 0 ? '' : `\u001b[${lines}A`)
const CLEAR_BELOW = '\r\u001b[0J'

interface Settled {
  readonly seat: string
  readonly round: Round
}

function newlySettled(before: Board, after: Board): readonly Settled[] {
  return after.rows.flatMap(({ seat, cells }, i) =>
    ROUNDS.filter((round) => {
      const { state } = cells[round]
      return (state === 'done' || state === 'failed') && before.rows[i]?.cells[round].state !== state
    }).map((round) => ({ seat, round })),
  )
}

export function showLive(screen: Screen, paint: Paint, quiet: boolean): Live {
  const draws = screen.isTTY === true && !quiet
  let board = EMPTY_BOARD
  let drawn = 0
  /** Lasting lines that wait while something else is on the screen; null when nothing is. */
  let waiting: string[] | null = null
  const look = () => ({
    width: Math.max(screen.columns ?? 80, NARROWEST),
    paint,
    now: Date.now(),
  })

  function clear(): void {
    if (drawn > 0) screen.write(`${UP(drawn)}${CLEAR_BELOW}`)
    drawn = 0
  }

  function draw(lasting: readonly string[] = []): void {
    if (waiting !== null) {
      waiting.push(...lasting)
      return
    }
    if (!draws) {
      if (!quiet) for (const line of lasting) screen.write(`${line}\n`)
      return
    }
    const lines = board.closed === null ? boardLines(board, look()) : []
    const above = UP(drawn)
    screen.write(`${above}${CLEAR_BELOW}${[...lasting, ...lines].map((line) => `${line}\n`).join('')}`)
    drawn = lines.length
  }

  const timer = draws ? setInterval(() => drawn > 0 && draw(), REDRAW_MS) : null
  timer?.unref()

  return {
    board: () => board,
    pause() {
      clear()
      waiting ??= []
    },
    resume() {
      const lines = waiting ?? []
      waiting = null
      draw(lines)
    },
    tell(event) {
      const before = board
      board = follow(board, event)
      if (board === before) return
      const settled = newlySettled(before, board).map(({ seat, round }) => {
        const cell = board.rows.find((row) => row.seat === seat)?.cells[round]
        return cell ? settledLine({ seat, round, cell }, look()) : ''
      })
      draw(settled)
    },
    end() {
      if (timer) clearInterval(timer)
      if (waiting !== null) this.resume()
      clear()
    },
  }
}
