// The board in words, at any width from forty columns on. What seats said is neutralised here, like everything that
// reaches a terminal.

import type { Round } from '../../council/events.ts'
import { momentMs } from '../../ledger/clock.ts'
import type { Paint } from '../paint.ts'
import { clip, plain } from '../plain.ts'
import { type Board, type Cell, ROUNDS, type Row } from './board.ts'

export interface Look {
  readonly width: number
  readonly paint: Paint
  /** Milliseconds since the epoch, for whoever is still thinking. */
  readonly now: number
}

const TITLES: Readonly<Record<Round, string>> = { R1: 'R1 opinion', R2: 'R2 review', R3: 'R3 report' }
const MOST_OF_A_NAME = 16

const seconds = (ms: number): string => {
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`
  return ms < 120_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`
}

export const dollars = (usd: number): string => {
  if (usd === 0) return '$0'
  return usd < 0.01 ? `$${usd.toFixed(4)}` : `$${usd.toFixed(2)}`
}

export const thousands = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',')

const again = ({ lost }: Cell): string => (lost > 0 ? ' again' : '')

function wordsOf(cell: Cell, now: number): string {
  const { state, since, ms, word } = cell
  switch (state) {
    case 'thinking':
      return `thinking${again(cell)} ${seconds(since === null ? 0 : Math.max(now - momentMs(since), 0))}`
    case 'done':
      return `${plain(word)}${ms === null ? '' : ` ${seconds(ms)}`}`
    case 'failed':
      return `failed: ${plain(word)}`
    case 'skipped':
      return 'not held'
    case 'absent':
      return '·'
    default:
      return `waiting${again(cell)}`
  }
}

const brushOf = (cell: Cell, paint: Paint): ((text: string) => string) => {
  if (cell.state === 'done') return paint.green
  if (cell.state === 'failed') return paint.red
  return cell.state === 'thinking' ? paint.yellow : paint.dim
}

const cells = (board: Board): readonly Cell[] =>
  board.rows.flatMap((row) => ROUNDS.map((round) => row.cells[round]))

/** Calls, tokens and money so far; what nobody said is not counted as nothing. */
function spentWords(board: Board): string {
  const over = cells(board).filter(({ state }) => state === 'done' || state === 'failed')
  const failed = over.filter(({ state }) => state === 'failed').length
  const tokens = over.reduce((sum, cell) => sum + (cell.tokens ?? 0), 0)
  const usd = over.reduce((sum, cell) => sum + (cell.usd ?? 0), 0)
  const unknown = over.some((cell) => cell.state === 'done' && cell.usd === null)
  const thinking = cells(board).filter(({ state }) => state === 'thinking').length
  const some = unknown ? `at least ${dollars(usd)}` : dollars(usd)
  const money = unknown && usd === 0 ? 'cost not known' : some
  const lost = failed > 0 ? ` · ${failed} failed` : ''
  return `${over.length - failed} answered${lost} · ${thinking} thinking · ${thousands(tokens)} tokens · ${money}`
}

export function boardLines(board: Board, { width, paint, now }: Look): readonly string[] {
  if (board.rows.length === 0) return []
  const longest = Math.max(...board.rows.map(({ seat }) => seat.length), 4)
  const first = Math.min(longest, MOST_OF_A_NAME)
  const each = Math.max(Math.floor((width - 1 - first - 2 * ROUNDS.length) / ROUNDS.length), 8)
  const fitted = (text: string): string => clip(text, each).padEnd(each)
  const name = (text: string): string => clip(plain(text), first).padEnd(first)
  const heading = [name('seat'), ...ROUNDS.map((round) => fitted(TITLES[round]))].join('  ')
  const line = (row: Row): string =>
    [
      name(row.seat),
      ...ROUNDS.map((round) => brushOf(row.cells[round], paint)(fitted(wordsOf(row.cells[round], now)))),
    ].join('  ')
  return [paint.dim(heading), ...board.rows.map(line), paint.dim(clip(spentWords(board), width - 1))]
}

/** One line for a cell that was just settled. */
export function settledLine(
  { seat, round, cell }: { readonly seat: string; readonly round: Round; readonly cell: Cell },
  { width, paint }: Look,
): string {
  const what =
    cell.state === 'failed' ? paint.red(`failed: ${plain(cell.word)}`) : paint.green(plain(cell.word))
  const bare = cell.state === 'failed' ? `failed: ${plain(cell.word)}` : plain(cell.word)
  const facts = [
    cell.ms === null ? '' : seconds(cell.ms),
    cell.tokens === null ? '' : `${thousands(cell.tokens)} tokens`,
    cell.usd === null || cell.usd === 0 ? '' : dollars(cell.usd),
  ].filter((fact) => fact !== '')
  const head = `${round} ${plain(seat)} `
  const tail = facts.length > 0 ? ` (${facts.join(', ')})` : ''
  const room = width - 1 - head.length - bare.length - tail.length - 2
  const gist = room > 12 && cell.gist !== '' ? `  ${paint.dim(clip(plain(cell.gist), room))}` : ''
  return `${head}${what}${tail}${gist}`
}
