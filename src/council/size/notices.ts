// What was not shown, stated at the top of the report: files that did not fit, parts of round one to which a
// seat gave no answer, and prompts that had to be shortened because a model refused their length.

import type { Unseen } from '../context.ts'
import type { OpenedCouncil } from '../state.ts'
import { isInParts, missingParts, portionsOf } from './parts.ts'

const MOST_NAMED = 8

const SHOWN = { part: 'in part', outline: 'in outline', none: 'not at all' } as const

/** What no seat was shown, in one line. */
export function unseenInWords({ count, files }: Unseen): string {
  const named = files.slice(0, MOST_NAMED).map(({ path, shown }) => `${path} (${SHOWN[shown]})`)
  const more = count > named.length ? ` and ${count - named.length} more` : ''
  return `No seat was shown all of ${count} file${count === 1 ? '' : 's'}: ${named.join(', ')}${more}`
}

const listed = (numbers: readonly number[]): string => numbers.join(', ')

function partNotices(state: OpenedCouncil): readonly string[] {
  if (!isInParts(state)) return []
  const of = portionsOf(state)
  return [...state.opinions].flatMap(([seat, { ok }]) => {
    const missing = missingParts(state, seat)
    return ok && missing.length > 0
      ? [`${seat} gave no answer to part${missing.length === 1 ? '' : 's'} ${listed(missing)} of ${of}`]
      : []
  })
}

/** Of a shortened prompt the rest was shown to others, not to this seat. */
function lengthNotices({ shortened }: OpenedCouncil): readonly string[] {
  const asked = [...shortened].flatMap(([key, isDue]) => (isDue ? [] : [key]))
  return asked.map((key) => {
    const [round = '', name = ''] = key.split(' ')
    const [seat = '', part] = name.split('/p')
    const which = part === undefined ? round : `part ${part} of ${round}`
    return `${seat} refused the length of ${which} and was shown it condensed`
  })
}

/** First among the notices of a report. */
export const notShown = (state: OpenedCouncil): readonly string[] => [
  ...(state.opened.unseen ? [unseenInWords(state.opened.unseen)] : []),
  ...partNotices(state),
  ...lengthNotices(state),
]

/** Parts that no seat answered: their content was not judged. */
export function unjudgedParts(state: OpenedCouncil): readonly number[] {
  if (!isInParts(state)) return []
  const seats = [...state.opinions].flatMap(([seat, { ok }]) => (ok ? [seat] : []))
  const all = Array.from({ length: portionsOf(state) }, (_, i) => i + 1)
  return all.filter((part) => seats.every((seat) => missingParts(state, seat).includes(part)))
}
