// Cuts a text that is longer than an encoder's limit into parts: at the end of a sentence where that leaves a
// part at least half full, else between words, and inside a run of characters without a gap. The parts are
// slices of the text in order; between them only white space and control characters are left out.

export interface Chunk {
  readonly text: string
  /** In the encoder's own unit, tokens; the weights of the parts in their mean. */
  readonly weight: number
}

/** Also runs in the encoder's thread, from its own text: it may use nothing from around it. */
export function cutIntoChunks(text: string, limit: number, weigh: (word: string) => number): Chunk[] {
  const chunks: Chunk[] = []
  let words: { start: number; end: number; weight: number; ends: boolean }[] = []
  let total = 0

  const cut = (count: number): void => {
    const taken = words.slice(0, count)
    const weight = taken.reduce((sum, word) => sum + word.weight, 0)
    chunks.push({ text: text.slice(taken[0]?.start, taken.at(-1)?.end), weight })
    words = words.slice(count)
    total -= weight
  }
  const place = (): number => {
    let behind = 0
    for (let i = words.length; i > 0 && total - behind >= limit / 2; i--) {
      if (words[i - 1]?.ends) return i
      behind += words[i - 1]?.weight ?? 0
    }
    return words.length
  }

  // 64 characters at most: an encoder's tokenizer may take the square of a word's length.
  for (const { 0: word, index: start } of text.matchAll(/[^\s\p{Cc}\u200b]{1,64}/gu)) {
    const before = words.at(-1)
    if (before && text.slice(before.end, start).includes('\n')) before.ends = true
    const weight = weigh(word)
    while (words.length > 0 && total + weight > limit) cut(place())
    const ends = /[.!?…。！？]["'”’»)\]]*$/u.test(word)
    words.push({ start, end: start + word.length, weight, ends })
    total += weight
  }
  if (words.length > 0) cut(words.length)
  return chunks
}
