// Text that seats are writing, for the host that follows: the last words of each, at most once a second,
// without the JSON around them. It is never sent while the host's own model has a seat in an open council: it
// has to answer without having seen the others.

import type { SeatSpeaking } from '../../../app/council/council.ts'
import { EMPTY_DRAFT, extendDraft, type Writing } from '../../../render/board/board-lines.ts'
import { plain } from '../../../render/plain.ts'

const TELL_MS = 1_000
const SHOWN = 120

/** Receives every piece of text; sends a line now and then. */
export function wordsTo(tell: (line: string) => void): (speaking: SeatSpeaking) => void {
  const writing = new Map<string, Writing>()
  let toldAt = Number.NEGATIVE_INFINITY
  return ({ seat, round, words }) => {
    const place = `${round} ${seat}`
    const before = writing.get(place) ?? EMPTY_DRAFT
    writing.set(place, words === null ? EMPTY_DRAFT : extendDraft(before, words))
    const last = writing.get(place)?.words.replace(/\s+/g, ' ').trim() ?? ''
    if (last === '' || performance.now() - toldAt < TELL_MS) return
    toldAt = performance.now()
    tell(`${round}: ${plain(seat)} writes: …${plain(last.slice(-SHOWN).toWellFormed())}`)
  }
}
