// The board as text, at any width from forty columns on. Text of seats is neutralised here, like everything
// that reaches a terminal.

import type { Round } from '../../council/events.ts'
import { momentMs } from '../../ledger/clock.ts'
import { SCRIPTED_DEMO } from '../../ledger/scripted.ts'
import { clip, type Paint, plain } from '../plain.ts'
import { recordedStance } from '../report/document.ts'
import { type Board, type Cell, ROUNDS, type Row } from './board.ts'

export interface BoardLayout {
  readonly width: number
  readonly paint: Paint
  /** Milliseconds since the epoch, for running calls. */
  readonly now: number
  /** What is being written now, by round and seat. */
  readonly writing?: ReadonlyMap<string, Writing>
}

export const cellKey = (round: Round, seat: string): string => `${round} ${seat}`

const TITLES: Readonly<Record<Round, string>> = { R1: 'R1 opinion', R2: 'R2 review', R3: 'R3 report' }
const STANCE_COLOURS: Readonly<Record<string, (paint: Paint) => (text: string) => string>> = {
  reject: (paint) => paint.red,
  'need-info': (paint) => paint.yellow,
}
/** What is requested where a review found nothing: models write it once for each dimension. */
const FILLER = /(none found)(?: none found)+/gi
const MOST_OF_A_NAME = 16
const MOST_OF_A_WORD = 24

const seconds = (ms: number): string => {
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`
  return ms < 120_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`
}

export const dollars = (usd: number): string => {
  if (usd === 0) return '$0'
  return usd < 0.01 ? `$${usd.toFixed(4)}` : `$${usd.toFixed(2)}`
}

export const thousands = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',')

const retryMark = ({ lost }: Cell): string => (lost > 0 ? ' again' : '')

const elapsed = (since: string | null, now: number): string =>
  seconds(since === null ? 0 : Math.max(now - momentMs(since), 0))

function wordsOf(cell: Cell, now: number, writing: Writing | undefined): string {
  const { state, since, ms, word } = cell
  switch (state) {
    case 'thinking':
      return writing && writing.chars > 0
        ? `${thousands(writing.chars)} chars ${elapsed(since, now)}`
        : `thinking${retryMark(cell)} ${elapsed(since, now)}`
    case 'done':
      return `${plain(word)}${ms === null ? '' : ` ${seconds(ms)}`}`
    case 'failed':
      return `failed: ${plain(word)}`
    case 'skipped':
      return 'not held'
    case 'absent':
      return '·'
    default:
      return `waiting${retryMark(cell)}`
  }
}

/** A stance has the colour that it has in the report; any other result is green. */
const stanceColour = (word: string, paint: Paint): ((text: string) => string) =>
  STANCE_COLOURS[recordedStance(word).stance]?.(paint) ?? paint.green

const colourOf = (cell: Cell, paint: Paint): ((text: string) => string) => {
  if (cell.state === 'done') return stanceColour(cell.word, paint)
  if (cell.state === 'failed') return paint.red
  return cell.state === 'thinking' ? paint.yellow : paint.dim
}

const cells = (board: Board): readonly Cell[] =>
  board.rows.flatMap((row) => ROUNDS.map((round) => row.cells[round]))

/** Calls, tokens and money so far; an unknown value is not counted as zero. */
function spentWords(board: Board, now: number): string {
  const over = cells(board).filter(({ state }) => state === 'done' || state === 'failed')
  const failed = over.filter(({ state }) => state === 'failed').length
  const tokens = over.reduce((sum, cell) => sum + (cell.tokens ?? 0), 0)
  const usd = over.reduce((sum, cell) => sum + (cell.usd ?? 0), 0)
  const unknown = over.some((cell) => cell.state === 'done' && cell.usd === null)
  const thinking = cells(board).filter(({ state }) => state === 'thinking').length
  const some = unknown ? `at least ${dollars(usd)}` : dollars(usd)
  const money = unknown && usd === 0 ? 'cost not known' : some
  const lost = failed > 0 ? ` · ${failed} failed` : ''
  const summary = `${over.length - failed} answered${lost} · ${thinking} at work`
  const counted = tokens > 0 ? ` · ${thousands(tokens)} tokens` : ''
  const demo = board.scripted ? `${SCRIPTED_DEMO} · ` : ''
  return `${demo}${summary}${counted} · ${money} · ${elapsed(board.since, now)}`
}

/** As much of the end as fits, from the beginning of a word if possible. */
function lastOf(letters: readonly string[], room: number): string {
  if (letters.length <= room) return letters.join('')
  const tail = letters.slice(letters.length - room + 1)
  const blank = tail.indexOf(' ')
  return `…${tail.slice(blank > 0 && blank < MOST_OF_A_WORD ? blank : 0).join('')}`
}

/** The last words of all seats that are writing, as many as fit on a line. */
function lastWords(board: Board, { width, paint, writing }: BoardLayout): readonly string[] {
  const longest = Math.min(Math.max(...board.rows.map(({ seat }) => seat.length), 4), MOST_OF_A_NAME)
  return board.rows.flatMap(({ seat, cells: own }) =>
    ROUNDS.flatMap((round) => {
      const words =
        writing?.get(cellKey(round, seat))?.words.replace(/\s+/g, ' ').replace(FILLER, '$1').trim() ?? ''
      if (own[round].state !== 'thinking' || words === '') return []
      const letters = [...plain(words.toWellFormed())]
      const room = width - 1 - longest - 2
      return [`${clip(plain(seat), longest).padEnd(longest)}  ${paint.dim(lastOf(letters, room))}`]
    }),
  )
}

export function boardLines(board: Board, layout: BoardLayout): readonly string[] {
  const { width, paint, now, writing } = layout
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
      ...ROUNDS.map((round) => {
        const words = wordsOf(row.cells[round], now, writing?.get(cellKey(round, row.seat)))
        return colourOf(row.cells[round], paint)(fitted(words))
      }),
    ].join('  ')
  return [
    paint.dim(heading),
    ...board.rows.map(line),
    ...lastWords(board, layout),
    paint.dim(clip(spentWords(board, now), width - 1)),
  ]
}

/** One line for a cell that has just ended. */
export function settledLine(
  { seat, round, cell }: { readonly seat: string; readonly round: Round; readonly cell: Cell },
  { width, paint }: BoardLayout,
): string {
  const what =
    cell.state === 'failed'
      ? paint.red(`failed: ${plain(cell.word)}`)
      : stanceColour(cell.word, paint)(plain(cell.word))
  const resultText = cell.state === 'failed' ? `failed: ${plain(cell.word)}` : plain(cell.word)
  const facts = [
    cell.ms === null ? '' : seconds(cell.ms),
    cell.tokens === null ? '' : `${thousands(cell.tokens)} tokens`,
    cell.usd === null || cell.usd === 0 ? '' : dollars(cell.usd),
  ].filter((fact) => fact !== '')
  const head = `${round} ${plain(seat)} `
  const tail = facts.length > 0 ? ` (${facts.join(', ')})` : ''
  const room = width - 1 - head.length - resultText.length - tail.length - 2
  const gist = room > 12 && cell.gist !== '' ? `  ${paint.dim(clip(plain(cell.gist), room))}` : ''
  return `${head}${what}${tail}${gist}`
}

// The text that a model is writing: of JSON only the text values, without names, quotes and brackets, as far
// as it has come, and without texts of one bare word, which are labels. Everything else is shown as it is.
// Nothing here is read as an answer.

export interface Writing {
  readonly chars: number
  /** The last of the words. */
  readonly words: string
  readonly form: 'unknown' | 'fence' | 'prose' | 'json'
  /** Open braces and brackets, the innermost last. */
  readonly open: string
  readonly isKeyNext: boolean
  /** Inside a text: of a name, or of a value. */
  readonly inside: 'key' | 'value' | null
  /** The first word of a value, until it is known to be more than a label; null from then on. */
  readonly firstWord: string | null
  /** The part of an escape so far. */
  readonly escape: string
}

export const EMPTY_DRAFT: Writing = {
  chars: 0,
  words: '',
  form: 'unknown',
  open: '',
  isKeyNext: false,
  inside: null,
  firstWord: '',
  escape: '',
}

const KEPT = 400
const BLANKS = 'nrtbf'

type Draft = { -readonly [Name in keyof Writing]: Writing[Name] }

const SENTENCE_END = /[.!?…]$/

function release(now: Draft): void {
  now.words += now.firstWord ?? ''
  now.firstWord = null
}

function endValue(now: Draft): void {
  if (now.firstWord !== null && SENTENCE_END.test(now.firstWord)) release(now)
  if (now.firstWord === null) now.words += ' '
  now.firstWord = ''
}

function inText(now: Draft, char: string): void {
  const say = (text: string): void => {
    if (now.inside !== 'value') return
    if (now.firstWord === null) now.words += text
    else now.firstWord += text
    if (now.firstWord !== null && /\s/.test(now.firstWord)) release(now)
  }
  if (now.escape.startsWith('\\u')) {
    now.escape += char
    if (now.escape.length < 6) return
    const code = Number.parseInt(now.escape.slice(2), 16)
    say(Number.isNaN(code) ? '' : String.fromCharCode(code))
    now.escape = ''
  } else if (now.escape === '\\') {
    now.escape = char === 'u' ? '\\u' : ''
    if (char !== 'u') say(BLANKS.includes(char) ? ' ' : char)
  } else if (char === '\\') now.escape = char
  else if (char === '"') {
    if (now.inside === 'value') endValue(now)
    now.inside = null
  } else say(char)
}

function inJson(now: Draft, char: string): void {
  if (now.inside !== null) inText(now, char)
  else if (char === '"') now.inside = now.isKeyNext ? 'key' : 'value'
  else if (char === '{' || char === '[') {
    now.open += char
    now.isKeyNext = char === '{'
  } else if (char === '}' || char === ']') now.open = now.open.slice(0, -1)
  else if (char === ',') now.isKeyNext = now.open.endsWith('{')
  else if (char === ':') now.isKeyNext = false
}

/** With what came next. */
export function extendDraft(before: Writing, delta: string): Writing {
  const now: Draft = { ...before, chars: before.chars + delta.length }
  for (const char of delta) {
    if (now.form === 'unknown' && char.trim() !== '')
      now.form = char === '`' ? 'fence' : char === '{' || char === '[' ? 'json' : 'prose'
    if (now.form === 'json') inJson(now, char)
    else if (now.form === 'prose') now.words += char
    else if (now.form === 'fence' && char === '\n') now.form = 'unknown'
  }
  return { ...now, words: now.words.slice(-KEPT) }
}
