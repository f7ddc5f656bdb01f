// What a person sees of a running council: seats by rounds, each cell waiting, thinking, done or failed. A
// pure fold over the recorded events, so that a council that runs elsewhere looks the same.

import { readAction } from '../../council/actions.ts'
import {
  CLOSED,
  type CouncilOpened,
  OPENED,
  OPINION_FAILED,
  OPINION_GIVEN,
  OPINION_INCOMPLETE,
  OPINION_JOINED,
  payloadOf,
  REPORT_FAILED,
  REPORT_GIVEN,
  REPORT_INCOMPLETE,
  REVIEW_FAILED,
  REVIEW_GIVEN,
  REVIEW_INCOMPLETE,
  ROUND_CLOSED,
  type Round,
  SHORT_CIRCUIT_DECIDED,
} from '../../council/events.ts'
import type { Mode } from '../../council/replies/opinion.ts'
import { CALL_LOST, CALL_STARTED } from '../../ledger/calls.ts'
import type { Occurrence } from '../../protocol.ts'
import { failureKind, stanceOf } from '../report/document.ts'

export interface Cell {
  readonly state: 'waiting' | 'thinking' | 'done' | 'failed' | 'skipped' | 'absent'
  /** ISO 8601; when it was last asked. */
  readonly since: string | null
  readonly ms: number | null
  readonly tokens: number | null
  readonly usd: number | null
  /** A stance, or why it failed. */
  readonly word: string
  /** One line of what was said. */
  readonly gist: string
  readonly lost: number
}

export interface Row {
  readonly seat: string
  readonly model: string | null
  readonly cells: Readonly<Record<Round, Cell>>
}

export interface Board {
  readonly question: string
  /** ISO 8601; when it was opened. */
  readonly since: string | null
  /** A demo: no model is asked. */
  readonly scripted: boolean
  readonly mode: Mode
  readonly rows: readonly Row[]
  readonly embedded: boolean
  /** Seats in the order in which they are asked to chair. */
  readonly chairs: readonly string[]
  /** Who wrote a report, or failed to, so far. */
  readonly reports: readonly { readonly seat: string; readonly ok: boolean }[]
  readonly closed: string | null
}

export const ROUNDS: readonly Round[] = ['R1', 'R2', 'R3']

export const EMPTY_BOARD: Board = {
  question: '',
  since: null,
  scripted: false,
  mode: 'ask',
  rows: [],
  embedded: false,
  chairs: [],
  reports: [],
  closed: null,
}

const CELL: Cell = {
  state: 'waiting',
  since: null,
  ms: null,
  tokens: null,
  usd: null,
  word: '',
  gist: '',
  lost: 0,
}

const ROUND_OF: Readonly<Record<string, Round>> = {
  [OPINION_GIVEN]: 'R1',
  [OPINION_FAILED]: 'R1',
  [REVIEW_GIVEN]: 'R2',
  [REVIEW_FAILED]: 'R2',
  [REPORT_GIVEN]: 'R3',
  [REPORT_FAILED]: 'R3',
}
const INCOMPLETE: Readonly<Record<string, Round>> = {
  [OPINION_INCOMPLETE]: 'R1',
  [REVIEW_INCOMPLETE]: 'R2',
  [REPORT_INCOMPLETE]: 'R3',
}
const ROUND_OF_ACTION: Readonly<Record<string, Round>> = { opinion: 'R1', review: 'R2', report: 'R3' }

/** The cell of an action: `opinion/claude/1`, `review/openai/1`; for `report/2/1` the board knows whose turn it is. */
function cellOf(board: Board, action: string): { readonly round: Round; readonly seat: string } | null {
  const [kind = '', subject = ''] = action.split('/')
  const round = Object.hasOwn(ROUND_OF_ACTION, kind) ? ROUND_OF_ACTION[kind] : undefined
  if (!round) return null
  if (round !== 'R3') return { round, seat: subject }
  const last = board.reports.at(-1)
  const failed = board.reports.filter(({ ok }) => !ok).length
  const next = board.chairs[failed % Math.max(1, board.chairs.length)] ?? ''
  return { round, seat: last?.ok ? last.seat : next }
}

const changeCell = (board: Board, seat: string, round: Round, by: (cell: Cell) => Cell): Board => ({
  ...board,
  rows: board.rows.map((row) =>
    row.seat === seat ? { ...row, cells: { ...row.cells, [round]: by(row.cells[round]) } } : row,
  ),
})

const changeCells = (board: Board, rounds: readonly Round[], by: (cell: Cell) => Cell): Board =>
  rounds.reduce(
    (now, round) => now.rows.reduce((next, { seat }) => changeCell(next, seat, round, by), now),
    board,
  )

function opened(payload: CouncilOpened, since: string): Board {
  const { seats, chairs, question, mode, scripted = false } = payload
  const rows = seats.map(({ seat, model, roles }): Row => {
    const firstCell = roles.includes('participant') ? CELL : { ...CELL, state: 'absent' as const }
    const chairing = chairs.includes(seat) ? CELL : { ...CELL, state: 'absent' as const }
    return { seat, model, cells: { R1: firstCell, R2: firstCell, R3: chairing } }
  })
  const embedded = seats.every((seat) => seat.embedded)
  return { ...EMPTY_BOARD, question, since, scripted, mode, rows, chairs, embedded }
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const number = (value: unknown): number | null => (typeof value === 'number' ? value : null)

interface StatedValue {
  readonly stance?: unknown
  readonly stance_after?: unknown
  readonly decision?: unknown
  readonly summary?: unknown
  readonly conclusion?: unknown
  readonly why?: unknown
}

interface Failed {
  readonly error_type?: unknown
  readonly cause?: unknown
  readonly error_message?: unknown
}

/** A seat that could not be asked at all is not a network failure. */
const whyOf = (failure: Failed): string =>
  failure.cause === 'unavailable' ? 'not ready' : failureKind(failure)

function answered(board: Board, event: Occurrence, round: Round): Board {
  const payload = event.payload ?? {}
  const stated = (payload.opinion ?? payload.review ?? payload.report ?? {}) as StatedValue
  const failure = (payload.failure ?? null) as Failed | null
  const tokens = (number(payload.input_tokens) ?? 0) + (number(payload.output_tokens) ?? 0)
  const cost = payload.cost as { usd?: unknown } | null
  const reported = { seat: text(payload.seat), ok: failure === null }
  const next = round === 'R3' ? { ...board, reports: [...board.reports, reported] } : board
  return changeCell(next, text(payload.seat), round, (cell) => ({
    ...cell,
    state: failure ? 'failed' : 'done',
    ms: number(payload.latency_ms),
    tokens: tokens > 0 ? tokens : null,
    usd: number(cost?.usd),
    word: failure
      ? whyOf(failure)
      : stanceOf(board, text(stated.stance ?? stated.stance_after ?? stated.decision)),
    gist: failure ? text(failure.error_message) : text(stated.summary ?? stated.conclusion ?? stated.why),
  }))
}

const sumOf = (before: number | null, now: number | null): number | null =>
  before === null ? now : now === null ? before : before + now

/** An answer to one part of round one: the seat continues with the next, and the usage is added up. */
function addPart(board: Board, event: Occurrence, part: number): Board {
  const payload = event.payload ?? {}
  const tokens = (number(payload.input_tokens) ?? 0) + (number(payload.output_tokens) ?? 0)
  const cost = payload.cost as { usd?: unknown } | null
  return changeCell(board, text(payload.seat), 'R1', (cell) => ({
    ...cell,
    state: 'waiting',
    ms: sumOf(cell.ms, number(payload.latency_ms)),
    tokens: sumOf(cell.tokens, tokens > 0 ? tokens : null),
    usd: sumOf(cell.usd, number(cost?.usd)),
    word: `part ${part}${payload.failure ? ' failed' : ''}`,
  }))
}

/** Its usage is included already, part by part. */
function joined(board: Board, event: Occurrence): Board {
  const { seat, opinion, failure } = payloadOf(event, OPINION_JOINED)
  return changeCell(board, seat, 'R1', (cell) => ({
    ...cell,
    state: opinion ? 'done' : 'failed',
    word: opinion ? stanceOf(board, opinion.stance) : failure ? whyOf(failure) : '',
    gist: opinion ? opinion.summary : (failure?.error_message ?? ''),
  }))
}

export function follow(board: Board, event: Occurrence): Board {
  const { type, payload } = event
  if (payload === null) return board
  if (type === OPENED) return opened(payloadOf(event, OPENED), event.at)
  if (type === OPINION_JOINED) return joined(board, event)
  const part = readAction(text(payload.action))?.part ?? null
  if (part !== null && (type === OPINION_GIVEN || type === OPINION_FAILED)) return addPart(board, event, part)
  const round = Object.hasOwn(ROUND_OF, type) ? ROUND_OF[type] : undefined
  if (round) return answered(board, event, round)
  const incomplete = Object.hasOwn(INCOMPLETE, type) ? INCOMPLETE[type] : undefined
  if (incomplete)
    return changeCell(board, text(payload.seat), incomplete, (cell) => ({
      ...cell,
      state: 'waiting',
      word: 'incomplete',
    }))
  if (type === CALL_STARTED || type === CALL_LOST) {
    const at = cellOf(board, text(payload.action))
    if (!at) return board
    return changeCell(board, at.seat, at.round, (cell) =>
      type === CALL_STARTED
        ? { ...cell, state: 'thinking', since: event.at }
        : { ...cell, state: 'waiting', lost: cell.lost + 1 },
    )
  }
  const skip = (cell: Cell): Cell => (cell.state === 'waiting' ? { ...cell, state: 'skipped' } : cell)
  if (type === SHORT_CIRCUIT_DECIDED) {
    const skipped = [...[payload.rounds_skipped].flat(), ...[payload.impossible].flat()]
    return changeCells(
      board,
      ROUNDS.filter((one) => skipped.includes(one)),
      skip,
    )
  }
  if (type === ROUND_CLOSED) {
    return changeCells(
      board,
      ROUNDS.filter((one) => one === payload.round),
      skip,
    )
  }
  if (type === CLOSED) return { ...changeCells(board, ROUNDS, skip), closed: text(payload.status) }
  return board
}
