// Follows the text that a model is writing: only the text values where it writes JSON. The server sends the
// end of each text, so new text is found by where the last message overlaps.

import { EMPTY_DRAFT, extendDraft, type Writing } from '../../../../render/board/board-lines.ts'

export interface Followed {
  readonly text: string
  /** Null where the beginning was missed: then the text is shown as it is. */
  readonly writing: Writing | null
}

export const NOTHING_FOLLOWED: Followed = { text: '', writing: EMPTY_DRAFT }

/** How much of a message is searched in the one before. */
const OVERLAP = 64

const looksCut = (text: string): boolean => !/^\s*[[{`]/.test(text) && /"\s*:\s*["[{]/.test(text)

const startText = (text: string): Followed => ({
  text,
  writing: looksCut(text) ? null : extendDraft(EMPTY_DRAFT, text),
})

/** With the next message about the same text, or a new one. */
export function follow(before: Followed, text: string): Followed {
  if (text === before.text) return before
  if (before.text === '' || before.writing === null) return startText(text)
  if (text.startsWith(before.text))
    return { text, writing: extendDraft(before.writing, text.slice(before.text.length)) }
  const at = before.text.indexOf(text.slice(0, OVERLAP))
  const continuation = before.text.slice(at)
  if (at < 0 || !text.startsWith(continuation)) return startText(text)
  return { text, writing: extendDraft(before.writing, text.slice(continuation.length)) }
}
