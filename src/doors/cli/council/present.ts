// The end of a council at the command line: the report in the requested form, the whole result as JSON, and
// an exit code for scripts.

import { createInterface } from 'node:readline/promises'
import type { Council, SeatSpeaking } from '../../../app/council/council.ts'
import { type Gate, misplacedFindings, readGate, whyGateClosed } from '../../../app/council/plan.ts'
import { writeFileWhole } from '../../../app/home/files.ts'
import { SHORT_GRACE_MS } from '../../../app/run.ts'
import type { CouncilResult } from '../../../council/council-result.ts'
import type { CouncilStatus, Round } from '../../../council/events.ts'
import { canRetry } from '../../../council/retry.ts'
import { isR1Complete } from '../../../council/stage.ts'
import { isOpenedCouncil } from '../../../council/state.ts'
import type { Occurrence } from '../../../protocol.ts'
import { type Board, EMPTY_BOARD, follow as onBoard, ROUNDS } from '../../../render/board/board.ts'
import {
  boardLines,
  cellKey,
  EMPTY_DRAFT,
  extendDraft,
  settledLine,
  type Writing,
} from '../../../render/board/board-lines.ts'
import { withDemoMark, withRoomForMark } from '../../../render/demo-mark.ts'
import { type Paint, plain } from '../../../render/plain.ts'
import { briefLines } from '../../../render/report/brief.ts'
import { FORMATS, type Format, renderReport } from '../../../render/report/render.ts'
import { type Call, EXIT, type ExitCode, type Outcome, packageVersion, paintFor } from '../command.ts'
import { type Follow, saveCheckpoint, untilInterrupted } from '../run-trace.ts'
import { isYes } from '../terminal.ts'

// Shows a council on stderr while it runs: at a terminal a board that is redrawn in place, with a permanent
// line for every answer; elsewhere those lines alone. It owns the bottom lines of the terminal only while
// nothing else writes there.

export interface Screen {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

export interface Live {
  tell(event: Occurrence): void
  /** Text of a seat as it writes it: shown at the next redraw. */
  speaks(speaking: SeatSpeaking): void
  readonly board: () => Board
  /** Removes the board so that something else can be shown; new lines wait meanwhile. */
  pause(): void
  resume(): void
  end(): void
}

const REDRAW_MS = 200
const NARROWEST = 40

const UP = (lines: number): string => (lines === 0 ? '' : `\u001b[${lines}A`)
const CLEAR_BELOW = '\r\u001b[0J'
/**
 * The rest of a line. tmux keeps what is cleared from the top of a screen in its scrollback: every frame would
 * appear there again.
 */
const LINE_END = '\u001b[K\n'

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
  const writing = new Map<string, Writing>()
  /** Permanent lines that wait while something else is on the screen; null when nothing is. */
  let waiting: string[] | null = null
  const look = () => ({
    width: Math.max(screen.columns ?? 80, NARROWEST),
    paint,
    now: Date.now(),
    writing,
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
    const drawing = [...lasting, ...lines].map((line) => `${line}${LINE_END}`).join('')
    screen.write(`${above}\r${drawing}${CLEAR_BELOW}`)
    drawn = lines.length
  }

  const timer = draws ? setInterval(() => drawn > 0 && draw(), REDRAW_MS) : null
  timer?.unref()

  return {
    board: () => board,
    speaks({ seat, round, words }) {
      const place = cellKey(round, seat)
      if (words === null) writing.delete(place)
      else writing.set(place, extendDraft(writing.get(place) ?? EMPTY_DRAFT, words))
    },
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
      board = onBoard(board, event)
      if (board === before) return
      const settledCells = newlySettled(before, board).map(({ seat, round }) => {
        const cell = board.rows.find((row) => row.seat === seat)?.cells[round]
        if (!cell) return ''
        const settled = { seat, round, cell }
        if (!board.scripted) return settledLine(settled, look())
        return withDemoMark(settledLine(settled, withRoomForMark(look())), look())
      })
      draw(settledCells)
    },
    end() {
      if (timer) clearInterval(timer)
      if (waiting !== null) this.resume()
      clear()
    },
  }
}

export interface Presented {
  readonly call: Call
  readonly gate: Gate | null
  readonly checkpoint: string | null
  /** The command that asks failed seats again; null where none failed, or it is not possible. */
  readonly retry: string | null
}

/** Without `--format`, the ending of the file tells; without a file it is text for the terminal. */
function formatOf(call: Call): Format {
  const ending = /\.([a-z]+)$/i.exec(call.text('output') ?? '')?.[1]?.toLowerCase()
  const chosenFormat = call.text('format') ?? (ending === 'htm' ? 'html' : ending)
  return FORMATS.find((format) => format === chosenFormat) ?? 'text'
}

/** On a screen only the verdict, unless all of it is requested. */
function rendered(result: CouncilResult, call: Call): string {
  const toFile = call.text('output') !== null
  const { width, paint } = call
  const format = formatOf(call)
  if (format === 'text' && !toFile && !call.flag('full')) return briefLines(result, call).join('\n')
  return renderReport(format, result, {
    version: packageVersion(),
    ...(toFile ? {} : { width, paint }),
  })
}

/**
 * Writes the report to the file that was named; the lines to show either way. For GitHub the log gets the annotations and
 * the file the text of a comment.
 */
export async function writeReport(result: CouncilResult, call: Call): Promise<readonly string[]> {
  const file = call.text('output')
  const text = rendered(result, call)
  const shown = text.trimEnd().split('\n')
  if (file === null) return shown
  const isGithub = formatOf(call) === 'github'
  const content = isGithub ? renderReport('md', result) : text
  await writeFileWhole(file, Buffer.from(content), { replace: call.flag('force') })
  return [...(isGithub ? shown : []), `Wrote ${plain(file)}.`]
}

const FAILED: readonly (CouncilStatus | null)[] = ['quorum_failed', 'failed']

function exitOf({ status, report }: CouncilResult, gate: string | null): ExitCode {
  if (FAILED.includes(status) || report === null) return EXIT.quorumNotMet
  return gate === null ? EXIT.done : EXIT.gateClosed
}

/** As the specification requires: an error, with the partial results. */
const errorOf = (result: CouncilResult, retry: string | null): object =>
  FAILED.includes(result.status)
    ? {
        error: {
          code: 'QUORUM_NOT_MET',
          message: result.reason,
          next: `See who failed and why; then: ${retry ?? 'ask again'}`,
        },
      }
    : {}

export async function present(
  result: CouncilResult,
  { call, gate, checkpoint, retry }: Presented,
): Promise<Outcome> {
  const { trace } = result
  const closed = whyGateClosed(gate, result.report, result.unjudged_parts, misplacedFindings(result))
  const exit = exitOf(result, closed)
  const file = call.text('output')
  const shown = await writeReport(result, call)
  const again = retry === null ? [] : [`Ask again who failed: ${retry}`]
  const isShort = result.degraded || exit === EXIT.quorumNotMet
  const gateLine = closed === null ? [] : ['', call.paint.red(`Gate closed: ${plain(closed)}.`)]
  return {
    value: {
      ...errorOf(result, retry),
      ...result,
      checkpoint,
      gate: gate === null ? null : { open: closed === null, why: closed },
    },
    lines: [...shown, ...gateLine, ...(isShort ? again : [])],
    brief: [...shown, ...(closed === null ? [] : [`Gate closed: ${plain(closed)}.`])],
    hints: [
      ...(isShort ? [] : again),
      ...(file === null ? [] : [`Trace: ${trace}`, `To check them: witan verify ${trace}`]),
    ],
    exit,
  }
}

// Runs a council at the command line, from its current state to its end, with its result as the result of the
// command. The first Ctrl-C after round 1 has answers offers a report of what there is instead of leaving.

/** True when the run continues, to its early close. Anything but yes stops, as Ctrl-C does elsewhere. */
async function offerToClose(council: Council, live: Live): Promise<boolean> {
  const { state } = council
  const isTerminal = process.stdin.isTTY === true && process.stderr.isTTY === true
  if (!isTerminal || !isOpenedCouncil(state) || !isR1Complete(state)) return false
  live.pause()
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await new Promise<string>((resolve) => {
    terminal.on('SIGINT', () => resolve('n'))
    terminal.on('close', () => resolve('n'))
    void terminal.question('Close now with a report of what there is? [y/N] ').then(resolve)
  })
  terminal.close()
  live.resume()
  if (!isYes(answer)) return false
  await council.close('closed by the convener with what there was')
  return true
}

/** `isFollowed`: another process drives it, and leaving ends nothing. */
export async function runAndPresent(
  council: Council,
  call: Call,
  gate: Gate | null,
  isFollowed = false,
): Promise<Outcome> {
  const machine = call.flag('json') || call.flag('quiet')
  const live = showLive(process.stderr, await paintFor(process.stderr), machine)
  const offer = machine || isFollowed ? undefined : () => offerToClose(council, live)
  call.progress('')
  try {
    const end = await untilInterrupted({ trace: council.trace, offer, followed: isFollowed }, (signal) =>
      council.drive({
        signal,
        grace: SHORT_GRACE_MS,
        hear: live.tell.bind(live),
        speaks: live.speaks.bind(live),
      }),
    )
    live.end()
    await saveCheckpoint(call, end.checkpoint)
    const { checkpoint } = end
    const retry = canRetry(council.state) ? `witan retry ${council.trace}` : null
    return await present(council.result(), { call, gate, checkpoint, retry })
  } finally {
    live.end()
  }
}

/** A council that a worker drives, shown as it runs: the same view, report and exit code as where it runs. */
export const follow: Follow = async (home, trace, call, elsewhere) => {
  const { followCouncil } = await import('../../../app/council/council.ts')
  const council = await followCouncil(home, trace, elsewhere)
  return runAndPresent(council, call, readGate(call.text('fail-on')), true)
}
