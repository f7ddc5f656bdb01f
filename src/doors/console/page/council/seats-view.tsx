// The seats as columns, round by round, live: who is working and since when, the results, the usage, and the
// exact reason of a failure. While a seat writes, its text so far is shown; it is not recorded.

import type { CouncilResult } from '../../../../council/council-result.ts'
import type { CouncilOpinion } from '../../../../council/replies/opinion.ts'
import type { CouncilReview } from '../../../../council/replies/review.ts'
import type { ProviderRecord } from '../../../../council/report/transparency.ts'
import type { CallRecord, OpenedCouncil } from '../../../../council/state.ts'
import type { Board, Cell, Row } from '../../../../render/board/board.ts'
import { REPAIRS, type RepairKind } from '../../../../reply/repairs.ts'
import { LiveWords } from '../elements/live-words.tsx'
import { count, IsolatedText, money, seconds } from '../elements/text.tsx'
import { now } from '../elements/time.tsx'
import { liveTexts } from '../state.ts'
import { isCitedIn } from './citations.tsx'
import { OpinionView } from './opinion-view.tsx'

const STATES: Readonly<Record<Cell['state'], string>> = {
  waiting: 'waits',
  thinking: 'is thinking',
  done: 'answered',
  failed: 'failed',
  skipped: 'skipped',
  absent: 'takes no part',
}

const ROUND_NAMES = { R1: 'Opinion', R2: 'Review', R3: 'Report' } as const
type Round = keyof typeof ROUND_NAMES

/** The outcome of asking a seat in a round. */
function callRecordIn(
  { opinions, reviews, reports }: OpenedCouncil,
  seat: string,
  round: Round,
): CallRecord | undefined {
  if (round === 'R1') return opinions.get(seat)?.took
  if (round === 'R2') return reviews.get(seat)?.took
  return reports.findLast((one) => one.seat === seat)?.outcome.took
}

/** Faults in the form of an answer, as text. */
const repairsText = (kinds: readonly string[]): string =>
  [...new Set(kinds)].map((kind) => REPAIRS[kind as RepairKind] ?? kind).join('; ')

/** Each failed attempt before the one that counts, in the words of the record. */
function triesText(callRecord: CallRecord | undefined): string {
  const failed = (callRecord?.attempts ?? []).slice(0, -1).filter(({ error_type: error }) => error !== null)
  return failed
    .map(
      ({ transport, error_type, cause, error_message: message }) =>
        `${transport}: ${error_type}${cause ? ` (${cause})` : ''}${message ? `: ${message}` : ''}`,
    )
    .join('; ')
}

function CallLine({
  record,
  took: callRecord,
}: {
  readonly record: ProviderRecord | undefined
  readonly took: CallRecord | undefined
}) {
  if (!record) return null
  const tries = triesText(callRecord)
  const facts = [
    seconds(record.latency_ms),
    record.output_tokens === null ? '' : `${record.output_tokens.toLocaleString('en')} tokens`,
    money(record.cost_usd),
    tries === '' || record.fallback_reason ? '' : `asked again after ${tries}`,
    record.repairs && record.repairs.length > 0 ? `form put right: ${repairsText(record.repairs)}` : '',
  ].filter((text) => text !== '')
  return (
    <p class="small muted">
      <IsolatedText text={facts.join(' · ')} />
      {record.fallback_reason && (
        <>
          {' · '}
          <span class="warning">
            by {record.transport} after <IsolatedText text={tries === '' ? record.fallback_reason : tries} />
          </span>
        </>
      )}
    </p>
  )
}

function CellView({
  cell,
  round,
  seat,
  trace,
  record,
  took: callRecord,
  isOver,
}: {
  readonly cell: Cell
  readonly round: Round
  readonly seat: string
  readonly trace: string
  readonly record: ProviderRecord | undefined
  readonly took: CallRecord | undefined
  readonly isOver: boolean
}) {
  if (cell.state === 'absent') return null
  const isThinking = cell.state === 'thinking' && !isOver
  const isGivenUp = cell.state === 'thinking' && isOver
  const written = isThinking ? liveTexts.value.get(`${trace}/${seat}`) : undefined
  return (
    <div class={`cell cell-${isGivenUp ? 'skipped' : cell.state}`}>
      <p class="cell-head">
        <span class="muted">{ROUND_NAMES[round]}</span>{' '}
        {cell.state === 'done' && cell.word !== '' ? (
          <strong class={`stance stance-${cell.word.replaceAll(' ', '-')}`}>{cell.word}</strong>
        ) : (
          <span class={cell.state === 'failed' ? 'bad' : ''}>
            {isGivenUp ? 'was asked, and not waited for' : STATES[cell.state]}
          </span>
        )}
        {isThinking && cell.since && (
          <span class="muted"> {seconds(Math.max(0, now.value - Date.parse(cell.since)))}</span>
        )}
        {cell.lost > 0 && <span class="warning"> asked again after {count(cell.lost, 'lost call')}</span>}
      </p>
      {written !== undefined && <LiveWords text={written} />}
      {cell.state === 'failed' && (
        <p class="bad small">
          <IsolatedText text={[cell.word, cell.gist].filter((text) => text !== '').join(': ')} />
        </p>
      )}
      <CallLine record={record} took={callRecord} />
    </div>
  )
}

function Column({
  row,
  board,
  state,
  result,
  opinion,
  review,
}: {
  readonly row: Row
  readonly board: Board
  readonly state: OpenedCouncil
  readonly result: CouncilResult
  readonly opinion: CouncilOpinion | undefined
  readonly review: CouncilReview | undefined
}) {
  const recordOf = (round: string): ProviderRecord | undefined =>
    result.transparency.providers?.findLast((one) => one.seat === row.seat && one.round === round)
  const isOver = board.closed !== null
  const cell = (round: Round) => (
    <CellView
      cell={row.cells[round]}
      round={round}
      seat={row.seat}
      trace={result.trace}
      record={recordOf(round)}
      took={callRecordIn(state, row.seat, round)}
      isOver={isOver}
    />
  )
  return (
    <section class="column" aria-label={`Seat ${row.seat}`}>
      <header>
        <h3>
          <IsolatedText text={row.seat} />
        </h3>
        <p class="small muted">
          <IsolatedText text={row.model ?? 'its own choice of model'} />
        </p>
      </header>
      {cell('R1')}
      {opinion && (
        <>
          <p class="gist">
            <IsolatedText text={opinion.summary} />
          </p>
          <p class="small">
            confidence {opinion.confidence} <code class="muted">{opinion.id}</code>
          </p>
          <details open={isCitedIn(opinion.id) || undefined}>
            <summary>Whole opinion</summary>
            <OpinionView opinion={opinion} />
          </details>
        </>
      )}
      {cell('R2')}
      {review?.changed_position && (
        <p class="warning small">
          changed to {review.stance_after}: <IsolatedText text={review.why} />
        </p>
      )}
      {cell('R3')}
    </section>
  )
}

export function SeatsView({
  board,
  state,
  result,
}: {
  readonly board: Board
  readonly state: OpenedCouncil
  readonly result: CouncilResult
}) {
  const [first, second] = result.rounds
  return (
    <section aria-labelledby="seats-title">
      <h2 id="seats-title">Seats</h2>
      {board.embedded && <p class="notice warning">Checks only: no language model was asked.</p>}
      <div class="columns">
        {board.rows.map((row) => (
          <Column
            key={row.seat}
            row={row}
            board={board}
            state={state}
            result={result}
            opinion={first.opinions.find(({ seat }) => seat === row.seat)}
            review={second.reviews.find(({ seat }) => seat === row.seat)}
          />
        ))}
      </div>
    </section>
  )
}
