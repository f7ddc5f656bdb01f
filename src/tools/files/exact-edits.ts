// A patch is a list of exact replacements. Line numbers and fuzzy context are not used on purpose: a text
// that occurs exactly once cannot be replaced at the wrong place, and a changed file is noticed.

import { fromUtf8, utf8 } from '../../ledger/bytes.ts'
import { Fault } from '../call-tool.ts'

export interface Edit {
  readonly find: string
  readonly replace: string
  readonly all?: boolean
}

function applyEdit(text: string, { find, replace, all = false }: Edit, number: number, most: number): string {
  const pieces = text.split(find)
  const count = pieces.length - 1
  if (count === 0) throw new Fault('error', `edit ${number}: the text to find is not in the file`)
  if (count > 1 && !all)
    throw new Fault('error', `edit ${number}: the text to find stands there ${count} times`)
  // Computed before it is made: a letter that occurs a million times may be replaced by a page.
  const length = text.length + count * (replace.length - find.length)
  if (length > most)
    throw new Fault('denied', `edit ${number}: the content would have ${length} characters, over ${most}`)
  return pieces.join(replace)
}

/** All edits or none, and at no moment more than this many characters. */
export function applyEdits(bytes: Uint8Array, edits: readonly Edit[], most: number): Uint8Array {
  const text = fromUtf8(bytes)
  if (text === null) throw new Fault('error', 'the file is no text in UTF-8')
  return utf8(edits.reduce((before, edit, at) => applyEdit(before, edit, at + 1, most), text))
}
