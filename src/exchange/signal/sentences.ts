// The sentences of a message: a request may be one of many, and an encoder that gets them all at once
// represents none of them well. Slices of the text in order, without white space. The cost of scoring is
// limited: an endless sentence is cut, and of a very long message only the beginning and the end are used.

const END = /[.!?…。！？]+["'”’»)\]]*(?=\s|$)|[。！？]+|\n+/gu
const MOST = 64
const LONGEST = 600
/** Text beyond this length at either end cannot be among the first or last sentences. */
const HEARD = (LONGEST * MOST) / 2

function ended(text: string): string[] {
  const sentences: string[] = []
  let start = 0
  for (const { 0: end, index } of text.matchAll(END)) {
    sentences.push(text.slice(start, index + end.length))
    start = index + end.length
  }
  return [...sentences, text.slice(start)]
}

/** At white space where there is some. */
function cut(sentence: string): string[] {
  const pieces: string[] = []
  let rest = sentence
  while (rest.length > LONGEST) {
    const space = rest.lastIndexOf(' ', LONGEST)
    const at = space > LONGEST / 2 ? space : LONGEST
    pieces.push(rest.slice(0, at))
    rest = rest.slice(at)
  }
  return [...pieces, rest]
}

const splitSentences = (text: string): string[] =>
  ended(text)
    .map((sentence) => sentence.trim())
    .flatMap(cut)
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))

export function sentencesOf(text: string): readonly string[] {
  if (text.length > 2 * HEARD) {
    const [first, last] = [splitSentences(text.slice(0, HEARD)), splitSentences(text.slice(-HEARD))]
    return [...first.slice(0, MOST / 2), ...last.slice(-MOST / 2)]
  }
  const all = splitSentences(text)
  return all.length <= MOST ? all : [...all.slice(0, MOST / 2), ...all.slice(-MOST / 2)]
}
