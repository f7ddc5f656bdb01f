// What a story says of one event. Its words are ours and theirs mixed: anyone who shows them neutralises them whole.

export interface StoryLine {
  /** How it went: for colour alone, the words say it too. */
  readonly tone: 'plain' | 'good' | 'bad' | 'quiet'
  readonly text: string
  /** Said below, indented: reasons, quotes. */
  readonly more: readonly string[]
}

export const line = (tone: StoryLine['tone'], text: string, more: readonly string[] = []): StoryLine => ({
  tone,
  text,
  more,
})

export const count = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`
export const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
export const short = (hash: string): string => hash.slice(0, 12)

/** Null where what is told has another shape than its teller takes for granted: no one has checked it yet. */
export function ifReadable<Told>(tell: () => Told): Told | null {
  try {
    return tell()
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}
