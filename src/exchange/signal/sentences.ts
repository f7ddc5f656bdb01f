// The sentences of a message: a request may be one of many, and an encoder that hears them all at once hears none of
// them well. Slices of the text in order, white space aside.

const END = /[.!?…。！？]+["'”’»)\]]*(?=\s|$)|[。！？]+|\n+/gu
/** Past this a message is heard no further: the cost of scoring stays bounded. */
const MOST = 64

export function sentencesOf(text: string): readonly string[] {
  const found: string[] = []
  let start = 0
  for (const { 0: end, index } of text.matchAll(END)) {
    found.push(text.slice(start, index + end.length))
    start = index + end.length
  }
  found.push(text.slice(start))
  return found
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
    .slice(0, MOST)
}
