// Compares words without regard to case, surrounding blanks, and the difference between blank, hyphen and
// underscore. Only the whole phrase counts: a word within a hedge is not the word.

import type { Words } from './wanted.ts'

const MOST_CHARS = 80

export const foldWord = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ')

/** Names of members are also equal if only one of them has separators: `keyRisks`, `key_risks`. */
export const foldName = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]+/g, '')

/** The word that a text means, or null. */
export function wordMeant(words: Words, text: string): string | null {
  if (text.length > MOST_CHARS) return null
  const folded = foldWord(text)
  const meant = Object.entries(words).find(([word, synonyms]) =>
    [word, ...synonyms].some((each) => foldWord(each) === folded),
  )
  return meant ? meant[0] : null
}
