// The story's text about one event. It mixes our text with foreign text: any place that shows it neutralises all of
// it.

export interface StoryLine {
  /** The result: only for colour, the text says it too. */
  readonly tone: 'plain' | 'good' | 'bad' | 'quiet'
  readonly text: string
  /** Shown below, indented: reasons, quotes. */
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

/** Null where a payload has an unexpected shape: it is unverified. */
export function ifReadable<Told>(tell: () => Told): Told | null {
  try {
    return tell()
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}
