// What a host is told about a council: which seats answered and which are awaited while it runs (their text
// is in `words.ts`); what its own model is to answer; the report once it is over.

import { resultOf } from '../../../app/council/council.ts'
import type { HostQuestion } from '../../../app/council/host-seats.ts'
import * as is from '../../../council/events.ts'
import { canRetry } from '../../../council/retry.ts'
import { leftOutInWords } from '../../../council/seat-ids.ts'
import type { CouncilState } from '../../../council/state.ts'
import type { Occurrence } from '../../../protocol.ts'
import { plain } from '../../../render/plain.ts'
import { renderReport } from '../../../render/report/render.ts'
import type { Answer } from '../tool.ts'

const ROUND_OF: Readonly<Record<string, readonly [round: string, done: string]>> = {
  [is.OPINION_GIVEN]: ['R1', 'answered'],
  [is.OPINION_FAILED]: ['R1', 'failed'],
  [is.OPINION_INCOMPLETE]: ['R1', 'is asked for what its answer lacks'],
  [is.OPINION_JOINED]: ['R1', 'is through all parts'],
  [is.REVIEW_GIVEN]: ['R2', 'answered'],
  [is.REVIEW_FAILED]: ['R2', 'failed'],
  [is.REVIEW_INCOMPLETE]: ['R2', 'is asked for what its answer lacks'],
  [is.REPORT_GIVEN]: ['R3', 'answered'],
  [is.REPORT_FAILED]: ['R3', 'failed'],
  [is.REPORT_INCOMPLETE]: ['R3', 'is asked for what its answer lacks'],
}

/** Null where there is nothing to tell. */
export function stepOf({ type, payload }: Occurrence): string | null {
  const known = ROUND_OF[type]
  if (!known) return null
  const { seat } = (payload ?? {}) as { seat?: string }
  return `${known[0]}: ${plain(seat ?? 'a seat')} ${known[1]}`
}

export function reportOf(state: CouncilState): Answer {
  const result = resultOf(state)
  const { trace, status, reason, degraded, report } = result
  const text = renderReport('text', result, { width: 100 })
  const next = canRetry(state) ? `Ask again who failed with council_retry ${trace}.` : null
  const leftOut = state.opened?.left_out ?? []
  const missing = leftOutInWords(leftOut).map(
    ({ seats, isOne, reason: why }) => `${plain(seats)} ${isOne ? 'was' : 'were'} left out: ${plain(why)}`,
  )
  const value = {
    ...{ trace, status, reason, degraded, report },
    ...(leftOut.length > 0 && { left_out: leftOut }),
    ...(next && { next }),
  }
  return { value, text: [text.trimEnd(), ...missing, ...(next ? [next] : [])].join('\n') }
}

export function standingOf(trace: string, state: CouncilState, isHeld = true): Answer {
  const awaited = [...state.open.values()].map(({ round, seat }) => `${round} ${seat}`)
  const answered = [
    ...[...state.opinions].map(([seat, { ok }]) => `R1 ${seat}${ok ? '' : ' (failed)'}`),
    ...[...state.reviews].map(([seat, { ok }]) => `R2 ${seat}${ok ? '' : ' (failed)'}`),
  ]
  const next = isHeld
    ? `Ask again with council_status ${trace}.`
    : `This server does not hold it. If no other process does, a person resumes it: witan resume ${trace}`
  const words = (list: readonly string[]): string => list.map(plain).join(', ') || 'none'
  return {
    value: { trace, status: 'under way', answered, awaited, next },
    text: `Council ${trace} is under way.\nAnswered: ${words(answered)}.\nAwaited: ${words(awaited)}.\n${next}`,
  }
}

export function promptForHost(trace: string, { ticket, seat, round, prompt }: HostQuestion): Answer {
  const next = `Answer as ${seat} in ${round} by yourself, then call council_submit with this trace and ticket.`
  return {
    value: { trace, status: 'your turn', ticket, seat, round, next, prompt },
    text: `Council ${trace}. ${next}\nticket: ${ticket}\n\n${prompt}`,
    whole: true,
  }
}
